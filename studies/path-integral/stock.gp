# The law of geometric Brownian motion: block 0 densities, block 1 the histogram.
load "style.gp"
set xrange [0:3]
set yrange [0:1.25]
set xlabel "price S_T/S_0"
set ylabel "density"
set key off
set label "log-normal, variance σ^2T" at 1.28, 0.95 @LABEL1
set label "256 Milstein steps" at 1.36, 0.86 @LABEL1
set label "variance σT, as summarised" at 1.84, 0.27 @LABEL2
plot data index 0 using 1:3 @THEORY2, \
     data index 0 using 1:2 @THEORY1, \
     data index 1 using 1:2:3 @MEASURED1
