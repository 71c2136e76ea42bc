#!/bin/sh
# usage: test_consumers.sh SOURCE_ROOT SAMPLE: the emitter as a whole program, against stored exact output, and as Meson
# and prove read it.
set -u
here=$1/tests/tap
sample=$(realpath "$2") # Meson gives it relative to the build folder
. "$1/tests/project/tap.sh"
plan 11

cd "$TAP_SCRATCH" || exit 1
"$sample" >out 2>err
is "$?" 1 "failed cases make the exit status 1"
sed 's|at: .*/|at: |' out >stripped
ok "the output is the stored one" diff -u "$here/sample.expected" stripped
is "$(cat err)" "a stray line on standard output" "what else is printed on standard output goes to standard error"
"$sample" good >good 2>err
is "$?" 0 "passed and skipped cases make it 0"
is "$(grep -c '^ok' good)" 2 "arguments pick cases"
LEMMATA_TEST_EFFORT=much "$sample" good >out 2>err
is "$?" 0 "the effort is read only by those who ask"

mkdir project
cat >project/meson.build <<END
project('consumer')
sample = find_program('$sample')
test('good', sample, args: 'good', protocol: 'tap')
test('bad', sample, args: 'bad', protocol: 'tap')
END
if command -v meson >meson.log && meson setup project/build project >meson.log 2>&1; then
    meson test -C project/build good >meson.log 2>&1
    is "$?/$(grep -c 'good *OK .*2 subtests passed' meson.log)" 0/1 "Meson accepts what passes"
    meson test -C project/build bad >meson.log 2>&1
    is "$?/$(grep -c 'bad *\(FAIL\|ERROR\)' meson.log)" 1/1 "Meson counts what fails"
else
    skip "Meson accepts what passes" "meson does not run here"
    skip "Meson counts what fails" "meson does not run here"
fi

if command -v prove >prove.log; then
    ok "prove accepts what passes" prove -e '' "$sample :: good"
    prove -e '' "$sample" :: bad >prove.log 2>&1
    has "$(cat prove.log)" "Failed 4/4 subtests" "prove counts what fails"
    lacks "$(cat prove.log)" "Parse errors" "... and reads the YAML blocks"
else
    skip "prove accepts what passes" "prove is not installed"
    skip "prove counts what fails" "prove is not installed"
    skip "... and reads the YAML blocks" "prove is not installed"
fi
finish
