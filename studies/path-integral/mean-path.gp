# Conditioned paths of the harmonic oscillator: block 0 curves and the mean, blocks 1.. the paths.
load "style.gp"
set xrange [0:3]
set yrange [-3:2.6]
set xlabel "time t"
set ylabel "position x"
set key off
set label "60 conditioned paths" at 0.06, 2.3 @NOTE
set label "mean of weighted bridges, on the path of x″ = +U′" at 0.98, 2.3 @LABEL1
set arrow from 1.62, 2.12 to 1.5, 0.42 front linecolor rgb COLOUR1 linewidth 1.4 head size 0.04, 20 filled
set label "x″ = −U′: V read as potential energy" at 0.75, -2.72 @LABEL2
plot for [i = 1:60] data index i using 1:2 with lines linewidth 0.6 linecolor rgb "#c4c4c4", \
     data index 0 using 1:3 @THEORY2, \
     data index 0 using 1:2 @THEORY1, \
     data index 0 every 3 using 1:4:5 @MEASURED1
