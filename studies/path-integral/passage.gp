# Survival below a barrier against the number of times at which a path is looked at. Blocks: 0 shifted barrier, 1
# simulation, 2 composed kernels, 3 the walk.
load "style.gp"
set logscale x 2
set xrange [4:1024]
set yrange [0.59:0.74]
set xtics ("4" 4, "8" 8, "16" 16, "32" 32, "64" 64, "128" 128, "256" 256, "512" 512, "1024" 1024)
set xlabel "steps n"
set ylabel "probability of survival"
set key off
set label "exact" at 4.25, 0.621 @LABEL1
set label "looked at on n times" at 10.5, 0.7085 @LABEL2
set label "barrier raised by 0.5826 (αh)^{1/2}" at 17, 0.692 @LABEL2
set label "with the bridge correction" at 38, 0.6275 @LABEL3
set label "walk absorbed on a site" at 74, 0.608 @LABEL4
plot data index 0 using 1:2 @ASYMPTOTE2, \
     data index 0 using 1:6 @THEORY1, \
     data index 2 using 1:2 with points linestyle 12 pointtype 6 pointsize 1.4, \
     data index 1 using 1:2:3 @MEASURED2, \
     data index 1 using 1:4:5 @MEASURED3, \
     data index 3 using 1:2 @POINTS4
