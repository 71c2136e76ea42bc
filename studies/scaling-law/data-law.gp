# Block 0: D, exact expectation and smooth cut for one sighting (2, 3) and five (4, 5). Block 1: means and standard errors
# in the same columns, with errors in 6 and 7. Blocks 2 and 3: the cut's loss and smooth cut, one and five sightings.
width = 960
height = 450
load "style.gp"
set multiplot layout 1,2 margins 0.09,0.975,0.16,0.92 spacing 0.1
set logscale xy
set xrange [100:100000]
set yrange [0.0015:0.35]
set format x "10^{%L}"
set format y "%g"
set xlabel "samples D"
set ylabel "expected loss"
set title "loss" @PANEL
set key off
set label 1 "five sightings" at 3600, 0.05 @LABEL2
set label 2 "one sighting" at 130, 0.0165 @LABEL1
plot data index 2 using 1:2 @ASYMPTOTE1, data index 3 using 1:2 @ASYMPTOTE2, \
     data index 0 using 1:2 @THEORY1, data index 0 using 1:4 @THEORY2, \
     data index 1 using 1:2:(4*$6) @MEASURED1, data index 1 using 1:4:(4*$7) @MEASURED2
unset label 1
unset label 2
unset logscale y
set yrange [0.84:1.12]
set ylabel "loss / power law of the cut"
set title "over the power law of the cut" @PANEL
set label 3 "deterministic cut, one sighting" at 900, 1.035 @NOTE
set label 4 "five sightings" at 9000, 0.956 @LABEL2
set label 5 "one sighting" at 9000, 0.866 @LABEL1
plot data index 2 using 1:($2/$3) with lines linewidth 0.8 linecolor rgb GREY, \
     data index 0 using 1:($2/$3) @THEORY1, data index 0 using 1:($4/$5) @THEORY2, \
     data index 1 using 1:($2/$3):(4*$6/$3) @MEASURED1, data index 1 using 1:($4/$5):(4*$7/$5) @MEASURED2
unset multiplot
