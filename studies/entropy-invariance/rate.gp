# Block 0: lines; 1: D/d at d = 16, 64; 2: markers.
load "style.gp"
set logscale xy
set xrange [0.02:20]
set yrange [1.5e-4:5]
set format y "10^{%L}"
set xlabel "λ = κ/d"
set ylabel "loss of entropy per dimension"
set key top left
set label 1 "λ²/2" at 3.1, 3.2 @LABEL3
set label 2 "½ log λ" at 2.1, 0.27 @LABEL4
set label 3 "0.24 λ" at 0.024, 0.0145 @LABEL2
set label 4 "usual scale, d = 64" at 0.14, 0.0045 @NOTE
set label 5 "λ = 1 and tangent" at 1.04, 0.125 @NOTE
plot data index 0 using 1:5 @THEORY2, \
     data index 0 using 1:3 @ASYMPTOTE3, \
     data index 0 using 1:4 @ASYMPTOTE4, \
     data index 0 using 1:2 @THEORY1 title "limit of large d", \
     data index 1 using 1:6 with points linestyle 16 pointtype 6 pointsize 1.4 title "d = 16", \
     data index 1 using 1:7 @POINTS5 title "d = 64", \
     data index 2 using 1:2 with points linestyle 30 pointtype 6 pointsize 1.6 linewidth 2 linecolor rgb INK
