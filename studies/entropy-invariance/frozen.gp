load "style.gp"
set xrange [0.5:3]
set yrange [0:5]
set xlabel "α/α_c, α_c = √(2 log n)"
set ylabel "mean entropy [nat]"
set key top right
plot data using 1:2 @THEORY1 title "n = 10^3", \
     data using 1:3 @THEORY2 title "n = 10^6", \
     data using 1:4 @THEORY3 title "n = 10^{12}", \
     data using 1:5 @THEORY4 title "n = 10^{50}", \
     data using 1:6 @THEORY6 title "n = 10^{100}", \
     data using 1:7 with lines linestyle 40 linewidth 2 title "limit"
