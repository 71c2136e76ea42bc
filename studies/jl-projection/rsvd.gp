# Relative Frobenius errors of rank-k approximations. Block 0: laws; 1: measurements.
width = 720
height = 460
load "style.gp"
set logscale y
set xrange [0:200]
set yrange [0.03:10]
set ytics ("0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3, "10" 10)
set xlabel "columns k of the sketch (n = 200)"
set ylabel "relative error ‖M − approximation‖ / ‖M‖"
set key off
set arrow 1 from 0, 1 to 200, 1 nohead linestyle 30
set label 1 "approximating by 0" at 198, 1.0 right offset 0,-0.6 @NOTE
set label 2 "published MQQᵀ: √((n+1)/k)" at 42, 2.9 @LABEL2
set label 3 "Q orthonormalized: √(1 − k/n)" at 95, 0.78 @LABEL5
set label 4 "bound of Halko et al." at 78, 0.31 @LABEL4
set label 5 "range finder, q = 0" at 118, 0.135 @LABEL1
set label 6 "q = 1" at 83, 0.075 right @LABEL3
set label 7 "optimal" at 128, 0.046 right @NOTE
plot data index 0 using 1:2 @THEORY2, \
     data index 0 using 1:3 @THEORY5, \
     data index 0 using 1:5 @THEORY4, \
     data index 0 using 1:4 with lines linestyle 40 linewidth 1.5, \
     data index 1 using 1:2:6 @MEASURED2, \
     data index 1 using 1:3:7 @MEASURED5, \
     data index 1 using 1:4:8 @MEASURED1, \
     data index 1 using 1:5:9 @MEASURED3
