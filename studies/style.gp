# The look of every figure, and the protocol between a study and its .gp files.
#
# The study runs `gnuplot -d -e "<variables>" <figure>.gp` with
#     data      path of the table data/<figure>.tsv: tab-separated, header lines begin with #, "?" is a missing value,
#               two blank lines start the next index
#     format    'svg' or 'png'
#     loadpath  the study's folder and this one
# and reads the picture from standard output. Anything gnuplot says on standard error, a plot that shows nothing, or a
# curve titled by its file name makes the run fail. The study replaces the SVG's title and description.
#
# A figure's file sets `width` and `height` if 720 x 450 will not do, then says
#     load "style.gp"
# and describes itself, in these words (N = 1 .. 6 picks colour, dash and marker together):
#     plot data using 1:4   @THEORY1     title "exact law", \
#          data using 1:5   @ASYMPTOTE1  notitle, \
#          data using 1:2:3 @MEASURED1   title "measured"
#     set label "Chernoff bound" at 300, -4 @LABEL2      direct labels rather than a key, where they find room
#     set title "left panel" @PANEL                      within a multiplot
# In a loop: `with lines linestyle i`, `with yerrorbars linestyle 10+i`, `with lines linestyle 20+i` are the same three.
# gnuplot expands a word like @THEORY1 only in lines read after the one that loads this file.
# To try it by hand:  gnuplot -d -e "data='data/x.tsv'; format='svg'; set loadpath '..'" x.gp > x.svg

if (!exists("format")) format = "svg"
if (!exists("width")) width = 720
if (!exists("height")) height = 450

# The rest must not depend on who runs it: nothing is left to a default that a system may change.
set encoding utf8
set decimalsign "."
set samples 401
set datafile missing "?"
set datafile separator "\t"
set datafile commentschars "#"

if (format eq "svg") set terminal svg enhanced size width, height dynamic background rgb "#ffffff" \
    font "DejaVu Sans, sans-serif,13" linewidth 1 dashlength 1 butt
if (format eq "png") set terminal pngcairo enhanced size 2*width, 2*height background rgb "#ffffff" \
    font "DejaVu Sans,13" fontscale 2 linewidth 2 pointscale 2 dashlength 1 butt
set output

COLOUR1 = "#0072B2"
COLOUR2 = "#D55E00"
COLOUR3 = "#009E73"
COLOUR4 = "#CC79A7"
COLOUR5 = "#E69F00"
COLOUR6 = "#56B4E9"
INK = "#333333"
GREY = "#767676"

# 1..6 theory; 11..16 measurements; 21..26 asymptotes and bounds drawn beside the exact law.
set style line  1 linecolor rgb COLOUR1 linewidth 2 dashtype solid pointtype 7
set style line  2 linecolor rgb COLOUR2 linewidth 2 dashtype (12,4) pointtype 5
set style line  3 linecolor rgb COLOUR3 linewidth 2 dashtype (12,4,2,4) pointtype 9
set style line  4 linecolor rgb COLOUR4 linewidth 2 dashtype (5,3) pointtype 13
set style line  5 linecolor rgb COLOUR5 linewidth 2 dashtype (2,2) pointtype 11
set style line  6 linecolor rgb COLOUR6 linewidth 2 dashtype (12,3,2,3,2,3) pointtype 15
set style line 11 linecolor rgb COLOUR1 linewidth 1.2 dashtype solid pointtype 7 pointsize 0.7
set style line 12 linecolor rgb COLOUR2 linewidth 1.2 dashtype solid pointtype 5 pointsize 0.65
set style line 13 linecolor rgb COLOUR3 linewidth 1.2 dashtype solid pointtype 9 pointsize 0.8
set style line 14 linecolor rgb COLOUR4 linewidth 1.2 dashtype solid pointtype 13 pointsize 0.9
set style line 15 linecolor rgb COLOUR5 linewidth 1.2 dashtype solid pointtype 11 pointsize 0.8
set style line 16 linecolor rgb COLOUR6 linewidth 1.2 dashtype solid pointtype 15 pointsize 0.8
set style line 21 linecolor rgb COLOUR1 linewidth 1.4 dashtype (3,4)
set style line 22 linecolor rgb COLOUR2 linewidth 1.4 dashtype (3,4)
set style line 23 linecolor rgb COLOUR3 linewidth 1.4 dashtype (3,4)
set style line 24 linecolor rgb COLOUR4 linewidth 1.4 dashtype (3,4)
set style line 25 linecolor rgb COLOUR5 linewidth 1.4 dashtype (3,4)
set style line 26 linecolor rgb COLOUR6 linewidth 1.4 dashtype (3,4)
set style line 30 linecolor rgb GREY linewidth 1 dashtype (4,4)       # vertical marks, reference lines
set style line 40 linecolor rgb INK linewidth 1 dashtype solid        # axes
set style line 41 linecolor rgb "#dddddd" linewidth 0.7 dashtype solid # grid
set style line 42 linecolor rgb "#eeeeee" linewidth 0.5 dashtype solid

THEORY1 = "with lines linestyle 1"
THEORY2 = "with lines linestyle 2"
THEORY3 = "with lines linestyle 3"
THEORY4 = "with lines linestyle 4"
THEORY5 = "with lines linestyle 5"
THEORY6 = "with lines linestyle 6"
ASYMPTOTE1 = "with lines linestyle 21"
ASYMPTOTE2 = "with lines linestyle 22"
ASYMPTOTE3 = "with lines linestyle 23"
ASYMPTOTE4 = "with lines linestyle 24"
ASYMPTOTE5 = "with lines linestyle 25"
ASYMPTOTE6 = "with lines linestyle 26"
MEASURED1 = "with yerrorbars linestyle 11"
MEASURED2 = "with yerrorbars linestyle 12"
MEASURED3 = "with yerrorbars linestyle 13"
MEASURED4 = "with yerrorbars linestyle 14"
MEASURED5 = "with yerrorbars linestyle 15"
MEASURED6 = "with yerrorbars linestyle 16"
POINTS1 = "with points linestyle 11"
POINTS2 = "with points linestyle 12"
POINTS3 = "with points linestyle 13"
POINTS4 = "with points linestyle 14"
POINTS5 = "with points linestyle 15"
POINTS6 = "with points linestyle 16"
REFERENCE = "with lines linestyle 30"
LABEL1 = "front textcolor rgb COLOUR1 font ',12'"
LABEL2 = "front textcolor rgb COLOUR2 font ',12'"
LABEL3 = "front textcolor rgb COLOUR3 font ',12'"
LABEL4 = "front textcolor rgb '#A8527F' font ',12'" # a shade darker than its line: text is thin
LABEL5 = "front textcolor rgb '#A87400' font ',12'"
LABEL6 = "front textcolor rgb '#2E86BD' font ',12'"
NOTE = "front textcolor rgb GREY font ',11'"
PANEL = "textcolor rgb INK font ',13' offset 0,-0.4"

set border 3 linestyle 40
set tics nomirror out scale 0.6,0.3 textcolor rgb INK font ",12"
set grid xtics ytics linestyle 41, linestyle 42
set grid back
set key top right reverse Left samplen 2.6 spacing 1.15 font ",12" textcolor rgb INK noautotitle
set bars 0.5
set xlabel textcolor rgb INK font ",13"
set ylabel textcolor rgb INK font ",13"
set x2label textcolor rgb INK font ",13"
set y2label textcolor rgb INK font ",13"
set title textcolor rgb INK font ",13"
