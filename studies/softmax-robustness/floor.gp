# Blocks 0-2: n = 10, 100, 1000. 1 1/tau, 2 least entropy, 3 log n - D*, 4 share at the top, 5 its limit.
width = 900
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.085,0.985,0.16,0.92 spacing 0.14
set logscale x
set xrange [0.1:12]
set yrange [0:7.8]
set xtics ("0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3, "10" 10)
set xlabel "1/τ"
set ylabel "least entropy (nats)"
set title "entropy" @PANEL
set key off
set label 1 "n = 1000" at 0.12, 7.2 @LABEL3
set label 2 "n = 100" at 0.12, 4.9 @LABEL2
set label 3 "n = 10" at 0.12, 2.6 @LABEL1
plot data index 2 using 1:3 @ASYMPTOTE3, \
     data index 1 using 1:3 @ASYMPTOTE2, \
     data index 0 using 1:3 @ASYMPTOTE1, \
     data index 2 using 1:2 @THEORY3, \
     data index 1 using 1:2 @THEORY2, \
     data index 0 using 1:2 @THEORY1
set logscale y
set xrange [0.1:30]
set yrange [0.0007:0.8]
set ytics ("0.001" 0.001, "0.01" 0.01, "0.1" 0.1, "0.5" 0.5)
set ylabel "share of scores at the top"
set title "where it is attained" @PANEL
set label 1 "n = 1000" at 5.5, 0.00135 @LABEL3
set label 2 "n = 100" at 5.5, 0.0132 @LABEL2
set label 3 "n = 10" at 5.5, 0.132 @LABEL1
set label 4 "infinitely many" at 0.55, 0.0016 @NOTE
plot data index 0 using 1:5 @REFERENCE, \
     data index 2 using 1:4 @THEORY3, \
     data index 1 using 1:4 @THEORY2, \
     data index 0 using 1:4 @THEORY1
unset multiplot
