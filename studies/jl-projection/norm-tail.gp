# Two-sided tail of ||Au||^2 at eps = 0.3 and 0.5: blocks 0, 1 curves; 2, 3 measurements.
width = 860
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.1,0.985,0.16,0.92 spacing 0.06
set logscale x 2
set xrange [1:4096]
set yrange [-14:0.6]
set xtics ("1" 1, "4" 4, "16" 16, "64" 64, "256" 256, "1024" 1024)
set xlabel "dimensions n"
set ylabel "log_{10} P(|‖Au‖^2 − 1| ≥ ε)"
set key off
do for [panel = 0:1] {
    set title sprintf("ε = %s", panel ? "0.5" : "0.3") @PANEL
    if (panel) { set ylabel "" }
    set label 1 "textbook 2 exp(−nε^2/8)" at (panel ? 1.3 : 1.3), -9.6 @LABEL3
    set label 2 "Chernoff pair" at 1.3, -10.8 @LABEL4
    set label 3 "exact χ^2 law, and measured" at 1.3, -12 @LABEL1
    set label 4 "wrong: 2 exp(−nε^2/4)" at 1.3, -13.2 @LABEL2
    plot data index panel using 1:4 @THEORY3, \
         data index panel using 1:3 @THEORY4, \
         data index panel using 1:5 @THEORY2, \
         data index panel using 1:2 @THEORY1, \
         data index panel+2 using 1:2:3:4 @MEASURED1
}
unset multiplot
