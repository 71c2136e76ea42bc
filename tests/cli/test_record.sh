#!/bin/sh
# lemmata record: what becomes a record, what is refused, and that a second run changes nothing.
# usage: test_record.sh PROGRAM NOTEBOOKS_TEST CMARK DATA SOURCE
# The test of the committed pages is tried on the tree made here too: it passes, and fails on each way to spoil it.
# shellcheck disable=SC2154
program=$1 notebooks=$2 cmark=$3 data=$4 source=$5
. "$source/tests/project/tap.sh"
plan 42

pages=$TAP_SCRATCH/tree/notebooks-md
results=$TAP_SCRATCH/results
mkdir -p "$pages"
cp -r "$data/results" "$results"
cat >"$pages/toy.md" <<'PAGE'
# Toy

It is <!--value toy.exact--><!--/-->.

<!--figure curve-->

<!--/-->
PAGE
printf 'At the top: <!--verdicts toy--><!--/-->.\n' >"$TAP_SCRATCH/tree/README.md"

run() {
    "$program" record "$@" >"$TAP_SCRATCH/out" 2>"$TAP_SCRATCH/err" </dev/null
    status=$?
    out=$(cat "$TAP_SCRATCH/out")
    err=$(cat "$TAP_SCRATCH/err")
}
snapshot() { (cd "$TAP_SCRATCH/tree" && find . -type f -exec stat -c '%n %i %Y' {} + | sort && find . -type f -exec sha256sum {} + | sort); }

run --into "$pages" "$results"
is "$status:$err" "0:" "results become a record"
has "$out" "1 study recorded, 3 files changed" "three files: record, SVG, PNG"
has "$out" "2 pages, 2 rewritten" "the pages and the README are woven"
has "$(cat "$pages/toy.md")" "<!--value toy.exact-->222<!--/-->" "a woven value"
has "$(cat "$TAP_SCRATCH/tree/README.md")" "3 claims: 1 holds" "the README too"
lacks "$(cat "$pages/results/toy.json")" '"timing"' "no timing in the record"
has "$(cat "$pages/results/toy.json")" '"compiler": "gcc 12.2.0"' "the provenance is kept"
has "$(cat "$pages/results/toy.json")" '3.1415926535897931' "numbers keep their 17 digits"
is "$(sha256sum <"$pages/figures/toy/curve.svg" | cut -d' ' -f1)" \
    "$(sed -n 's/.*"svg_sha256": "\([0-9a-f]*\)".*/\1/p' "$pages/results/toy.json")" "the figure has the recorded hash"
ok "the PNG is copied" cmp "$results/figures/curve.png" "$pages/figures/toy/curve.png"
before=$(snapshot)
run --into "$pages" "$results"
is "$status:$err" "0:" "a second run"
has "$out" "0 files changed" "changes no file"
is "$(snapshot)" "$before" "and writes none"

# --- the test of the committed pages
check_pages() { "$notebooks" "$pages" "$cmark" "$TAP_SCRATCH/tree/README.md"; }
ok "the test of pages passes on what was made" check_pages
# spoiled DESCRIPTION FILE SED_SCRIPT POINT: with this file changed so, this test point fails.
spoiled() {
    cp "$pages/$2" "$TAP_SCRATCH/kept"
    sed "$3" "$TAP_SCRATCH/kept" >"$pages/$2"
    has "$(check_pages 2>/dev/null | grep '^not ok')" "$4" "the test of pages fails on $1"
    cp "$TAP_SCRATCH/kept" "$pages/$2"
}
spoiled "another figure" figures/toy/curve.svg 's/curve/kurve/' "figure curve is the recorded one"
spoiled "a record at another scale" results/toy.json 's/"scale": 1.0/"scale": 2.0/' "of a complete run"
spoiled "a path of one machine" results/toy.json 's/"flags": "-O3"/"flags": "\/a\/b"/' "without timing or paths"
: >"$pages/figures/toy/old.svg"
has "$(check_pages 2>/dev/null | grep '^not ok')" "no figure but the record's" "the test of pages fails on a stray figure"
rm "$pages/figures/toy/old.svg"
mv "$pages/figures/toy/curve.png" "$TAP_SCRATCH/curve.png"
has "$(check_pages 2>/dev/null | grep '^not ok')" "figure curve" "the test of pages fails on a missing PNG"
mv "$TAP_SCRATCH/curve.png" "$pages/figures/toy/curve.png"
if [ "$cmark" = - ]; then
    skip "the test of pages fails on an image that does not render" "cmark-gfm is not installed"
    skip "the test of pages fails on a table that does not render" "cmark-gfm is not installed"
else
    spoiled "an image that does not render" toy.md 's/^!\[/    ![/' "toy.md renders"
    printf '\n| a | b |\n| --- |\n' >>"$pages/toy.md"
    has "$(check_pages 2>/dev/null | grep '^not ok')" "toy.md renders" "the test of pages fails on a table that does not render"
    sed -i '$d' "$pages/toy.md" && sed -i '$d' "$pages/toy.md" && sed -i '$d' "$pages/toy.md"
fi
before=$(snapshot)

# refused DESCRIPTION SED_SCRIPT PART: results changed so are not recorded.
refused() {
    sed "$2" "$data/results/results.json" >"$results/results.json"
    run --into "$pages" "$results"
    case $status:$(snapshot) in
    "1:$before") has "$err" "$3" "$1" ;;
    *) is "$status" 1 "$1: refused, and nothing written" ;;
    esac
}
refused "--only" 's/"only": null/"only": "tails"/' "made with --only"
refused "another scale" 's/"scale": 1.0/"scale": 0.1/' "another --scale"
refused "no scale" '/^"scale"/d' "another --scale"
refused "a random seed" 's/"seed_kind": "default"/"seed_kind": "random"/' "random seed"
refused "a failed claim" 's/"passed": true/"passed": false/' "a claim failed"
refused "a skipped claim" 's/"skipped": \[\]/"skipped": [{"id":"x","statement":"s","reason":"r"}]/' "a claim was skipped"
refused "no figures" 's/"svg": "figures\/curve.svg"/"svg": null/' "its figures are missing"
refused "another figure" 's/"svg_sha256": "./"svg_sha256": "x/' "not the one these results were written with"
refused "not JSON" 's/^{/[/' "results.json:2"
refused "no claims" 's/^"claims".*/"claims": [],/' "it has no claim"
# A write that fails half-way leaves the page as it was, and nothing beside it.
cp "$data/results/results.json" "$results/results.json"
sed -i 's/222<!/stale<!/' "$pages/toy.md"
{ echo && head -c 2000 /dev/zero | tr '\0' x; } >>"$pages/toy.md"
before=$(snapshot)
(
    trap '' XFSZ
    ulimit -f 1
    "$program" weave --records "$pages/results" "$pages/toy.md" >"$TAP_SCRATCH/out" 2>"$TAP_SCRATCH/err"
    echo $? >"$TAP_SCRATCH/status"
)
is "$(cat "$TAP_SCRATCH/status")" 1 "a write that fails: exit status"
has "$(cat "$TAP_SCRATCH/err")" "toy.md cannot be written: File too large" "a write that fails: message"
is "$(snapshot)" "$before" "a write that fails leaves all as it was"

rm "$results/results.json"
run --into "$pages" "$results"
is "$status" 1 "no results"

run "$results"
has "$status$err" "2lemmata: record: name the folder of the pages with --into" "--into is asked for"
printf '%s\n%s\n' '{"name": "x", "stdout": "noise\n{\"name\": \"normals\", \"value\": 2.5, \"unit\": \"M/s\"}\n"}' \
    '{"name": "y", "stdout": "{\"name\": \"b\", \"skipped\": \"no\"}\n"}' >"$TAP_SCRATCH/log.json"
run --into "$pages" --benchmarks "$TAP_SCRATCH/log.json"
is "$status:$err" "0:" "benchmarks are taken from Meson's log"
has "$(sed -n 1p "$pages/results/benchmarks.json")" '"machine":' "the machine comes first"
is "$(sed -n '2,$p' "$pages/results/benchmarks.json")" '{"name":"normals","value":2.5,"unit":"M/s"}' "then the figures"
echo '{"name": "x", "stdout": "{\"name\": \"uniforms\", \"value\": 7, \"unit\": \"M/s\"}"}' >"$TAP_SCRATCH/other.json"
run --into "$pages" --benchmarks "$TAP_SCRATCH/other.json"
run --into "$pages" --benchmarks "$TAP_SCRATCH/log.json"
is "$(sed '1d; s/,.*//' "$pages/results/benchmarks.json" | tr '\n' ' ')" '{"name":"normals" {"name":"uniforms" ' \
    "figures of the same machine stay, each once"
sed -i '1s/.*/{"machine":"abacus"}/' "$pages/results/benchmarks.json"
run --into "$pages" --benchmarks "$TAP_SCRATCH/log.json"
is "$(sed '1d; s/,.*//' "$pages/results/benchmarks.json")" '{"name":"normals"' "those of another machine go"
echo '{"name": "x", "stdout": "nothing"}' >"$TAP_SCRATCH/log.json"
run --into "$pages" --benchmarks "$TAP_SCRATCH/log.json"
has "$status$err" "holds no benchmark figure" "a log without figures is refused"
finish
