# Table instance: a, P(optimum > a), standard error, xi E max/a, n; one index a length: 64, 1024 (and 16384, too few draws to be drawn).
load "style.gp"
set logscale xy
set xrange [1:110]
set yrange [0.02:1.3]
set xtics (1, 2, 5, 10, 20, 50, 100)
set ytics (0.02, 0.05, 0.1, 0.2, 0.5, 1)
set xlabel "a"
set ylabel "share of draws with their optimum above a"
set key bottom left
set label "ξ E max / a" at 22, 0.34 @NOTE
plot for [i=1:2] data index i-1 using 1:($4<1?$4:1/0) with lines linestyle 20+i notitle, \
     for [i=1:2] data index i-1 using 1:2:(3*$3) with yerrorbars linestyle 10+i title "n = ".word("64 1024", i)
