# Error of the iterate for a singular matrix.
load "style.gp"
set logscale y
set xrange [0:41]
set yrange [1e-15:1e8]
set format y "10^{%L}"
set ytics 1e-15, 1e5, 1e5
unset mytics
set xlabel "step"
set ylabel "relative error of the pseudo-inverse"
set key off
set label 1 "double precision" at 24, 1e-10 @LABEL1
set label 2 "single precision" at 13, 1e3 right @LABEL2
set label 3 "growth 13/4 a step" at 24, 1e-8 @LABEL3
plot data using 1:4 @THEORY3, \
     data using 1:3 @POINTS2, \
     data using 1:2 @POINTS1
