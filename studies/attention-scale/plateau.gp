# Table plateau: alpha/alpha_c, log10 n, F/alpha_c, E sum p^2; one index a length, the last the limit.
width = 900
height = 400
load "style.gp"
set multiplot layout 1,2
set xrange [0:4]
set yrange [0:1.09]
set xlabel "α / √(2 log n)"
set key bottom right
set title "mean gradient, F / √(2 log n)" @PANEL
plot for [i=0:4] data index i using 1:3 with lines linestyle i+1 title "n = ".word("10^3 10^6 10^{12} 10^{50} 10^{100}", i+1), \
     data index 5 using 1:3 with lines linestyle 30 linewidth 2 title "limit"
set title "E Σ p²" @PANEL
set key top left
plot for [i=0:4] data index i using 1:4 with lines linestyle i+1 notitle, \
     data index 5 using 1:4 with lines linestyle 30 linewidth 2 title "limit, 1 − √(2 log n)/α"
unset multiplot
