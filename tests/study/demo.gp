load "style.gp"
set logscale xy
set xrange [0.8:20]
set xtics (1, 2, 4, 8, 16)
set xlabel "n"
set ylabel "variance of the mean"
set label "1/(12 n)" at 4.4, 0.022 @LABEL1
plot data using 1:4 @THEORY1 title "exact law", data using 1:2:(4*$3) @MEASURED2 title "measured, 4 standard errors"
