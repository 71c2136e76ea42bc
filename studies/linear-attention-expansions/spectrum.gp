# Singular values. 1 index, 2 QK^T, 3 softmax, 4 elu1, 5 causal elu1, 6 block of causal softmax, 7 block of causal elu1.
width = 760
height = 480
load "style.gp"
set logscale y
set xrange [0:256]
set yrange [1e-18:3]
set format y "10^{%T}"
set xtics 0, 32, 256
set xlabel "index"
set ylabel "singular value / largest"
set key at 250, 1e-8 top right
plot data using 1:2 with linespoints linestyle 1 pointsize 0.4 title "QK^T", \
     data using 1:3 @THEORY2 title "softmax", \
     data using 1:4 with linespoints linestyle 3 pointsize 0.4 title "elu1, linear", \
     data using 1:5 @THEORY4 title "elu1, causal", \
     data using 1:6 @THEORY5 title "past block, causal softmax", \
     data using 1:7 with linespoints linestyle 6 pointsize 0.4 title "past block, causal elu1"
