# Entropies against n/log N. Blocks 0-2: laws for N = 300, 1000, 2000; 3-5: measurements.
width = 860
height = 450
load "style.gp"
set multiplot layout 1,2 margins 0.085,0.98,0.15,0.92 spacing 0.07
set xrange [0:12]
set xtics 0, 2, 12
set xlabel "n / log N"
sizes = "300 1000 2000"
do for [panel = 0:1] {
    unset label
    unset arrow
    threshold = panel ? 2/0.4812118250596 : 4/0.4812118250596
    set title (panel ? "one row: softmax over N" : "all pairs: softmax over N^2") @PANEL
    set ylabel (panel ? "" : "entropy [nat]")
    if (panel) { set yrange [-4:8] } else { set yrange [-5:15.5] }
    set arrow 1 from threshold, graph 0 to threshold, graph 1 nohead linestyle 30
    set arrow 2 from 0, 0 to 12, 0 nohead linestyle 40
    set label 1 sprintf("%.3f", threshold) at threshold, graph 0.05 right offset -0.5,0 @NOTE
    set label 2 "annealed: dashed" at (panel ? 7.2 : 0.4), (panel ? -2.6 : -2.5) @NOTE
    set label 3 "random energies: solid" at (panel ? 4.6 : 0.4), (panel ? 2.7 : 1) @NOTE
    set key at graph 0.99, graph 0.98
    plot data index 0 using 1:(column(panel ? 5 : 4)) with lines linestyle 1 linewidth 1.2 dashtype (16,10) notitle, \
         data index 1 using 1:(column(panel ? 5 : 4)) with lines linestyle 2 linewidth 1.2 dashtype (16,10) notitle, \
         data index 2 using 1:(column(panel ? 5 : 4)) with lines linestyle 3 linewidth 1.2 dashtype (16,10) notitle, \
         data index 0 using 1:(column(panel ? 3 : 2)) with lines linestyle 1 dashtype solid notitle, \
         data index 1 using 1:(column(panel ? 3 : 2)) with lines linestyle 2 dashtype solid notitle, \
         data index 2 using 1:(column(panel ? 3 : 2)) with lines linestyle 3 dashtype solid notitle, \
         data index 3 using 1:(column(panel ? 3 : 2)):(column(panel ? 7 : 6)) @MEASURED1 title "N = 300", \
         data index 4 using 1:(column(panel ? 3 : 2)):(column(panel ? 7 : 6)) @MEASURED2 title "N = 1000", \
         data index 5 using 1:(column(panel ? 3 : 2)):(column(panel ? 7 : 6)) @MEASURED3 title "N = 2000"
}
unset multiplot
