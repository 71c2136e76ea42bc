# Blocks 0, 1: d = 16, 64.
width = 900
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.09,0.985,0.16,0.92 spacing 0.08
set logscale x 2
set xrange [64:1048576]
set yrange [1:12]
set ytics (1, 2, 4, 6, 8, 10, 12)
set xtics ("64" 64, "512" 512, "4096" 4096, "32768" 32768, "2^{18}" 262144)
set xlabel "keys n"
set ylabel "scale / usual scale" offset 1,0
set key top left
do for [p=0:1] {
    set title (p == 0 ? "d = 16" : "d = 64") @PANEL
    if (p == 1) { set ylabel "" }
    plot data index p using 1:2 @THEORY1 title "exact", \
         data index p using 1:3 @THEORY3 title "mean field", \
         data index p using 1:4 @THEORY5 title "√(1 + 2 log(n/64))", \
         data index p using 1:5 @THEORY2 title "log n/log 64"
}
unset multiplot
