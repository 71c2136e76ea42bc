# 1 sharpness, 2-4 three draws, 5 geometric mean, 6 sqrt(nu/N), 7 N.
load "style.gp"
set logscale y
set logscale y2
set xrange [0:60]
set yrange [1e-6:2]
set y2range [1:1e6]
set border 11 linestyle 40
set format y "10^{%L}"
set y2tics ("1" 1, "3" 3, "10" 10, "30" 30, "100" 100, "256" 256)
set xlabel "sharpness α"
set ylabel "root mean square change of the output"
set y2label "participation number N" offset 0,4
set key off
plot data using 1:2 with lines linestyle 6 linewidth 1 dashtype solid, \
     data using 1:3 with lines linestyle 6 linewidth 1 dashtype solid, \
     data using 1:4 with lines linestyle 6 linewidth 1 dashtype solid, \
     data using 1:6 @ASYMPTOTE2, \
     data using 1:5 @THEORY1, \
     data using 1:7 axes x1y2 @THEORY3
