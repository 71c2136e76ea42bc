# Output error against features; blocks d = 4, 16, 64. 1 features, 2 Taylor, 3 power, 4 Hermite, 5 FAVOR+, 6 its bar.
width = 960
height = 440
load "style.gp"
set multiplot layout 1,3 margins 0.095,0.985,0.17,0.92 spacing 0.035
set logscale xy
set yrange [0.01:10]
set ytics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3, "10" 10)
set xlabel "features"
set ylabel "output error" offset 1.2,0
array D[3] = [4, 16, 64]
array LOW[3] = [3, 10, 40]
array HIGH[3] = [800, 8000, 80000]
do for [p = 1:3] {
    set title sprintf("d = %d", D[p]) @PANEL
    set xrange [LOW[p]:HIGH[p]]
    if (p > 1) { set ylabel ""; set ytics ("" 0.01, "" 0.03, "" 0.1, "" 0.3, "" 1, "" 3, "" 10) }
    set arrow 1 from LOW[p], 1 to HIGH[p], 1 nohead linestyle 30
    if (p == 1) { set key bottom left } else { set key off }
    plot data index p-1 using 1:2 with linespoints linestyle 1 title "Taylor", \
         data index p-1 using 1:3 with linespoints linestyle 2 title "power", \
         data index p-1 using 1:4 with linespoints linestyle 3 title "Hermite", \
         data index p-1 using 1:5:6 @MEASURED4 title "FAVOR+"
}
unset multiplot
