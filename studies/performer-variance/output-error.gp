# Blocks 0-3: FAVOR+, OPRF, orthogonal hyperbolic, FAVOR+ with centred keys.
load "style.gp"
set logscale xy
set xrange [12:6000]
set format y "10^{%L}"
set xtics (16, 64, 256, 1024, 4096)
set xlabel "features"
set ylabel "mean squared error of an output"
set yrange [2e-6:1]
set key top right
plot data index 0 using 1:4 @ASYMPTOTE1, \
     data index 1 using 1:4 @ASYMPTOTE2, \
     data index 3 using 1:4 @ASYMPTOTE4, \
     data index 0 using 1:5 @REFERENCE title "mean pooling", \
     data index 0 using 1:2:(4*$3) @MEASURED1 title "FAVOR+", \
     data index 1 using ($1*1.08):2:(4*$3) @MEASURED2 title "OPRF", \
     data index 2 using ($1*0.92):2:(4*$3) @MEASURED3 title "orthogonal, hyperbolic", \
     data index 3 using ($1*1.17):2:(4*$3) @MEASURED4 title "FAVOR+, keys centred"
