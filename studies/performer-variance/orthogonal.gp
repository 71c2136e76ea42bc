# Orthogonal over independent variance: positive (columns 2-5, bound 10) and hyperbolic (6-9).
width = 900
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.1,0.985,0.16,0.92 spacing 0.08
set logscale x
set xrange [0.01:20]
set xlabel "t = |q + k|^2"
set ylabel "orthogonal / independent"
set yrange [0.42:1.02]
set key bottom left
set title "positive features" @PANEL
plot data using 1:10 @REFERENCE title "published bound, d = 8", \
     data using 1:2 @THEORY2 title "d = 2", \
     data using 1:3 @THEORY3 title "d = 8", \
     data using 1:4 @THEORY4 title "d = 64", \
     data using 1:5 @THEORY1 title "limit"
set title "hyperbolic features" @PANEL
set ylabel ""
set yrange [0:1.02]
set key off
set label 1 "d = 2" at 0.012, 0.79 @LABEL2
set label 2 "d = 8" at 0.012, 0.34 @LABEL3
set label 3 "d = 64" at 0.012, 0.09 @LABEL4
set label 4 "limit" at 2.2, 0.2 @LABEL1
plot data using 1:6 @THEORY2, data using 1:7 @THEORY3, data using 1:8 @THEORY4, data using 1:9 @THEORY1
unset multiplot
