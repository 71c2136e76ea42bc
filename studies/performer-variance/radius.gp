# Left: block 0, |bias| and standard deviation over P. Right: block 1, measured means.
width = 900
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.1,0.985,0.16,0.92 spacing 0.15
set logscale xy
set xrange [4:4096]
set yrange [2e-8:2]
set format y "10^{%L}"
set xlabel "projections P"
set ylabel "|relative bias|"
set title "lengths at the quantiles i/(P+1)" @PANEL
set key bottom left
plot data index 0 using 1:2 @THEORY1 title "d = 2, t = 1", \
     data index 0 using 1:3 @THEORY2 title "d = 8, t = 4", \
     data index 0 using 1:4 @THEORY3 title "d = 64, t = 1", \
     data index 0 using 1:5 @THEORY4 title "d = 64, t = 16", \
     data index 0 using 1:6 @REFERENCE title "standard deviation, t = 1"
unset logscale y
set format y "%g"
set xrange [3:170]
set yrange [-0.08:0.05]
set xtics (4, 8, 16, 32, 64, 128)
set ylabel "mean of the relative error"
set title "measured, d = 8, t = 1" @PANEL
set key bottom right
plot 0 @REFERENCE, \
     data index 1 using 1:6 @THEORY2 title "exact bias", \
     data index 1 using 1:2:(4*$3) @MEASURED2 title "quantiles i/(P+1)", \
     data index 1 using ($1*1.06):4:(4*$5) @MEASURED1 title "jittered"
unset multiplot
