# Blocks 0-3: sigma = 0.1, 0.5, 1, 2. 1 n, 2 N, 3 exact, 4 leading order, 5 sampled, 6 its standard error.
height = 500
load "style.gp"
set logscale xy
set xrange [4:22000]
set yrange [8e-4:4]
set xtics ("10" 10, "30" 30, "100" 100, "300" 300, "1000" 1000, "3000" 3000)
set ytics ("0.001" 0.001, "0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3)
set xlabel "participation number N = 1/Σp^2"
set ylabel "root mean square change of the output"
set key off
nu = exp(4) - 1
set label "σ = 2" at 7000, 0.105 @LABEL4
set label "σ = 1" at 7000, 0.0225 @LABEL2
set label "σ = 0.5" at 7000, 0.0092 @LABEL3
set label "σ = 0.1" at 7000, 0.00175 @LABEL1
set label "leading order" at 60, 1.45 @LABEL4
set label "exact" at 165, 0.345 @LABEL4
set arrow 1 from nu, 0.42 to nu, 1.05 nohead linestyle 30
set label "N = ν" at nu*1.08, 0.6 @NOTE
set arrow 2 from nu*(nu + 3), 0.1 to nu*(nu + 3), 0.42 nohead linestyle 30
set label "N = ν(ν+3)" at nu*(nu + 3)*1.1, 0.34 @NOTE
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
