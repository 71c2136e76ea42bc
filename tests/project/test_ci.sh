#!/bin/sh
# .ci/run counts what really happened, and cannot pass when something failed or did not run.
# usage: test_ci.sh SOURCE_ROOT
set -u
root=$1
. "$root/tests/project/tap.sh"

# counted LINE...: what counts.awk makes of these lines of a Meson log
counted() { printf '%s\n' "$@" | awk -f "$root/.ci/counts.awk"; }
log_line() { # log_line RESULT STDOUT
    printf '{"name": "lemmata:unit / x", "stdout": "%s", "result": "%s", "starttime": 1.5, "env": {"A": "ok 1"}}' "$2" "$1"
}

house=$TAP_SCRATCH/house
# A project whose meson writes the given line into the log it is asked for, and ends with the given status.
new_house() { # new_house LOG_LINE MESON_STATUS
    rm -rf "$house"
    mkdir -p "$house/.ci" "$house/bin"
    cp "$root/.ci/run" "$root/.ci/counts.awk" "$house/.ci"
    printf '%s\n' "$1" >"$house/line"
    printf '#!/bin/sh\nexit 0\n' | tee "$house/setup.sh" "$house/bin/clang-format" "$house/bin/git" >/dev/null
    cat >"$house/bin/meson" <<END
#!/bin/sh
case "\$*" in
setup*) exit 0 ;;
esac
log=testlog
while [ \$# -gt 0 ]; do
    [ "\$1" = -C ] && build=\$2
    [ "\$1" = --logbase ] && log=\$2
    shift
done
mkdir -p \$build/meson-logs && [ -s line ] && cat line >\$build/meson-logs/\$log.json
exit $2
END
    chmod +x "$house/setup.sh" "$house"/bin/*
}
ci() { # the last line in $last, the status in $status
    PATH="$house/bin:$PATH" bash "$house/.ci/run" >"$TAP_SCRATCH/ci" 2>&1 </dev/null
    status=$?
    last=$(tail -n 1 "$TAP_SCRATCH/ci")
}

plan 15

is "$(counted "$(log_line OK 'TAP version 13\n1..3\nok 1 - a\nok 2 - b\nok 3 - c # SKIP no data\n')")" "2 0 1" \
    "TAP counts by its points"
is "$(counted "$(log_line FAIL 'TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b\n  ---\n  said: ok 3\n')")" "1 1 0" "failed ones too"
is "$(counted "$(log_line ERROR 'TAP version 13\n1..2\nok 1 - a\n')")" "1 1 0" "a test that stops half-way is a failure"
is "$(counted "$(log_line TIMEOUT '')")" "0 1 0" "so is one that takes too long"
is "$(counted "$(log_line OK '')" "$(log_line OK 'all is well\n')")" "2 0 0" "a test without points is one"
is "$(counted "$(log_line SKIP 'TAP version 13\n1..0 # SKIP no data\n')")" "0 0 1" "one that is skipped has not passed"
is "$(counted '{"name": "x", "result": "FAIL", "starttime": 1}')" "0 1 0" "a line without output counts"
is "$(counted "$(log_line OK 'ok 1 - prints \"result\": \"FAIL\"\n')")" "1 0 0" "a test may print anything"

new_house "$(log_line OK 'TAP version 13\n1..2\nok 1 - a\nok 2 - b\n')" 0
ci
is "$status" 0 "all is well"
ok "and the last line says so: $last" expr "$last" : '[1-9][0-9]* passed, 0 failed$'

new_house "$(log_line FAIL 'TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b\n')" 1
ci
is "$status $(expr "$last" : '[0-9]* passed, \([0-9]*\) failed$')" "1 6" "a failed point in each of six stages is counted"

new_house "$(log_line OK 'TAP version 13\n1..2\nok 1 - a\nok 2 - b\n')" 1
ci
is "$status $(expr "$last" : '[0-9]* passed, \([0-9]*\) failed$')" "1 6" "a stage that fails without a failed point is a failure"

new_house "" 0
ci
is "$status $(expr "$last" : '[0-9]* passed, \([0-9]*\) failed$')" "1 6" "a stage that ran no test is a failure"

new_house "$(log_line OK 'TAP version 13\n1..1\nok 1 - a\n')" 0
printf '#!/bin/sh\nexit 1\n' >"$house/setup.sh"
ci
is "$status $(expr "$last" : '[0-9]* passed, \([0-9]*\) failed$')" "1 2" "a set-up that stops is a failure"

new_house "$(log_line OK 'TAP version 13\n1..1\nok 1 - a\n')" 0
printf '#!/bin/sh\n[ "$1" = status ] && echo " M lib/x.c"\nexit 0\n' >"$house/bin/git"
ci
is "$status $(expr "$last" : '[0-9]* passed, \([0-9]*\) failed$')" "1 1" "a tree that the tests changed is a failure"

finish
