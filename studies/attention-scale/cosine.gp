# Table cosine: n, alpha*/sqrt(d) for seven dimensions, the Gaussian limit, 3.5 log n/sqrt(128).
height = 480
load "style.gp"
set logscale x
set xrange [10:7e6]
set yrange [0.5:9]
set xtics ("10" 10, "100" 100, "1000" 1000, "10^4" 1e4, "10^5" 1e5, "10^6" 1e6)
set xlabel "number of tokens n"
set ylabel "annealed optimum α* / √d"
set key top left
set label "d = 32" at 1.08e6, 6.3 @LABEL2
set label "64" at 1.08e6, 4.6 @LABEL3
set label "128" at 1.08e6, 3.95 @LABEL4
set label "256 … 1024" at 1.08e6, 3.4 @NOTE
set label "d = 16" at 6e4, 8.3 right @LABEL1
plot data using 1:2 @THEORY1 notitle, data using 1:3 @THEORY2 notitle, data using 1:4 @THEORY3 notitle, \
     data using 1:5 @THEORY4 notitle, data using 1:6 @THEORY5 notitle, data using 1:7 @THEORY6 notitle, \
     data using 1:8 @THEORY1 notitle, data using 1:9 with lines linestyle 30 linewidth 2 title "Gaussian limit, d → ∞", \
     data using 1:10 @ASYMPTOTE4 title "3.5 log n / √128"
