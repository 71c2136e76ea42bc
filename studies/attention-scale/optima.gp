# Table optima: index 0 n, annealed optimum, 0.84 sqrt(log n), sqrt(2 log n); index 1 n, measured, standard error.
load "style.gp"
set logscale x
set xrange [10:3e6]
set yrange [0.5:6.2]
set xtics ("10" 10, "100" 100, "1000" 1000, "10^4" 1e4, "10^5" 1e5, "10^6" 1e6)
set xlabel "number of tokens n"
set ylabel "inverse temperature α"
set key bottom right
set label "freezing, √(2 log n)" at 300, 4.1 right @LABEL1
set label "annealed optimum" at 2e4, 2.25 @LABEL2
set label "0.84 √(log n)" at 9e4, 3.45 right @LABEL5
plot data index 0 using 1:4 @THEORY1 notitle, data index 0 using 1:2 @THEORY2 notitle, \
     data index 0 using 1:3 @ASYMPTOTE5 notitle, \
     data index 1 using 1:2:(3*$3) @MEASURED3 title "largest geometric mean, measured (3 standard errors)"
