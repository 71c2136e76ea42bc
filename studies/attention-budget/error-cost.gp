# Error against cost. Block 8 f + m: family f, method m; columns: operations, error, bar below, bar above, law.
width = 1080
height = 760
load "style.gp"
set multiplot layout 2,3 margins 0.075,0.985,0.085,0.955 spacing 0.05,0.115
set key off
set logscale xy
set format x "10^{%L}"
set yrange [0.08:8]
set ytics ("0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1, "2" 2, "5" 5)
panels = "'Gaussian, d = 32' 'Gaussian, d = 8' 'smooth sequences, d = 32' 'clustered keys, d = 32' 'V follows K, d = 32'"
# iid, orthogonal, hyperbolic, optimal, Taylor, Hermite, minimax, Nystrom
methods = "'FAVOR+, iid' 'FAVOR+, orthogonal' 'hyperbolic' 'variance-optimal' 'Taylor' 'Hermite' 'minimax' 'Nyström, six steps'"
colours = COLOUR2." ".COLOUR5." ".COLOUR4." ".GREY." ".COLOUR1." ".COLOUR6." ".INK." ".COLOUR3
shapes = "5 11 13 3 7 15 6 9"
colour(m) = word(colours, m + 1)
shape(m) = int(word(shapes, m + 1))
dash(m) = m < 4 ? 2 : 1
do for [f = 0:4] {
    unset label
    unset arrow
    set title word(panels, f + 1) @PANEL
    set xlabel (f > 1 ? "operations" : "")
    set ylabel (f % 3 == 0 ? "error / error of the mean of V" : "")
    exact = 4.0*2048*2048*(f == 1 ? 8 : 32)
    set xrange [exact/(f == 1 ? 400 : 190) : exact*2.2]
    set arrow 1 from exact, graph 0 to exact, graph 1 nohead linestyle 40
    set label 1 "exact: no error" at exact, 0.1 rotate by 90 offset 0.9,0 @NOTE
    set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead linestyle 40
    if (f != 1) { set label 2 "mean of V" at graph 0.02, first 1.2 @NOTE }
    if (f == 0) { set label 3 "random features" at 6e6, 7 @LABEL2; set label 4 "Nyström" at 1.1e8, 1.15 @LABEL3
                  set label 5 "polynomials, degree 1 and 2" at 3.6e6, 0.3 @LABEL1 }
    if (f == 1) { set label 3 "degree 1, ..., 5" at 2e6, 0.2 @LABEL1 }
    if (f == 2) { set label 3 "Nyström" at 5e6, 0.2 @LABEL3 }
    if (f == 2 || f == 3) {
        plot for [m = 0:7] data index 8*f + m using 1:2:3:4 with yerrorlines linewidth 1.2 linecolor rgb colour(m) \
                 pointtype shape(m) pointsize 0.75 dashtype dash(m)
    } else {
        plot for [m = 4:6] data index 8*f + m using 1:5 with lines linewidth 1.4 linecolor rgb colour(m) dashtype 1, \
             for [m = 4:6] data index 8*f + m using 1:2:3:4 with yerrorbars linewidth 1.2 linecolor rgb colour(m) \
                 pointtype shape(m) pointsize 0.75, \
             for [m = 0:3] data index 8*f + m using 1:2:3:4 with yerrorlines linewidth 1.2 linecolor rgb colour(m) \
                 pointtype shape(m) pointsize 0.75 dashtype 2, \
             data index 8*f + 7 using 1:2:3:4 with yerrorlines linewidth 1.2 linecolor rgb colour(7) \
                 pointtype shape(7) pointsize 0.75 dashtype 1
    }
}
# The sixth cell names the methods.
unset label
unset arrow
unset logscale
unset tics
unset border
unset xlabel
unset ylabel
unset title
set xrange [0:1]
set yrange [0:1]
set label 20 "random features" at 0.05, 0.97 textcolor rgb INK font ",13"
set label 21 "polynomial features" at 0.05, 0.55 textcolor rgb INK font ",13"
set label 22 "landmarks" at 0.05, 0.22 textcolor rgb INK font ",13"
height_of(m) = (m < 4 ? 0.88 - 0.08*m : m < 7 ? 0.46 - 0.08*(m - 4) : 0.13)
do for [m = 0:7] { set label 1 + m word(methods, m + 1) at 0.22, height_of(m) textcolor rgb INK font ",12" }
set label 30 "Gaussian and V follows K: lines of" at 0.05, 0.03 @NOTE
set label 31 "polynomials are the law for many keys" at 0.05, -0.03 @NOTE
plot for [m = 0:7] '+' using (0.12):(height_of(m)) every ::0::0 with points linecolor rgb colour(m) linewidth 1.2 \
         pointtype shape(m) pointsize 1.1, \
     for [m = 0:7] '+' using (0.08 + 0.08*column(0)):(height_of(m)) every ::0::1 with lines linecolor rgb colour(m) \
         linewidth 1.2 dashtype dash(m)
unset multiplot
