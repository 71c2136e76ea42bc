# Dimensions by rule (blocks 0: eps = 0.1, 1: eps = 0.5); failure rates (2: laws, 3: simplex, 4: collinear).
width = 1080
height = 430
load "style.gp"
set multiplot layout 1,3 margins 0.075,0.985,0.16,0.92 spacing 0.095
set key off
set logscale x
set format x "10^{%L}"
set xtics ("10" 10, "10^3" 1e3, "10^5" 1e5, "10^7" 1e7, "10^9" 1e9)
set xrange [10:1e9]
set yrange [0:26]
set xlabel "points N"
do for [panel = 0:1] {
    set title sprintf("dimensions, ε = %s", panel ? "0.5" : "0.1") @PANEL
    set ylabel (panel ? "" : "n ε^2 / log N")
    set label 1 "24, the usual rule" at 20, 24.9 @LABEL3
    set label 2 "19.55, best constant" at 20, 20.45 @LABEL5
    if (panel) { set label 3 "Chernoff" at 30, 16.8 @LABEL4; set label 4 "exact" at 3e5, 13.4 @LABEL1; set label 5 "Dasgupta–Gupta" at 2e3, 10.9 @LABEL6 }
    if (!panel) { set label 3 "Chernoff" at 30, 13.7 @LABEL4; set label 4 "exact" at 1.5e4, 10.1 @LABEL1; set label 5 "Dasgupta–Gupta" at 2e3, 7.4 @LABEL6 }
    set label 6 "limit of large N" at 8e8, (panel ? 16.8 : 13.7) right textcolor rgb COLOUR1 font ',11'
    plot data index panel using 1:2 @THEORY3, \
         data index panel using 1:3 @THEORY5, \
         data index panel using 1:4 @THEORY4, \
         data index panel using 1:6 @THEORY6, \
         data index panel using 1:7 @ASYMPTOTE1, \
         data index panel using 1:5 @THEORY1
}
unset label
set title "failures, ε = 0.5, N = 64" @PANEL
unset logscale x
set format x "%g"
set logscale y
set format y "10^{%L}"
set xrange [0:220]
set xtics ("0" 0, "50" 50, "100" 100, "150" 150, "200" 200)
set yrange [1e-4:3]
set xlabel "dimensions n"
set ylabel "P(some pair is off)"
set label 1 "union bound" at 140, 0.4 @LABEL3
set label 2 "simplex" at 95, 0.09 @LABEL1
set label 3 "collinear" at 96, 0.002 @LABEL2
set label 4 "independent\npairs" at 8, 2.3 textcolor rgb COLOUR1 font ',11'
plot data index 2 using 1:2 @THEORY3, \
     data index 2 using 1:3 @ASYMPTOTE1, \
     data index 2 using 1:4 @THEORY2, \
     data index 3 using 1:2:3:4 @MEASURED1, \
     data index 4 using 1:2:3:4 @MEASURED2
unset multiplot
