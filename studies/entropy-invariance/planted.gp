# Blocks 0: equal others, 1: Gaussian others; 2: samples.
width = 900
height = 430
load "style.gp"
set multiplot layout 1,2 margins 0.095,0.985,0.16,0.92 spacing 0.08
set logscale x 2
set xrange [16:65536]
set yrange [0:1]
set xtics ("16" 16, "128" 128, "1024" 1024, "8192" 8192, "65536" 65536)
set xlabel "keys n"
set ylabel "weight of the relevant key" offset 1,0
set key off
do for [p=0:1] {
    set title (p == 0 ? "the others equal" : "the others Gaussian") @PANEL
    if (p == 1) { set ylabel "" }
    if (p == 0) {
        set label 11 "gap 7" at 18, 0.553 @LABEL3
        set label 12 "gap 6" at 18, 0.43 @LABEL2
        set label 13 "gap 5" at 18, 0.30 @LABEL1
        set label 14 "solid: log n/log 512" at 50000, 0.95 right @NOTE
        set label 15 "dotted: fixed scale" at 50000, 0.89 right @NOTE
        plot data index 0 using 1:2 @ASYMPTOTE1, \
             data index 0 using 1:3 @ASYMPTOTE2, \
             data index 0 using 1:4 @ASYMPTOTE3, \
             data index 0 using 1:5 with lines linestyle 1 dashtype solid, \
             data index 0 using 1:6 with lines linestyle 2 dashtype solid, \
             data index 0 using 1:7 with lines linestyle 3 dashtype solid
    } else {
        unset label
        plot data index 1 using 1:2 @ASYMPTOTE1, \
             data index 1 using 1:3 @ASYMPTOTE2, \
             data index 1 using 1:4 @ASYMPTOTE3, \
             data index 1 using 1:5 with lines linestyle 1 dashtype solid, \
             data index 1 using 1:6 with lines linestyle 2 dashtype solid, \
             data index 1 using 1:7 with lines linestyle 3 dashtype solid, \
             data index 2 using 1:2:(4*$4) @MEASURED3, \
             data index 2 using 1:3:(4*$5) @MEASURED3
    }
}
unset multiplot
