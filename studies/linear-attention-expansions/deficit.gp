# Entropy deficits. Block 0: sigma, exact, limit; 1: measured softmax; 2: linear attention against d.
width = 900
height = 440
load "style.gp"
set multiplot layout 1,2 margins 0.08,0.985,0.17,0.92 spacing 0.09
set title "softmax, L = 4096" @PANEL
set xrange [0:10]
set yrange [0:9]
set xlabel "standard deviation σ of the logits"
set ylabel "entropy deficit log L − H (nats)"
set key bottom right samplen 2
plot data index 0 using 1:2 @THEORY1 title "exact", \
     data index 0 using 1:3 @ASYMPTOTE2 title "σ^2/2, then log L", \
     data index 1 using 1:2:4 @MEASURED1 title "measured"
set title "linear attention, L = 1024" @PANEL
set logscale xy
set xrange [12:1400]
set yrange [2e-4:0.3]
set xtics ("16" 16, "64" 64, "256" 256, "1024" 1024)
set ytics ("0.0003" 3e-4, "0.001" 1e-3, "0.003" 3e-3, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1)
set xlabel "key size d"
set ylabel ""
set key top right
plot data index 2 using 1:6 @THEORY2 title "exp: c(1+c)/(2d)", \
     data index 2 using 1:5:7 @MEASURED2 title "exp, measured", \
     data index 2 using 1:3 @THEORY3 title "elu1: c(1+c)/(2d)", \
     data index 2 using 1:2:4 @MEASURED3 title "elu1, measured"
unset multiplot
