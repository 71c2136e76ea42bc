# Conditioned paths of the harmonic oscillator: block 0 curves and the mean, blocks 1.. the paths.
load "style.gp"
set xrange [0:3]
set yrange [-2.75:2.6]
set xlabel "time t"
set ylabel "position x"
set key off
set label "60 conditioned paths" at 1.02, 2.3 @NOTE
set label "mean of weighted bridges, on the path of x″ = +U′" at 0.52, -1.35 @LABEL1
set arrow from 1.2, -1.2 to 1.45, 0.15 linecolor rgb COLOUR1 linewidth 1 head size 0.04, 20
set label "x″ = −U′: V read as potential energy" at 0.52, -2.55 @LABEL2
plot for [i = 1:60] data index i using 1:2 with lines linewidth 0.6 linecolor rgb "#c4c4c4", \
     data index 0 using 1:3 @THEORY2, \
     data index 0 using 1:2 @THEORY1, \
     data index 0 every 3 using 1:4:5 @MEASURED1
