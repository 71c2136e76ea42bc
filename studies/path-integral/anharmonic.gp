load "style.gp"
set logscale x
set xrange [0.01:10]
set yrange [0.3:1.7]
set xlabel "coupling g"
set ylabel "ground energy"
set key off
set label 1 "1" at 1.36, 1.62 right @LABEL2
set label 2 "3" at 0.365, 1.62 right @LABEL2
set label 3 "5" at 0.19, 1.62 right @LABEL2
set label 4 "2" at 0.4, 0.35 right @LABEL2
set label 5 "4" at 0.185, 0.35 right @LABEL2
set label 6 "6" at 0.124, 0.35 right @LABEL2
set label 7 "partial sums of\norder 1 to 6" at 0.013, 0.86 @LABEL2
set label 8 "exact" at 4.6, 1.12 @LABEL1
set label 9 "best Gaussian" at 6.6, 1.47 right @LABEL5
set label 10 "Padé [3/3]" at 3.4, 0.83 @LABEL3
plot for [k=5:10] data using 1:k with lines linestyle 22, \
     data using 1:3 @THEORY3, \
     data using 1:4 @THEORY5, \
     data using 1:2 @THEORY1
