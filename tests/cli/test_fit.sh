#!/bin/sh
# lemmata fit as a user meets it: tables in every form, what is printed, what is refused.
# usage: test_fit.sh PROGRAM DATA SOURCE
# shellcheck disable=SC2154
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") data=$2 source=$3
. "$source/tests/project/tap.sh"
plan 62
cd "$TAP_SCRATCH" || exit
cp "$data/fit/runs.csv" .

run() {
    "$program" "$@" >out.txt 2>err.txt </dev/null
    status=$?
    out=$(cat out.txt)
    err=$(cat err.txt)
}
# refused DESCRIPTION STATUS PART: nothing on stdout, this on stderr, this exit status.
refused() {
    is "$status:$out" "$2:" "$1: exit status, nothing on stdout"
    has "$err" "$3" "$1: message"
}
# field NAME [LINE]: a field of the JSON in out.txt, by its name
field() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" out.txt | sed -n "${2:-1}p"; }
# within A B TOLERANCE
within() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }'; }

# --- chinchilla
run fit chinchilla runs.csv --budget 1e22 --bootstrap 200
is "$status:$err" "0:" "chinchilla: a fit"
for part in "62 rows of runs.csv" "  alpha  " "95% interval, bootstrap" "C = 6 N D = 1e+22 operations" "tokens per parameter" \
    "R^2" "27 of 27 starts agree" "200 resamples of the rows, seed 1"; do
    has "$out" "$part" "chinchilla: says '$part'"
done
first=$out
run fit chinchilla runs.csv --budget 1e22 --bootstrap 200 --threads 2
is "$out" "$first" "chinchilla: the same digits on two threads"
run fit chinchilla runs.csv --budget 1e22 --bootstrap 200 --seed 2
lacks "$out" "seed 1" "chinchilla: another seed"
run fit chinchilla runs.csv --json --bootstrap 200
value=$(sed -n '/"alpha"/,/}/s/^ *"value": \([^,]*\),*$/\1/p' out.txt)
error=$(sed -n '/"alpha"/,/}/s/^ *"stderr": \([^,]*\),*$/\1/p' out.txt)
# the constants are known; six standard errors, on one fixed table
ok "chinchilla: alpha is that of the table" within "$value" 0.34 "$(awk -v e="$error" 'BEGIN { print 6 * e }')"
ok "chinchilla: the certificate" within "$(field gradient)" 0 1e-8
alpha=$value
# the same rows with operations for tokens, other headers, quotes, CRLF, comments, and a column of words
awk -F, 'NR == 1 { next } NR == 2 { printf "\"Model, Size\";note;Cost;Final\r\n"; next }
    { printf "%s;\"run %d; \"\"b\"\"\";%.17g;%s\r\n%s", $1, NR, 6 * $1 * $2, $3, NR % 9 ? "" : "\r\n# pause\r\n" }' runs.csv >other.csv
run fit chinchilla other.csv --columns 'N=1,C=cost,loss=Final' --json --bootstrap 0
is "$status:$err" "0:" "chinchilla: operations for tokens, semicolons, quotes, CRLF, comments"
value=$(sed -n '/"alpha"/,/}/s/^ *"value": \([^,]*\),*$/\1/p' out.txt)
ok "chinchilla: ... the same fit" within "$value" "$alpha" 1e-9
has "$out" '"stderr": null' "chinchilla: no errors without a bootstrap"
run fit chinchilla runs.csv --drop-largest 3 --bootstrap 0
has "$out" "59 rows of runs.csv (the 3 of largest loss left out)" "chinchilla: --drop-largest"
run fit chinchilla runs.csv --delta inf --bootstrap 0
has "$out" "at delta = inf" "chinchilla: least squares"
run fit chinchilla runs.csv --delta 0 --bootstrap 0
has "$out" "sum of |residuals|" "chinchilla: least absolute deviations"

awk '$0 == "    lemmata fit chinchilla runs.csv --budget 1e22" { found = 1; next }
    found && /^```/ { if (inside) exit; inside = 1; next } inside' "$source/README.md" >wanted.txt
run fit chinchilla runs.csv --budget 1e22
is "$out" "$(cat wanted.txt)" "chinchilla: what README.md shows"

has "$out" "columns: N = params, D = tokens, loss = loss" "chinchilla: names the columns"
run fit chinchilla other.csv --columns 'N=1,C=cost,loss=Final' --bootstrap 0
has "$out" "columns: N = Model, Size, C = Cost, loss = Final" "chinchilla: names the columns by their headers"
run fit chinchilla other.csv --columns 'N=1,C=cost,loss=Final' --bootstrap 0 --json
has "$out" '"C": "Cost"' "chinchilla: --json names the columns"
# operations beside tokens: those that are 6 N D are passed over in silence, others noted
awk -F, '/^#/ { next } !head { head = 1; print $0 ",flops"; next } { printf "%s,%.17g\n", $0, 6 * $1 * $2 }' runs.csv >both.csv
run fit chinchilla both.csv --bootstrap 0
is "$status:$err" "0:" "chinchilla: C = 6 N D, nothing to note"
awk -F, 'NR == 5 { $4 = $4 * 1.02 } { print $1 "," $2 "," $3 "," $4 }' both.csv >apart.csv
run fit chinchilla apart.csv --bootstrap 0
has "$status:$err" "0:lemmata: note: apart.csv: C is not 6 N D within 1% in 1 of 62 rows, first in line 5" "chinchilla: notes a C that is not 6 N D"
awk -F, '/^#/ || !head { head = !/^#/; print; next } { print $1 / 1e6 "," $2 "," $3 }' runs.csv >millions.csv
run fit chinchilla millions.csv --bootstrap 0
has "$status:$err" "0:lemmata: note: millions.csv: no N is above" "chinchilla: notes units of millions"
lacks "$err" "no D is above" "chinchilla: ... of N only"

# --- power
awk 'BEGIN { print "# n is the first column\nn\tloss"; for (i = 0; i < 15; i++) { n = 100 * 2 ^ i; printf "%d\t%.6f\n", n, 2 + 5 * n ^ -0.3 + (i % 3 - 1) * 1e-4 } }' >power.csv
run fit power power.csv --bootstrap 100
is "$status:$err" "0:" "power: a fit"
for part in "E + A n^-alpha" "columns: n = n, loss = loss" "95% interval, Student" "95% interval, bootstrap" "without the offset" "R^2"; do
    has "$out" "$part" "power: says '$part'"
done
run fit power power.csv --json --bootstrap 0
value=$(sed -n '/"alpha"/,/}/s/^ *"value": \([^,]*\),*$/\1/p' out.txt | head -n 1)
ok "power: alpha is that of the table" within "$value" 0.3 0.01
awk 'BEGIN { for (x = 1; x < 100; x++) print x "," int(1e4 * x ^ -1.5 + 1e-9) }' >counts.csv
run fit power counts.csv --columns n=1,loss=2 --weights equal --bootstrap 0 --json
value=$(sed -n '/"alpha"/,/}/s/^ *"value": \([^,]*\),*$/\1/p' out.txt | head -n 1)
ok "power: counts cut to whole numbers, no header, equal weights" within "$value" 1.5 5e-4

# --- figures
if command -v gnuplot >/dev/null 2>&1; then
    run fit chinchilla runs.csv --bootstrap 0 --figure c.svg
    has "$(tail -c 10 c.svg)" "</svg>" "a figure, SVG"
    run fit power power.csv --bootstrap 0 --figure=p.png
    has "$(tail -c 10 p.png | tr -d '\0')" "IEND" "a figure, PNG"
    run fit power power.csv --bootstrap 0 --figure nowhere/p.svg
    refused "a figure in no folder" 3 "--figure nowhere/p.svg: cannot be written: No such file"
else
    skip "a figure, SVG" "gnuplot is not installed"
    skip "a figure, PNG" "gnuplot is not installed"
    skip "a figure in no folder: exit status" "gnuplot is not installed"
    skip "a figure in no folder: message" "gnuplot is not installed"
fi

# --- refusals
run fit
refused "no model" 2 "chinchilla or power"
run fit cubic runs.csv
refused "an unknown model" 2 "no model is called cubic"
run fit chinchilla missing.csv
refused "no file" 1 "missing.csv: No such file"
sed 's/^\(.*\),\(.*\)$/\1,\2/; 10s/,[^,]*$/,-3/' runs.csv >bad.csv
run fit chinchilla bad.csv
refused "a loss that is not positive" 1 "bad.csv, line 10: loss = -3: must be positive"
head -n 6 runs.csv >few.csv
run fit chinchilla few.csv
refused "too few rows" 1 "few.csv: 4 rows: five constants need at least 6"
head -n 4 power.csv >short.csv
run fit power short.csv
refused "power: too few rows" 1 "short.csv: 2 rows: three constants need at least 4"
sed '1,2d' runs.csv >bare.csv
run fit chinchilla bare.csv
refused "no header" 1 "must be given by its number; name the columns by header or number, as in --columns N=1,D=2,loss=3"
run fit chinchilla runs.csv --columns loss=final
refused "a column that is not there" 1 "no column for loss (final); there are: params, tokens, loss"
run fit chinchilla runs.csv --bootstrap 5
refused "too few resamples" 2 "needs 39 resamples"
run fit power power.csv --budget 1e20
refused "an option of the other model" 2 "--budget is for the model chinchilla"
run fit power power.csv --figure p.pdf
refused "a figure of another kind" 2 "must end in .svg or .png"
finish
