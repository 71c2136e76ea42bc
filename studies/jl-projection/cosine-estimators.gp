# Mean of the sign cosine; n Var of three estimators. Block 0: laws, 1: measurements (n = 64).
width = 860
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.105,0.98,0.16,0.92 spacing 0.1
set key off
set xrange [0:1]
set xlabel "cosine ρ of the vectors"
set yrange [0:1]
set ylabel "mean cosine of the sign vectors"
set title "sign hashing is biased" @PANEL
set label 1 "published: ρ" at 0.37, 0.46 right @NOTE
set label 2 "(2/π) arcsin ρ" at 0.52, 0.3 @LABEL2
plot data index 0 using 1:1 @REFERENCE, \
     data index 0 using 1:2 @THEORY2, \
     data index 1 using 1:2 @POINTS2
unset label
set title "n × variance, n = 64" @PANEL
set ylabel ""
set logscale y
set format y "10^{%L}"
set yrange [1e-3:4]
set label 1 "inner product" at 0.66, 2.6 @LABEL3
set label 2 "SimHash cos(πK/n)" at 0.02, 3.1 @LABEL2
set label 3 "cosine of the projections" at 0.06, 0.3 @LABEL1
set label 4 "dotted: asymptotic" at 0.2, 0.0016 @NOTE
plot data index 0 using 1:3 @THEORY3, \
     data index 0 using 1:5 @THEORY2, \
     data index 0 using 1:7 @ASYMPTOTE2, \
     data index 0 using 1:4 @THEORY1, \
     data index 0 using 1:6 @ASYMPTOTE1, \
     data index 1 using 1:3:8 @MEASURED3, \
     data index 1 using 1:4:6 @MEASURED1, \
     data index 1 using 1:5:7 @MEASURED2
unset multiplot
