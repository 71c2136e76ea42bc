#!/bin/sh
# What no file of the project may hold, and the form of the source. usage: test_text.sh SOURCE_ROOT
set -u
root=$1
. "$root/tests/project/tap.sh"
cd "$root" || exit

all_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files
    else
        find . \( -path './build*' -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||'
    fi
}
all_files | while IFS= read -r file; do
    # Git may list a file that is gone.
    [ -f "$file" ] && [ "$file" != LICENSE ] && echo "$file"
done >"$TAP_SCRATCH/files"

# hits PATTERN: every line of text that matches it
hits() { xargs -d '\n' grep -I -n -H -E -e "$1" -- <"$TAP_SCRATCH/files"; }
# The patterns are put together here so that this file does not match itself.
own='/(ho''me/[a-z][a-z]+|Us''ers/[a-z][a-z]+|ro''ot|wo''rk|mn''t)/'
later='(^|[^A-Z])(TO''DO[:(]|FIX''ME|XX''X([^X]|$))|(/\*|//|^ *[#*]) *TO''DO'
sources=$(grep -E '\.[ch]$' "$TAP_SCRATCH/files" | grep -v '^tests/.*/data/')

plan 7

ok "there are files to look at" test "$(wc -l <"$TAP_SCRATCH/files")" -gt 30
is "$(hits "(^|[^A-Za-z0-9_.}\$])$own")" "" "no path of one machine"
is "$(hits "$later")" "" "nothing is left for later"
is "$(hits '[[:space:]]$' | grep -v -E '^[^:]*\.(svg|md|json|tsv):')" "" "no space at the end of a line"
is "$(hits '^(<<<<<<<|>>>>>>>) ')" "" "no marks of an unfinished merge"

if ! command -v clang-format >/dev/null 2>&1; then
    skip "the source is in the form of .clang-format" "clang-format is not installed (setup.sh --dev)"
elif ! clang-format --version | grep -q 'version 14\.'; then
    skip "the source is in the form of .clang-format" "only version 14 gives exactly this form"
else
    # shellcheck disable=SC2086  # a list of files
    ok "the source is in the form of .clang-format" clang-format --dry-run -Werror $sources
fi

if command -v shellcheck >/dev/null 2>&1; then
    # shellcheck disable=SC2046  # a list of files
    ok "shellcheck finds nothing in the scripts" shellcheck -S warning -x -P . $(grep -E '(\.sh|^\.ci/run)$' "$TAP_SCRATCH/files")
else
    skip "shellcheck finds nothing in the scripts" "shellcheck is not installed"
fi

finish
