# Relative Frobenius errors of rank-k approximations. Block 0: laws; 1: measurements.
width = 720
height = 460
load "style.gp"
set logscale y
set xrange [0:200]
set yrange [0.02:10]
set ytics ("0.02" 0.02, "0.05" 0.05, "0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3, "10" 10)
set xlabel "columns k of the sketch (n = 200)"
set ylabel "relative error ‖M − approximation‖ / ‖M‖"
set key off
set arrow 1 from 0, 1 to 200, 1 nohead linestyle 30
set label 1 "approximating by 0" at 60, 1.12 @NOTE
set label 2 "published MQQᵀ: √((n+1)/k)" at 42, 2.9 @LABEL2
set label 3 "Q orthonormalized: √(1 − k/n)" at 24, 0.58 @LABEL5
set label 4 "bound of Halko et al." at 36, 0.3 @LABEL4
set label 5 "q = 0" at 124, 0.078 @LABEL1
set label 6 "q = 1" at 124, 0.054 @LABEL3
set label 7 "optimal" at 100, 0.045 right @NOTE
plot data index 0 using 1:2 @THEORY2, \
     data index 0 using 1:3 @THEORY5, \
     data index 0 using 1:5 @THEORY4, \
     data index 0 using 1:4 with lines linestyle 40 linewidth 1.5, \
     data index 1 using 1:2:6 @MEASURED2, \
     data index 1 using 1:3:7 @MEASURED5, \
     data index 1 using 1:4:8 @MEASURED1, \
     data index 1 using 1:5:9 @MEASURED3
