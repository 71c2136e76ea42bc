# n S, n N with six steps, n N with the exact inverse, over (key, query).
width = 1080
height = 410
load "style.gp"
set multiplot layout 1,3 margins 0.075,0.9,0.17,0.92 spacing 0.025
unset grid
unset key
set size square
set xrange [-0.5:47.5]
set yrange [47.5:-0.5]
set xtics 0, 12, 48
set ytics 0, 12, 48
set xlabel "key"
set palette defined (-6 "#0072B2", 0 "#ffffff", 6 "#D55E00")
set cbrange [-6:6]
set cbtics -6, 3, 6
do for [panel = 0:2] {
    set title (panel == 0 ? "exact attention S" : panel == 1 ? "N, six steps" : "N, exact inverse") @PANEL
    set ylabel (panel ? "" : "query")
    if (panel) { set format y "" }
    if (panel == 2) {
        set colorbox user origin 0.925, 0.2 size 0.014, 0.6
        set label 1 "n × entry" at screen 0.91, screen 0.86 @NOTE
    } else {
        unset colorbox
    }
    plot data using 1:2:(column(3 + panel)) with image
}
unset multiplot
