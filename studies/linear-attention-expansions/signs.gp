# Approximants of e^x: 1 x, 2 e^x, 3..7 T_1..T_5, 8 E_3, 9 E_4.
width = 760
height = 480
load "style.gp"
# linear near zero, logarithmic away from it
f(y) = asinh(10*y)
set xrange [-6:3]
set yrange [f(-30):f(30)]
set ytics ("−30" f(-30), "−10" f(-10), "−3" f(-3), "−1" f(-1), "−0.3" f(-0.3), "0" 0, "0.3" f(0.3), "1" f(1), "3" f(3), "10" f(10), "30" f(30))
set xlabel "x"
set ylabel "value (asinh scale)"
set key bottom right
plot data using 1:(f($2)) with lines linestyle 40 linewidth 2.5 title "e^x", \
     data using 1:(f($3)) @THEORY1 title "T_1", \
     data using 1:(f($4)) @THEORY2 title "T_2", \
     data using 1:(f($5)) @THEORY3 title "T_3", \
     data using 1:(f($6)) @THEORY4 title "T_4", \
     data using 1:(f($7)) @THEORY5 title "T_5", \
     data using 1:(f($8)) @THEORY6 title "E_3", \
     data using 1:(f($9)) @ASYMPTOTE1 title "E_4"
