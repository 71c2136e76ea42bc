# Blocks 0, 1: d = 16, 64, lines; 2, 3: samples.
load "style.gp"
set xrange [0:2]
set yrange [-5:7.2]
set xlabel "κ / κ of freezing"
set ylabel "entropy of 1024 keys [nat]"
set key top right
set object 1 rectangle from graph 0, first -5 to graph 1, first 0 behind fillcolor rgb "#eeeeee" fillstyle solid noborder
set label 1 "impossible" at 0.08, -4.3 @NOTE
plot data index 0 using 1:2 @THEORY1 title "exact, d = 16", \
     data index 1 using 1:2 with lines linestyle 2 dashtype solid title "exact, d = 64", \
     data index 0 using 1:3 @ASYMPTOTE1 title "mean field, d = 16", \
     data index 1 using 1:3 @ASYMPTOTE2 title "mean field, d = 64", \
     data index 2 using 1:4:(4*$5) @MEASURED1, \
     data index 3 using 1:4:(4*$5) @MEASURED2
