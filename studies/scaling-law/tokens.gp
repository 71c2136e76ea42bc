load "style.gp"
set logscale xy
set xrange [1e19:1e26]
set yrange [3:300]
set xlabel "training operations C"
set ylabel "compute-optimal tokens per parameter"
set format x "10^{%T}"
set format y "%g"
set key off
set label "95%" at 8e25, 4.9 right @NOTE
set label "80%" at 8e25, 8.6 right @NOTE
set label "rule of 20" at 8e25, 21.6 right @NOTE
set label "Huber fit" at 8e24, 14.6 @LABEL1
set label "Hoffmann et al. as printed" at 3e21, 63 rotate by 11.4 @LABEL2
set label "with the digits of the TeX source" at 3e21, 42.2 rotate by 10.3 @LABEL3
set label "Chinchilla" at 5.2e23, 23.5 right @LABEL5
$chinchilla << EOD
5.76e23	20
EOD
plot data using 1:5:6 with filledcurves linecolor rgb "#DCEBF5" notitle, \
     data using 1:3:4 with filledcurves linecolor rgb "#B3D3EA" notitle, \
     20 @REFERENCE notitle, \
     data using 1:2 @THEORY1 notitle, \
     data using 1:7 @THEORY2 notitle, \
     data using 1:8 @THEORY3 notitle, \
     $chinchilla using 1:2 with points linestyle 15 pointsize 1.6 notitle
