# Blocks: walk, midpoint, no Jacobian, Ito, gauged, Crank-Nicolson, energy on slices, corrected, Euler weak, strong,
# Milstein strong.
width = 820
height = 600
load "style.gp"
set lmargin at screen 0.115
set rmargin at screen 0.69
set logscale xy
set format x "10^{%L}"
set format y "10^{%L}"
set xrange [1e-3:0.4]
set yrange [1e-9:2]
set xlabel "step / whole time (walk: its root)"
set ylabel "relative error"
set key at screen 0.71, screen 0.94 left top reverse Left samplen 2.2 spacing 1.2 width 0
set label 1 "slope 1" at 1.3e-3, 4.5e-3 @NOTE
set label 2 "2" at 1.5e-3, 2e-7 @NOTE
set label 4 "4" at 1.15e-2, 1.6e-9 @NOTE
plot (x < 0.2 ? x : NaN) @REFERENCE, (x < 0.2 ? 0.03*x**2 : NaN) @REFERENCE, (x < 0.2 ? 0.03*x**4 : NaN) @REFERENCE, \
     data index 2 using 1:2 with linespoints linestyle 12 title "midpoint, no Jacobian", \
     data index 1 using 1:2 with linespoints linestyle 14 title "midpoint kernel", \
     data index 3 using 1:2 with linespoints linestyle 15 title "Ito kernel", \
     data index 4 using 1:2 with linespoints linestyle 11 title "gauged kernel", \
     data index 0 using 1:2 with linespoints linestyle 13 title "walk", \
     data index 5 using 1:2 with linespoints linestyle 16 title "Crank-Nicolson", \
     data index 6 using 1:2 with linespoints linestyle 11 pointtype 6 title "energy on slices", \
     data index 7 using 1:2 with linespoints linestyle 13 pointtype 8 title "Takahashi-Imada", \
     data index 9 using 1:2 with linespoints linestyle 12 pointtype 4 title "Euler, strong", \
     data index 8 using 1:2 with linespoints linestyle 14 pointtype 12 title "Euler, weak", \
     data index 10 using 1:2 with linespoints linestyle 15 pointtype 10 title "Milstein, strong"
