# TAP 13 for tests in shell; lib/tap is its counterpart in C. Source it, then: plan N; and one of ok, is, has, lacks
# or skip per test point; finish. Each test point's last argument is its description.
# shellcheck shell=sh

tap_done=0
tap_failed=0
tap_planned=0
TAP_SCRATCH=$(mktemp -d)
trap 'rm -rf "$TAP_SCRATCH"' EXIT

plan() {
    tap_planned=$1
    printf 'TAP version 13\n1..%d\n' "$1"
}
skip_all() {
    printf 'TAP version 13\n1..0 # SKIP %s\n' "$*"
    exit 0
}
diag() { printf '%s\n' "$*" | sed 's/^/# /'; }
result() { # result STATUS DESCRIPTION
    tap_done=$((tap_done + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_done - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_done - $2"
    fi
}
skip() { # skip DESCRIPTION REASON
    tap_done=$((tap_done + 1))
    echo "ok $tap_done - $1 # SKIP $2"
}
# ok DESCRIPTION COMMAND...: the command succeeds; what it says is shown when it does not.
ok() {
    tap_what=$1
    shift
    if "$@" >"$TAP_SCRATCH/said" 2>&1 </dev/null; then
        result 0 "$tap_what"
    else
        result 1 "$tap_what"
        diag "failed: $*"
        diag "$(head -n 60 "$TAP_SCRATCH/said")"
    fi
}
is() { # is FOUND WANTED DESCRIPTION
    if [ "$1" = "$2" ]; then
        result 0 "$3"
    else
        result 1 "$3"
        diag "found:  $1"
        diag "wanted: $2"
    fi
}
has() { # has TEXT PART DESCRIPTION
    case $1 in
    *"$2"*) result 0 "$3" ;;
    *)
        result 1 "$3"
        diag "'$2' is not in: $1"
        ;;
    esac
}
lacks() { # lacks TEXT PART DESCRIPTION
    case $1 in
    *"$2"*)
        result 1 "$3"
        diag "'$2' is in: $1"
        ;;
    *) result 0 "$3" ;;
    esac
}
finish() {
    [ "$tap_done" = "$tap_planned" ] && [ "$tap_failed" = 0 ]
    exit
}
