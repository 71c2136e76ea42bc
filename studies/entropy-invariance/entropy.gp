# Block 0: exact lines; 1..4: samples of the four rules.
load "style.gp"
set logscale x 2
set xrange [14:400000]
set yrange [0:12]
set xtics (16, 64, 256, 1024, 4096, 16384, 65536)
set xlabel "keys n"
set ylabel "mean entropy [nat]"
set key off
set label 1 "log n" at 700, 7.0 right @NOTE
set label 2 "usual scale" at 72000, 10.6 @LABEL1
set label 3 "log n/log 512" at 72000, 9.6 @LABEL3
set label 4 "log n/log 64" at 72000, 8.0 @LABEL2
set label 5 "log n/(0.24√d)" at 72000, 3.0 @LABEL4
set label 6 "held" at 72000, 3.75 @NOTE
plot data index 0 using 1:6 @REFERENCE, \
     data index 0 using 1:7 @REFERENCE, \
     data index 0 using 1:2 @THEORY1, \
     data index 0 using 1:3 @THEORY2, \
     data index 0 using 1:4 @THEORY3, \
     data index 0 using 1:5 @THEORY4, \
     data index 1 using 1:2:(3*$3) @MEASURED1, \
     data index 2 using 1:2:(3*$3) @MEASURED2, \
     data index 3 using 1:2:(3*$3) @MEASURED3, \
     data index 4 using 1:2:(3*$3) @MEASURED4
