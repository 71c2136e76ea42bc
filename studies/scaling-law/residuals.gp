width = 960
height = 440
load "style.gp"
set multiplot layout 1,2
set logscale x
set xrange [0.2:600]
set yrange [-0.09:0.1]
set xlabel "tokens per parameter D/N"
set ylabel "log loss above the curve"
set format x "%g"
set key bottom right
set object 1 rectangle from graph 0, first -0.0015 to graph 1, first 0.0015 fillcolor rgb "#dddddd" fillstyle solid noborder behind
set label "four more left out: above" at 2.5, 0.09 @NOTE
set title "constants of Hoffmann et al." @PANEL
plot 0 @REFERENCE notitle, \
     data index 0 using 1:2 @POINTS2 title "as printed", \
     data index 0 using 1:3 @POINTS1 title "digits of the TeX source", \
     data index 1 using 1:3 with points linestyle 11 pointtype 2 pointsize 1 title "left out of the fit"
set title "Huber fit" @PANEL
plot 0 @REFERENCE notitle, \
     data index 0 using 1:4 @POINTS3 title "240 points", \
     data index 1 using 1:4 with points linestyle 13 pointtype 2 pointsize 1 title "left out of the fit"
unset multiplot
