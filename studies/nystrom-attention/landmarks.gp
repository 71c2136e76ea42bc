# Error against m. Blocks 0-3: correlation lengths 0, 8, 64, 512.
width = 980
height = 700
load "style.gp"
set multiplot layout 2,2 margins 0.08,0.985,0.1,0.955 spacing 0.085,0.12
set logscale xy
set xrange [7:300]
set xtics ("8" 8, "16" 16, "32" 32, "64" 64, "128" 128, "256" 256)
set key off
do for [panel = 0:3] {
    set title (panel == 0 ? "unrelated rows" : sprintf("correlation length ℓ = %s", word("0 8 64 512", panel + 1))) @PANEL
    set yrange [(panel < 2 ? 0.04 : panel == 2 ? 0.001 : 0.00005):(panel < 3 ? 60 : 3)]
    if (panel < 2) {
        set ytics ("0.1" 0.1, "1" 1, "10" 10)
    } else {
        set ytics ("0.0001" 0.0001, "0.001" 0.001, "0.01" 0.01, "0.1" 0.1, "1" 1, "10" 10)
    }
    set ylabel (panel % 2 ? "" : "relative error")
    set xlabel (panel < 2 ? "" : "landmarks m")
    if (panel == 3) {
        set label 1 "exact inverse" at 76, 0.023 @LABEL4
        set label 2 "FAVOR+ at equal cost" at 270, 1.8 right @LABEL6
        set label 3 "mean pooling" at 9, 0.68 @NOTE
        set label 4 "two softmaxes" at 270, 0.2 right @LABEL5
        set label 5 "six steps" at 270, 0.075 right @LABEL2
        set label 6 "best middle matrix" at 8.5, 0.0014 @LABEL3
        set label 7 "best of rank m" at 8.5, 0.0004 @LABEL1
    }
    plot data index panel using 1:2 with linespoints linestyle 11, \
         data index panel using 1:3 with linespoints linestyle 13 dashtype (12,4,2,4), \
         data index panel using 1:4 with linespoints linestyle 12 dashtype (12,4) linewidth 2, \
         data index panel using 1:5 with linespoints linestyle 14 dashtype (5,3), \
         data index panel using 1:6 with linespoints linestyle 15 dashtype (2,2), \
         data index panel using 1:7 with linespoints linestyle 16 dashtype (12,3,2,3,2,3), \
         data index panel using 1:8 @REFERENCE
}
unset multiplot
