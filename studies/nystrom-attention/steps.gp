# Error against the number of steps, m = 64. Blocks 0-3: correlation lengths 0, 8, 64, 512.
width = 980
height = 640
load "style.gp"
set multiplot layout 2,2 margins 0.08,0.985,0.11,0.945 spacing 0.075,0.12
set logscale y
set xrange [0:26.5]
set xtics 0, 6, 24
set key off
do for [panel = 0:3] {
    unset label
    set title (panel == 0 ? "unrelated rows" : sprintf("correlation length ℓ = %s", word("0 8 64 512", panel + 1))) @PANEL
    set yrange [(panel < 2 ? 0.3 : panel == 2 ? 0.05 : 0.002):(panel < 2 ? 60 : panel == 2 ? 3 : 1)]
    if (panel < 2) {
        set ytics ("0.3" 0.3, "1" 1, "3" 3, "10" 10, "30" 30)
    } else {
        set ytics ("0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3, "10" 10)
    }
    set ylabel (panel % 2 ? "" : "relative error")
    set xlabel (panel < 2 ? "" : "steps of the iteration")
    if (panel == 0) {
        set label 1 "exact inverse (median)" at 1, 8.2 @LABEL2
        set label 2 "best Tikhonov inverse" at 25, 0.62 right @LABEL3
        set label 3 "after k steps" at 1, 1.3 @LABEL1
    }
    if (panel < 2) { set arrow 1 from 6, 0.3 to 6, 60 nohead linestyle 30 } else {
        if (panel == 2) { set arrow 1 from 6, 0.05 to 6, 3 nohead linestyle 30 } else { set arrow 1 from 6, 0.002 to 6, 1 nohead linestyle 30 }
    }
    plot data index panel using 1:3:4 with filledcurves linecolor rgb "#cfe3f1" notitle, \
         data index panel using 1:6 @THEORY2, \
         data index panel using 1:5 @THEORY3, \
         data index panel using 1:2 with linespoints linestyle 11
}
unset multiplot
