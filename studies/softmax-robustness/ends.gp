# 1 sharpness, 2-4 three draws, 5 geometric mean, 6 sqrt(nu/N), 7 N.
height = 560
load "style.gp"
set multiplot
set lmargin screen 0.14
set rmargin screen 0.97
set tmargin screen 0.97
set bmargin screen 0.4
set logscale y
set xrange [0:60]
set yrange [1e-6:2]
set ytics ("1" 1, "0.1" 0.1, "0.01" 0.01, "10^{-3}" 1e-3, "10^{-4}" 1e-4, "10^{-5}" 1e-5, "10^{-6}" 1e-6)
set format x ""
set ylabel "root mean square change"
set key off
set label 1 "√(ν/N)" at 30, 0.9 @LABEL2
set label 2 "geometric\nmean" at 15.6, 3.6e-6 @LABEL1
set label 3 "three draws" at 29, 7e-5 @LABEL6
plot data using 1:2 with lines linestyle 6 linewidth 1 dashtype solid, \
     data using 1:3 with lines linestyle 6 linewidth 1 dashtype solid, \
     data using 1:4 with lines linestyle 6 linewidth 1 dashtype solid, \
     data using 1:6 @ASYMPTOTE2, \
     data using 1:5 @THEORY1
unset label
set tmargin screen 0.35
set bmargin screen 0.12
set yrange [0.8:400]
set ytics ("1" 1, "10" 10, "100" 100, "256" 256)
set format x "%g"
set xlabel "sharpness α of softmax(αs)"
set ylabel "N = 1/Σp^2"
plot data using 1:7 @THEORY3
unset multiplot
