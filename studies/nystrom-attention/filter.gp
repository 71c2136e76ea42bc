# Block 0: filters; block 1: the y of landmark matrices, one column a correlation length.
width = 860
height = 560
load "style.gp"
set multiplot
set logscale x
set xrange [1e-8:1]
set lmargin screen 0.118
set rmargin screen 0.975
set tmargin screen 0.97
set bmargin screen 0.36
set yrange [0:1.05]
set ytics 0, 0.25, 1
set xtics format ""
set ylabel "g_k(y)"
set key off
set label 1 "k = 12" at 4.5e-7, 0.62 right @LABEL4
set label 3 "k = 3" at 2.3e-2, 0.43 left @LABEL3
set label 4 "k = 1" at 1.6e-1, 0.52 right @LABEL1
set label 5 "with 24 products:" at 9e-5, 0.86 right @NOTE
set label 6 "hyperpower, k = 8" at 9e-5, 0.76 right @LABEL6
set label 7 "Newton, k = 12" at 9e-5, 0.66 right @LABEL5
set label 8 "published, k = 6" at 9e-5, 0.56 right @LABEL2
plot data index 0 using 1:2 @THEORY1, \
     data index 0 using 1:3 @THEORY3, \
     data index 0 using 1:5 @THEORY4, \
     data index 0 using 1:6 with lines linestyle 5 dashtype (12,5), \
     data index 0 using 1:7 with lines linestyle 6 dashtype (3,3), \
     data index 0 using 1:4 with lines linestyle 2 dashtype solid linewidth 2.5
unset label
set tmargin screen 0.34
set bmargin screen 0.135
set xtics format "10^{%L}"
set xlabel "y, the eigenvalue of A Z_0"
set ylabel ""
set yrange [0.4:4.6]
unset grid
set ytics ("ℓ = 0" 4, "8" 3, "64" 2, "512" 1)
set arrow 1 from 5.9317e-4, 0.4 to 5.9317e-4, 4.6 nohead linestyle 30
plot data index 1 using 2:(4) @POINTS1, \
     data index 1 using 3:(3) @POINTS2, \
     data index 1 using 4:(2) @POINTS3, \
     data index 1 using 5:(1) @POINTS4
unset multiplot
