# Blocks 0 to 3: 64, 256, 1024, 4096 steps; 4: the exact density on a mesh of its own.
width = 720
height = 640
load "style.gp"
set multiplot layout 2,1 margins 0.13,0.97,0.11,0.94 spacing 0.12
set xrange [-2:2]
set yrange [0:0.75]
set ylabel "density"
set title "probability over twice the space step" @PANEL
set key top left at graph 0.03, graph 0.95
plot data index 4 using 1:3 @THEORY1 title "exact density", \
     data index 0 using 1:2 @POINTS2 title "64 steps", \
     data index 1 using 1:2 @POINTS3 title "256 steps"
set yrange [-0.55:0.85]
set xlabel "x"
set ylabel "n x error / peak"
set title "the error times the number of steps" @PANEL
set key at graph 0.03, graph 0.97 top left maxrows 2
plot 0 @REFERENCE, \
     data index 3 using 1:4 @THEORY1 title "4096 steps", \
     data index 0 using 1:4 @POINTS2 title "64 steps", \
     data index 1 using 1:4 @POINTS3 title "256 steps", \
     data index 2 using 1:4 @POINTS4 title "1024 steps"
unset multiplot
