#!/bin/sh
# The program as a user meets it: output, messages, exit status.
# usage: test_program.sh PROGRAM TOY_PROGRAM MANUAL DATA SOURCE
# shellcheck disable=SC2154
program=$1 toys=$2 manual=$3 data=$4 source=$5
. "$source/tests/project/tap.sh"
plan 108
records=$data/records
unset LEMMATA_RECORDS

# run ARGUMENTS...: sets status, out, err.
run() {
    "$program" "$@" >"$TAP_SCRATCH/out" 2>"$TAP_SCRATCH/err" </dev/null
    status=$?
    out=$(cat "$TAP_SCRATCH/out")
    err=$(cat "$TAP_SCRATCH/err")
}
# refused DESCRIPTION STATUS PART: the last run said nothing on stdout, this on stderr, and left with this status.
refused() {
    is "$status:$out" "$2:" "$1: exit status, nothing on stdout"
    has "$err" "$3" "$1: message"
}

# --- eval
run eval jl_min_dim N=1000 eps=0.1 delta=0.001 method=exact
is "$status:$out:$err" "0:7403:" "eval prints the value"
run eval jl_norm_tail n=8 eps=0.5 side=upper
is "${#out}" 19 "17 digits" # and "0."
run eval simhash_cos_mean_var n=64 theta=0.1
is "$(echo "$out" | wc -w | tr -d ' ')" 2 "several results on one line"
run eval jl_norm_variance kind=sparse m=64 n=1.6e1 q4=0.4 s=3
is "$out" 0.125 "whole numbers in any exact form"
run eval jl_min_dim --json method=exact N=100 eps=0.5 delta=0.01
is "$status" 0 "--json"
has "$out" '"value": 222.0' "--json: value"
has "$out" '"accuracy_reason": ' "--json: accuracy with its reason"
has "$out" '"domain": "0 < eps < 1"' "--json: domains"
has "$out" '"jl.distance"' "--json: claims"
run eval jl_min_din N=2
refused "unknown formula" 2 "did you mean jl_min_dim"
has "$err" " jl_norm_tail " "unknown formula: all are listed"
has "$err" " rsvd_bound_spec" "... to the last of a topic"
run eval jl_min_dim N=1000 eps=0.1 delta=0.001 mehtod=exact
refused "unknown argument" 2 "no argument mehtod; allowed: N, eps, delta, method"
run eval jl_min_dim N=1000 eps=0.1 delta=0.001 method=best
refused "unknown word" 2 "must be one of exact|chernoff|su24"
run eval jl_min_dim N=1000 eps=2 delta=0.001 method=exact
refused "outside the domain" 2 "eps = 2"
has "$err" "0 < eps < 1" "outside the domain: what is allowed"
run eval jl_min_dim N=1000 eps=inf delta=0.001 method=exact
refused "infinity where it has no place" 2 "eps = inf: must be finite"
run eval jl_min_dim N=1000
refused "missing argument" 2 "eps is missing"
run eval jl_min_dim N
refused "no equals sign" 2 "N: an argument has the form name=value"
run eval
refused "no formula" 2 "the name of a formula is missing"
run eval jl_min_dim --jsn
refused "unknown option" 2 "allowed: --json --help"
run eval jl_min_dim --json=yes
refused "value for a flag" 2 "takes no value"

# --- formulas that fail
real_program=$program
program=$toys
run eval says_why
refused "NaN with a reason" 1 "says_why: no convergence in 100 steps"
run eval silent
refused "NaN without one" 1 "silent: the result is not a number"
run eval fails --json
refused "a status" 1 "fails: no convergence at all"
run eval empty
refused "no result" 1 "empty: the result is not a number"
run eval infinite
is "$status:$out" "0:inf -inf" "infinite results"
run eval infinite --json
has "$(echo "$out" | tr -d ' \n')" '"value":["inf","-inf"]' "infinite results as JSON"
program=$real_program

# --- formulas
run formulas
has "$out" "jl_norm_tail(n, eps, side)" "formulas lists signatures"
run formulas min_dim
lacks "$out" "jl_norm_tail(" "formulas PATTERN picks"
run formulas jl_min_dim
has "$out" "accuracy" "formulas NAME tells all"
run formulas --json
is "$(echo "$out" | head -c 1)" "[" "formulas --json is an array"
run formulas no_such_thing
refused "pattern that fits nothing" 2 "no formula is called no_such_thing"
run formulas a b
refused "two patterns" 2 "one pattern at most"

# --- studies and claims
run --records "$records" list
has "$out" "3 claims: 1 holds, 1 holds in a stated regime, 1 is refuted" "list counts verdicts"
run list "--records=$records"
has "$out" "toy" "--records after the command"
run --records "$records" claims toy
is "$(echo "$out" | wc -l | tr -d ' ')" 3 "claims STUDY"
run --records "$records" claims
has "$out" "toy.wrong                          refuted" "claims of all studies"
run --records "$records" claims toi
refused "unknown study" 2 "allowed: toy"
run --records "$records" show toy.mean
has "$out" "measured     4.0012(21)" "show: measured"
has "$out" "studies/toy/study.c:10" "show: place in the code"
has "$out" '"the mean is n - 1" rejected' "show: falsifier"
has "$out" "@misc{lemmata:toy-mean," "show: BibTeX"
has "$out" 'chi\^{}2\_n is n, $|$x$|$ $<$= 1\_000' "show: BibTeX is escaped"
run --records "$records" show toy.wrong
has "$out" "correction   one more" "show: correction"
has "$out" "refuted      the article says c = d" "show: what is refuted"
has "$out" "instead      c = d + 1" "show: what holds instead"
has "$out" "Refuted: " "show: BibTeX says what is refuted"
run --records "$records" show toy.meen
refused "unknown claim" 2 "did you mean toy.mean?"
run --records "$records" show
refused "no claim" 2 "name a claim"
run --records "$records" show a b
refused "two claims" 2 "too many words: b"
run --records "$TAP_SCRATCH/none" list
refused "records that are not there" 1 "(--records) is not a directory"
mkdir "$TAP_SCRATCH/broken"
echo '{"study": "x", "study": "x"}' >"$TAP_SCRATCH/broken/x.json"
run --records "$TAP_SCRATCH/broken" list
refused "a broken record" 1 "x.json:1: duplicate object key"

# --- where records are found
LEMMATA_RECORDS=$records
export LEMMATA_RECORDS
run claims
has "$out" "toy.mean" "LEMMATA_RECORDS names the records"
run --records "$TAP_SCRATCH/none" claims
is "$status" 1 "--records goes before it"
unset LEMMATA_RECORDS
mkdir -p "$TAP_SCRATCH/bin" "$TAP_SCRATCH/share/lemmata/records"
cp "$program" "$TAP_SCRATCH/bin/lemmata"
cp "$records"/*.json "$TAP_SCRATCH/share/lemmata/records"
has "$("$TAP_SCRATCH/bin/lemmata" claims 2>&1)" "toy.mean" "an installed program finds the records beside it"
run claims
is "$status" 0 "in the build tree, those of the source tree"

# --- help, version, mistakes
run --help
is "$status:$err" "0:" "--help"
for command in eval formulas fit list claims show weave record; do
    has "$out" "  $command " "--help lists $command"
done
missing=
for command in eval formulas fit list claims show weave record; do
    run $command --help
    case $out in "usage: lemmata $command"*) ;; *) missing="$missing $command" ;; esac
done
is "$missing" "" "every command has its own help"
plain=$(sed 's/\\f[BRI]//g; s/\\-/-/g' "$manual")
missing=
for word in eval formulas fit list claims show weave record $("$program" --help | grep -o -e '--[a-z-]*') \
    $(for command in eval formulas fit list claims show weave record; do "$program" $command --help; done | grep -o -e '--[a-z-]*'); do
    case $plain in *"$word"*) ;; *) missing="$missing $word" ;; esac
done
is "$missing" "" "the manual page names every command and option"
has "$plain" "lemmata $(sed -n "s/^ *version: '\(.*\)',/\1/p" "$source/meson.build")" "the manual page is of this version"
if command -v groff >/dev/null 2>&1; then
    is "$(groff -man -ww -z "$manual" 2>&1)" "" "groff has no complaint about the manual page"
else
    skip "groff has no complaint about the manual page" "groff is not installed"
fi
run --version
has "$out" "lemmata $(sed -n "s/^ *version: '\(.*\)',/\1/p" "$source/meson.build")" "--version: the version"
for part in "compiler " "GSL " "BLAS OpenBLAS" gnuplot; do
    has "$out" "$part" "--version: $part"
done
run lst
refused "unknown command" 2 "did you mean list?"
run --verbose
refused "unknown option of the program" 2 "allowed: eval formulas fit list"
run
refused "nothing" 2 "a command is missing"

# --- standard output
"$toys" eval warns >"$TAP_SCRATCH/out" 2>"$TAP_SCRATCH/err"
is "$?:$(cat "$TAP_SCRATCH/out")" "0:1" "a warning of libRmath does not reach stdout"
has "$(cat "$TAP_SCRATCH/err")" "bessel_i" "but stderr"
if [ -e /dev/full ]; then
    "$program" formulas >/dev/full 2>"$TAP_SCRATCH/err"
    is $? 3 "a full disk: exit status"
    has "$(cat "$TAP_SCRATCH/err")" "writing to standard output failed" "a full disk: message"
else
    skip "a full disk: exit status" "no /dev/full"
    skip "a full disk: message" "no /dev/full"
fi
"$program" formulas >&- 2>"$TAP_SCRATCH/err"
is $? 3 "closed standard output: exit status"
finish
