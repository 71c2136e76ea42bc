# Blocks 0-5: six laws of noise. 1 n, 2 exact, 3 sampled, 4 its standard error.
height = 480
load "style.gp"
set logscale xy
set xrange [48:170000]
set yrange [0.006:2]
set xtics (64, 256, 1024, 4096, 16384)
set ytics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "tokens n"
set ylabel "root mean square change of the output"
set key off
set label "Cauchy" at 21000, 1.12 @LABEL6
set label "Student, 3 d.f." at 21000, 0.82 @LABEL5
set label "Laplace b = 1.5" at 21000, 0.56 @LABEL4
set label "Laplace b = 0.9" at 21000, 0.215 @LABEL2
set label "Laplace b = 0.5" at 21000, 0.0255 @LABEL3
set label "Gaussian σ = 1" at 21000, 0.0165 @LABEL1
half(x) = x < 70 || x > 16384 ? NaN : 0.11*sqrt(64/x)
set label "n^{-1/2}" at 640, 0.0215 @NOTE
plot half(x) @REFERENCE, \
     data index 0 using 1:2 @THEORY1, \
     data index 1 using 1:2 @THEORY3, \
     data index 2 using 1:2 @THEORY2, \
     data index 3 using 1:2 @THEORY4, \
     data index 0 using 1:3:(4*$4) @MEASURED1, \
     data index 1 using 1:3:(4*$4) @MEASURED3, \
     data index 2 using 1:3:(4*$4) @MEASURED2, \
     data index 3 using 1:3:(4*$4) @MEASURED4, \
     data index 4 using ($1*0.94):3:(4*$4) @MEASURED5, \
     data index 5 using ($1*1.06):3:(4*$4) @MEASURED6
