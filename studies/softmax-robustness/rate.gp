# Blocks 0-3: sigma = 0.1, 0.5, 1, 2. 1 n, 2 N, 3 exact, 4 leading order, 5 sampled, 6 its standard error.
height = 500
load "style.gp"
set logscale xy
set xrange [2.3:9000]
set yrange [6e-4:3]
set xtics ("3" 3, "10" 10, "30" 30, "100" 100, "300" 300, "1000" 1000, "3000" 3000)
set ytics ("0.001" 0.001, "0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "participation number N = 1/Σp²"
set ylabel "root mean square change of the output"
set key off
set label "σ = 0.1" at 3.1, 0.034 @LABEL1
set label "σ = 0.5" at 3.1, 0.17 @LABEL3
set label "σ = 1" at 2.9, 0.29 right @LABEL2
plot data index 0 using 2:4 @ASYMPTOTE1, \
     data index 1 using 2:4 @ASYMPTOTE3, \
     data index 2 using 2:4 @ASYMPTOTE2, \
     data index 3 using 2:4 @ASYMPTOTE4, \
     data index 0 using 2:3 with lines linestyle 1, \
     data index 1 using 2:3 with lines linestyle 3 dashtype solid, \
     data index 2 using 2:3 with lines linestyle 2 dashtype solid, \
     data index 3 using 2:3 with lines linestyle 4 dashtype solid, \
     data index 0 using 2:5:(4*$6) @MEASURED1, \
     data index 1 using 2:5:(4*$6) @MEASURED3, \
     data index 2 using 2:5:(4*$6) @MEASURED2, \
     data index 3 using 2:5:(4*$6) @MEASURED4
