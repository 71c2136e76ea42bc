# Relative distances from the power law: columns 2 cut, 3 Poisson, 4 binomial, 5 and 6 Poisson with other gamma and tau.
load "style.gp"
set logscale xy
set xrange [3:300000]
set yrange [1e-15:3]
set format x "10^{%L}"
set format y "10^{%L}"
set xlabel "samples D"
set ylabel "|loss / power law - 1|"
set key off
set label "deterministic cut" at 6000, 0.06 @LABEL2
set label "Poisson" at 1300, 2e-10 @LABEL1
set label "binomial" at 1300, 2e-11 @LABEL3
set label "both {/Symbol g} = {/Symbol t} = 1" at 1300, 2e-12 @NOTE
set label "{/Symbol g} = 0.5, {/Symbol t} = 1" at 4.5, 3e-7 @LABEL4
set label "{/Symbol g} = 2, {/Symbol t} = 3" at 14000, 1e-8 @LABEL5
plot data using 1:2 with lines linestyle 22, data using 1:5 @THEORY4, data using 1:6 @THEORY5, \
     data using 1:4 @THEORY3, data using 1:3 @THEORY1
