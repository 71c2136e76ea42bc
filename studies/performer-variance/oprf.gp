# log of the relative second moment over t.
load "style.gp"
set xrange [0:40]
set yrange [0:32]
set xlabel "t = |q + k|^2"
set ylabel "ln of the relative second moment"
set key top left
plot data using 1:2 @THEORY1 title "A = 0 (FAVOR+)", \
     data using 1:5 @THEORY4 title "optimal, d = 64", \
     data using 1:4 @THEORY3 title "optimal, d = 16", \
     data using 1:3 @THEORY2 title "optimal, d = 4", \
     data using 1:6 @ASYMPTOTE2 title "(d/2) ln(et/2d), d = 4"
