# Table peak: index 0 alpha, then F and the annealed formula for n = 64, 1024, 65536; index 1 marks; index 2 samples.
height = 480
load "style.gp"
set logscale x
set xrange [0.2:62]
set yrange [0:4.6]
set xtics (0.2, 0.5, 1, 2, 5, 10, 20, 40)
set xlabel "inverse temperature α"
set ylabel "mean trace of the Jacobian, F"
set key bottom right
set label "E max, n = 65536" at 0.23, 4.36 @LABEL3
set label "E max, n = 1024" at 0.23, 3.33 @LABEL2
set label "E max, n = 64" at 0.23, 2.43 @LABEL1
set label "65536" at 42, 4.16 @LABEL3
set label "1024" at 42, 3.12 @LABEL2
set label "64" at 42, 2.2 @LABEL1
plot for [i=1:3] data index 0 using 1:2*i with lines linestyle i notitle, \
     for [i=1:3] data index 0 using 1:2*i+1 with lines linestyle 20+i notitle, \
     for [i=1:3] data index 1 using (0.22):($0==i-1?$6:1/0):(39.7):(0) with vectors nohead linestyle 30 notitle, \
     for [i=1:3] data index 2 using 1:2*i:(3*column(2*i+1)) with yerrorbars linestyle 10+i notitle, \
     data index 1 using 2:3 with points pointtype 6 pointsize 1.6 linewidth 1.6 linecolor rgb INK title "annealed optimum", \
     data index 1 using 4:5 with points pointtype 4 pointsize 1.5 linewidth 1.6 linecolor rgb INK title "freezing, √(2 log n)", \
     1/0 @THEORY1 title "exact mean", 1/0 @ASYMPTOTE1 title "annealed"
