#!/bin/sh
# CONTRIBUTING.md works: its tiny study, taken from the page as it stands, becomes a formula, a claim, a figure, a
# record and a page in a copy of the project. usage: test_contributing.sh SOURCE_ROOT
set -u
root=$1
. "$root/tests/project/tap.sh"

copy=$TAP_SCRATCH/lemmata
mkdir "$copy"
(cd "$root" && find . \( -path './build*' -o -path ./.git \) -prune -o -type f -print | tar cf - -T -) | tar xf - -C "$copy"
cd "$copy" || exit

# Its files: a path alone on a line, between backticks, then a fenced block.
awk '
    /^`[^` ]*`$/ { path = substr($0, 2, length($0) - 2); next }
    /^```/ && inside { inside = 0; close(path); path = ""; next }
    /^```/ && path != "" { inside = 1; folder = path; sub(/\/[^\/]*$/, "", folder); system("mkdir -p " folder); next }
    inside { print >path }
    !inside && /[^ ]/ { path = "" }' CONTRIBUTING.md

# The lines it says to add to files that are there.
add() { # add FILE SED-SCRIPT
    sed -i "$2" "$1"
}
add lib/meson.build "s|^subdir('projection')|subdir('chance')\n&|"
add lib/lemmata.h 's|^#include "linalg/linalg.h"|#include "chance/chi_square.h"\n&|'
add lib/cli/registry.c 's|^extern const lem_formula_table lem_projection_formulas;|extern const lem_formula_table lem_chance_formulas;\n&|
s|^    &lem_projection_formulas,|    \&lem_chance_formulas,\n&|'
add tests/meson.build "s|^subdir('projection')|subdir('chance')\n&|"
add studies/meson.build "s|^studies = \\[|&\\n  'chi-square',|"

record() { build/lemmata record --into notebooks-md build/studies/chi-square; }

plan 13

ok "it names its files" test -f notebooks-md/chi-square.md -a -f studies/chi-square/study.c -a -f tests/chance/meson.build
ok "the build is configured" meson setup build
ok "it builds without a warning" sh -c 'ninja -C build >log 2>&1 && ! grep -E "warning:|error:" log || { grep -A 20 -E "FAILED|warning:|error:" log; false; }'
is "$(build/lemmata eval chi_square_mean n=2.5)" "2.5" "the formula is there"
ok "the unit test passes" meson test -C build chance/chi_square
ok "the tests of the project, its programs and the reference values pass" \
    meson test -C build --suite cli --suite reference
ok "the study runs at test scale" meson test -C build chi-square
ok "and at full scale" ninja -C build study-chi-square
ok "with its figure" test -s build/studies/chi-square/figures/mean.svg
ok "the record and the page are made" record
has "$(cat notebooks-md/chi-square.md)" '| `chisq.mean` |' "the claim is woven"
has "$(build/lemmata show chisq.mean)" "studies/chi-square/study.c:" "and can be cited"
if command -v clang-format >/dev/null 2>&1 && clang-format --version | grep -q 'version 14\.'; then
    ok "the source on the page is in the form of .clang-format" \
        clang-format --dry-run -Werror lib/chance/*.[ch] studies/chi-square/study.c tests/chance/*.c
else
    skip "the source on the page is in the form of .clang-format" "no clang-format 14"
fi

finish
