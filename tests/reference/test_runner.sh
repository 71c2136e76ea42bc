#!/bin/sh
# The runner of reference values can fail: on formulas whose errors are known.
# usage: test_runner.sh RUNNER SOURCE
# shellcheck disable=SC2154
runner=$1 source=$2
. "$source/tests/project/tap.sh"
plan 32

# try JSON: status, and said without comments.
try() {
    rm -rf "$TAP_SCRATCH/files"
    mkdir "$TAP_SCRATCH/files"
    echo "$1" >"$TAP_SCRATCH/files/a.json"
    said=$("$runner" "$TAP_SCRATCH/files" 2>&1)
    status=$?
}
# entry FUNCTION ARGUMENTS VALUE [MORE]
entry() { try "{\"$1\": [{\"args\": {$2}, \"value\": $3 ${4-}}]}"; }
passes() { has "$status$said" "0TAP version 13" "$1 passes"; }
fails() { # fails DESCRIPTION PART
    has "$status$said" "1TAP version 13" "$1 fails"
    has "$said" "$2" "$1: says why"
}

entry exact '"x": "0.3"' '"0.3"'
passes "a right value"
entry exact '"x": "0.3"' '"0.29999999999999"'
fails "a value beyond the tolerance" "tolerance: "
entry exact '"x": "0.3"' '"0.2999999999999999"'
passes "a value within 64 epsilons"
entry exact '"x": "0.3"' '"0.29999"' ', "tol": "2e-5"'
passes "a value within its own tol"
entry exact '"x": "0.3"' '"0.29999"' ', "tol": "0.9e-5"'
fails "a value beyond its own tol" "own 9e-06"
entry exact '"x": 3' '3'
passes "numbers instead of texts"
entry exact '"x": "inf"' '"inf"'
passes "infinity"
entry exact '"x": "inf"' '"1e300"'
fails "infinity for a number" "result: inf"
entry exact '"x": "0"' '"0"'
passes "zero"
entry exact '"x": "0"' '"1e-300"'
fails "a number for zero" "error: 1e-300"
entry exact '"x": "0.3"' '["0.3", "0.3"]'
fails "two values for one result" "results: 1, reference has 2"
entry exact '"y": "0.3"' '"0.3"'
fails "an unknown argument" "has no argument y"
entry exakt '"x": "0.3"' '"0.3"'
fails "an unknown formula" "the registry has no formula of this name"
entry pole '"x": "0.9999999999"' '"10000000000"'
passes "a badly conditioned argument" # the double nearest to x is off by 1e-17, the result by 1e-7 relative
entry pole '"x": "1"' '"0"'
fails "a value outside the domain" "x = 1: must be < 1"
entry sums '"x": ["0.1", "0.2"]' '["0.3", "0.05"]'
passes "a list of arguments and of results"
entry loose '"x": "0.3"' '"0.3"'
fails "a statement that is too loose" "tighten it"
entry rough '"x": "0.3"' '"0.3"'
fails "a statement looser than 1e-10" "without a reason from the spec"
entry excused '"x": "0.3"' '"0.3"'
passes "one with a reason"
entry wrong '"x": "0.3"' '"0.3"'
fails "an accuracy that is not kept" "error: 3e-10"
try '{"_study": [{"args": {}, "value": "1"}], "exact": [{"args": {"x": "1"}, "value": "1"}]}'
has "$said" "1..2" "a key that begins with _ is no function"
finish
