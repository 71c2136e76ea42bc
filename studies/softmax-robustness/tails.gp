# Blocks 0-5: six laws of noise. 1 n, 2 exact, 3 sampled, 4 its standard error.
load "style.gp"
set logscale xy
set xrange [48:120000]
set yrange [0.008:2]
set xtics (64, 256, 1024, 4096, 16384)
set ytics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "tokens n"
set ylabel "root mean square change of the output"
set key off
plot data index 0 using 1:2 @THEORY1, \
     data index 1 using 1:2 @THEORY3, \
     data index 2 using 1:2 @THEORY2, \
     data index 3 using 1:2 @THEORY4, \
     data index 0 using 1:3:(4*$4) @MEASURED1, \
     data index 1 using 1:3:(4*$4) @MEASURED3, \
     data index 2 using 1:3:(4*$4) @MEASURED2, \
     data index 3 using 1:3:(4*$4) @MEASURED4, \
     data index 4 using 1:3:(4*$4) @MEASURED5, \
     data index 5 using 1:3:(4*$4) @MEASURED6
