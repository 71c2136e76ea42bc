# Fashion-MNIST. Blocks 0: laws of the distortion of pairs; 1-3: measured, Gaussian, Haar, SRHT; 4, 5: recall (model,
# measured); 6, 7: sketches.
width = 1080
height = 430
load "style.gp"
set multiplot layout 1,3 margins 0.085,0.975,0.16,0.92 spacing 0.085
set key off
set title "pairs of 2,000 images, n = 265" @PANEL
set logscale y
set format y "10^{%L}"
set xrange [0:0.52]
set yrange [1e-8:1.5]
set xtics 0, 0.1, 0.4
set xlabel "ε"
set ylabel "fraction off by more than ε"
set label 1 "Gaussian: χ^2 law" at 0.25, 0.1 @LABEL1
set label 2 "Haar: Beta law" at 0.012, 1e-6 @LABEL2
set label 3 "SRHT, measured" at 0.012, 1.5e-7 @LABEL3
# a range that begins at 0 reaches the axis; the three are set apart a little
floor_of(low) = low > 0 ? low : 1e-9
plot data index 0 using 1:2 @THEORY1, \
     data index 0 using 1:3 @THEORY2, \
     data index 1 using 1:2:(floor_of($3)):4 @MEASURED1, \
     data index 2 using ($1-0.006):2:(floor_of($3)):4 @MEASURED2, \
     data index 3 using ($1+0.006):2:(floor_of($3)):4 @MEASURED3
unset label
set title "ten nearest of 2,000 images" @PANEL
unset logscale y
set format y "%g"
set logscale x 2
set xrange [12:340]
set xtics ("16" 16, "32" 32, "64" 64, "128" 128, "256" 256)
set yrange [0:1]
set xlabel "dimensions or bits n"
set ylabel "recall of the ten nearest"
set label 1 "Gaussian" at 60, 0.52 @LABEL1
set label 2 "SimHash" at 90, 0.3 @LABEL2
set label 3 "SRHT" at 150, 0.86 right @LABEL3
set label 4 "lines: model from pairwise laws" at 14, 0.95 @NOTE
plot data index 4 using 1:2 @THEORY1, \
     data index 4 using 1:3 @THEORY2, \
     data index 4 using 1:4 @THEORY3, \
     data index 5 using 1:2:3 @MEASURED1, \
     data index 5 using 1:4:5 @MEASURED2, \
     data index 5 using 1:6:7 @MEASURED3
unset label
set title "sketches of 60,000 × 784" @PANEL
set logscale y
unset logscale x
set xrange [0:200]
set xtics 0, 50, 200
set yrange [0.1:1.5]
set ytics ("0.1" 0.1, "0.2" 0.2, "0.3" 0.3, "0.5" 0.5, "1" 1)
set xlabel "columns of the sketch"
set ylabel "relative error"
set label 1 "MQQᵀ, Q orthonormalized" at 40, 1.12 @LABEL5
set label 2 "bound" at 70, 0.5 @LABEL4
set label 3 "q = 0" at 86, 0.29 @LABEL1
set label 4 "q = 1" at 87, 0.225 @LABEL3
set label 5 "optimal" at 90, 0.16 right @NOTE
plot data index 6 using 1:4 @THEORY5, \
     data index 6 using 1:3 @THEORY4, \
     data index 6 using 1:2 with lines linestyle 40 linewidth 1.5, \
     data index 7 using 1:6:7 @MEASURED5, \
     data index 7 using 1:2:3 @MEASURED1, \
     data index 7 using 1:4:5 @MEASURED3
unset multiplot
