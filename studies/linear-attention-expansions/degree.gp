# Relative error sup against degree; blocks R = 1, 4, 8. 1 n, 2 Taylor, 3 power, 4 Richardson, 5 shifted, 6 Chebyshev, 7 minimax.
width = 960
height = 500
load "style.gp"
set multiplot layout 1,3 margins 0.105,0.985,0.15,0.93 spacing 0.035
set logscale y
set xrange [0:40]
set yrange [1e-10:1e4]
set format y "10^{%T}"
set xlabel "degree n"
set ylabel "largest relative error" offset 1.2,0
array R[3] = [1, 4, 8]
do for [p = 1:3] {
    set title sprintf("R = %d", R[p]) @PANEL
    if (p > 1) { set ylabel ""; set format y "" }
    unset arrow
    set arrow 1 from R[p], 0.2 to R[p], 5 nohead linestyle 6
    set arrow 2 from 2*R[p], 0.2 to 2*R[p], 5 nohead linestyle 4
    set arrow 3 from 2.2334*R[p], 0.2 to 2.2334*R[p], 5 nohead linestyle 5
    set arrow 4 from 3.5911*R[p], 0.2 to 3.5911*R[p], 5 nohead linestyle 1
    set arrow 5 from 0, 1 to 40, 1 nohead linestyle 30
    if (p == 3) { set key bottom left } else { set key off }
    plot data index p-1 using 1:2 with linespoints linestyle 1 pointsize 0.35 title "Taylor", \
         data index p-1 using 1:3 with linespoints linestyle 2 pointsize 0.35 title "power", \
         data index p-1 using ($4 == $4 ? $1 : NaN):4 with points linestyle 13 pointsize 0.6 title "Richardson", \
         data index p-1 using 1:5 with linespoints linestyle 4 pointsize 0.35 title "shifted", \
         data index p-1 using 1:6 with linespoints linestyle 5 pointsize 0.35 title "Chebyshev", \
         data index p-1 using 1:7 with linespoints linestyle 6 pointsize 0.35 title "minimax"
}
unset multiplot
