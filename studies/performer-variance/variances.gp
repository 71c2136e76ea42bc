# Relative variance of one feature at N = 2 and 8: blocks 0, 1 exact; 2, 3 measurements.
width = 900
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.1,0.985,0.16,0.92 spacing 0.09
set logscale y
set format y "10^{%L}"
set xlabel "s = q·k"
set ylabel "relative variance of one feature"
set key off
do for [p=0:1] {
    N = p == 0 ? 2 : 8
    set title sprintf("N = |q|^2 + |k|^2 = %d", N) @PANEL
    set xrange [-N/2.0:N/2.0]
    set yrange [p == 0 ? 0.01 : 1e-4 : p == 0 ? 300 : 1e9]
    if (p == 1) { set ylabel "" }
    set label 1 "trigonometric" at -0.32*N, (p == 0 ? 60 : 2e7) @LABEL1
    set label 2 "positive" at 0.14*N, (p == 0 ? 40 : 1e7) @LABEL2
    set label 3 "hyperbolic" at (p == 0 ? -0.32*N : -0.37*N), (p == 0 ? 0.25 : 0.4) @LABEL3
    set label 4 "crossover" at -0.02*N, (p == 0 ? 0.016 : 3e-4) right @NOTE
    plot data index p using 1:3 @THEORY1, \
         data index p using 1:4 @THEORY2, \
         data index p using 1:5 @THEORY3, \
         data index p using 6:3 every ::0::0 with impulses linestyle 30, \
         data index 2+p using 1:3:(4*$6) @MEASURED1, \
         data index 2+p using 1:4:(4*$7) @MEASURED2, \
         data index 2+p using 1:5:(4*$8) @MEASURED3
}
unset multiplot
