# Block 0: theory (columns 2-6 tasks, 7 composite, 8 mean loss). Block 1: shares of runs, standard errors in 9-14.
width = 760
height = 590
load "style.gp"
set multiplot
set logscale x
set xrange [10:100000]
set format x "10^{%L}"
set key off
set lmargin at screen 0.13
set rmargin at screen 0.97
set tmargin at screen 0.975
set bmargin at screen 0.46
set yrange [0:1.08]
set ylabel "probability of being learned"
set xlabel ""
set label 1 "task 2" at 30, 0.62 right @LABEL1
set label 2 "4" at 113, 0.62 right @LABEL2
set label 3 "8" at 450, 0.62 right @LABEL3
set label 4 "16" at 1800, 0.62 right @LABEL4
set label 5 "32" at 7300, 0.62 right @LABEL5
set label 6 "25 to 32\nall together" at 15000, 0.5 @NOTE
plot data index 0 using 1:7 with lines linewidth 2 linecolor rgb INK, \
     data index 0 using 1:2 @THEORY1, data index 0 using 1:3 @THEORY2, data index 0 using 1:4 @THEORY3, \
     data index 0 using 1:5 @THEORY4, data index 0 using 1:6 @THEORY5, \
     data index 1 using 1:7:(4*$14) with yerrorbars pointtype 7 pointsize 0.7 linecolor rgb INK, \
     data index 1 using 1:2:(4*$9) @MEASURED1, data index 1 using 1:3:(4*$10) @MEASURED2, \
     data index 1 using 1:4:(4*$11) @MEASURED3, data index 1 using 1:5:(4*$12) @MEASURED4, \
     data index 1 using 1:6:(4*$13) @MEASURED5
do for [i=1:6] { unset label i }
set tmargin at screen 0.39
set bmargin at screen 0.13
set logscale y
set yrange [0.004:0.7]
set format y "%g"
set xlabel "samples D"
set ylabel "mean loss"
plot data index 0 using 1:8 @THEORY1
unset multiplot
