#!/bin/sh
# Studies under mpirun: the results of one process to the byte, one voice, and an end to all when one rank fails.
# usage: test_mpi.sh SOURCE_ROOT DEMO TEST_RANKS [DRIVER SECTION]...
set -u
# Meson names programs from its build folder.
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
root=$1
build=$PWD
demo=$(absolute "$2")
test_ranks=$(absolute "$3")
shift 3
. "$root/tests/project/tap.sh"
command -v mpirun >/dev/null 2>&1 || skip_all "mpirun is not installed"

# Open MPI refuses root and more ranks than processors unless it is told so.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cd "$TAP_SCRATCH" || exit

# run COMMAND...: its output in out and err, its status in $status; 124 when it hangs
run() {
    timeout 60 "$@" >out 2>err </dev/null
    status=$?
}
# bare FOLDER: its results.json without timing and provenance, which alone may differ
bare() { awk '/^ "(provenance|timing)": /, /^ }/ { next } { print }' "$1/results.json"; }
field() { sed -n "s/^  \"$2\": \([0-9]*\),*\$/\1/p" "$1/results.json"; } # field FOLDER threads|ranks
same() { # same FOLDER: as the run in one/
    [ -s "$1/results.json" ] && bare one >wanted && bare "$1" >found && grep -q '"values"' found && cmp wanted found
}

plan $((40 + 2 * $#))

# --- the transport itself
for ranks in 1 2 3; do
    run mpirun -n $ranks "$test_ranks"
    is "$status $(grep -c '^ok' out)" "0 6" "the transport among $ranks"
    [ $status = 0 ] || diag "$(cat out err)"
done

# --- the same bytes
run "$demo" --out one --scale 0.2 --no-figures
is $status 0 "a build with MPI runs without mpirun"
is "$(field one ranks)" 1 "as one rank"
cp out wanted-claims
for ranks in 1 2 3; do
    for threads in 1 2; do
        folder=r$ranks-t$threads
        run mpirun -n $ranks "$demo" --out $folder --scale 0.2 --no-figures --threads $threads
        ok "$ranks ranks of $threads threads give the results of one process" same $folder
    done
    is "$(field $folder ranks)" $ranks "and say that they were $ranks"
    ok "the table is the same" cmp one/data/demo.tsv $folder/data/demo.tsv
    ok "so are the claims on standard output, once" cmp wanted-claims out
done
if command -v gnuplot >/dev/null 2>&1; then
    run "$demo" --out one-drawn --scale 0.2
    run mpirun -n 2 "$demo" --out drawn --scale 0.2
    ok "and the figure" cmp one-drawn/figures/demo.svg drawn/figures/demo.svg
else
    skip "and the figure" "no gnuplot"
fi
is "$(find . -name '*.tmp')" "" "no temporary file is left"

while [ $# -ge 2 ]; do
    driver=$(cd "$build" && absolute "$1")
    name=$(basename "$driver")
    rm -rf one
    run "$driver" --out one --only "$2" --scale 0.1 --seed 2 --no-figures --quiet
    cp out wanted-claims
    for setting in 2:2 3:1; do
        run mpirun -n ${setting%:*} "$driver" --out real-$setting --only "$2" --scale 0.1 --seed 2 --no-figures --quiet \
            --threads ${setting#*:}
        ok "$name, $2: ${setting%:*} ranks of ${setting#*:} threads give the results of one process" same real-$setting
        ok "and its claims" cmp wanted-claims out
    done
    rm -rf real-*
    shift 2
done

# --- what all ranks must share, and what they leave each other
run mpirun -n 2 "$demo" --out chance --seed random --scale 0.1 --no-figures
is "$status $(grep -c '^seed ' err)" "0 1" "a random seed is drawn once for all"
run mpirun -n 2 --bind-to none "$demo" --out free --scale 0.1 --no-figures --quiet
cores=$(nproc)
is "$(field free threads)" $((cores / 2 > 0 ? cores / 2 : 1)) "ranks of one machine share its processors out"
run mpirun -n 2 "$demo" --help
is "$status $(grep -c '^Usage' out)" "0 1" "help comes once"

# --- failures: the message once, a status, no result, no hanging
fails() { # fails DESCRIPTION WORDS: of the last run
    if [ $status != 0 ] && [ $status != 124 ] && [ ! -e bad ] && [ "$(grep -c -F -e "$2" err)" = 1 ]; then
        result 0 "$1"
    else
        result 1 "$1"
        diag "status $status; $(ls -d bad 2>/dev/null) $(cat err)"
    fi
}
arguments="--out bad --scale 0.1 --no-figures"
# split TROUBLE0 TROUBLE1: rank 0 and 1 in trouble of their own
split() {
    # shellcheck disable=SC2086  # a list of options
    run mpirun -n 1 -x DEMO_TROUBLE="$1" "$demo" $arguments : -n 1 -x DEMO_TROUBLE="$2" "$demo" $arguments
}
run mpirun -n 2 "$demo" --out bad --frobnicate
fails "an unknown option" "unknown argument '--frobnicate'"
run mpirun -n 1 "$demo" --out bad : -n 1 "$demo" --out bad --seed 5
fails "other options on another rank" "rank 1 of 2 has other options than rank 0"
run mpirun -n 2 "$demo" --out /dev/null/bad
fails "a folder that cannot be" "cannot make the folder /dev/null: a file of that name is in the way"
run mpirun -n 2 "$demo" --out bad --record nowhere.json
fails "a record that is not there" "nowhere.json"
run mpirun -n 3 -x DEMO_TROUBLE="bad chunks" "$demo" --out bad --scale 0.1 --no-figures
fails "many failing chunks: the lowest is told, as by one process" "chunk 7 of 20 (samples from 7000): sample 7000 is too hot"
has "$(cat out)" "Bail out! section sampling: chunk 7 of 20" "on standard output too"
split none "bad chunks"
fails "failing chunks on one rank alone" "is too hot"
split "nan value" none
fails "a section that fails on rank 0 alone" "rank 0 of 2: section exact: value demo.bad"
split none "nan value"
fails "a section that fails on rank 1 alone" "rank 1 of 2: section exact: value demo.bad"
split none "last bit"
fails "one bit that differs" "rank 1 of 2 has other results"
# Open MPI 4 gives a process it ends a few milliseconds between SIGTERM and SIGKILL, unless it is told to wait.
export OMPI_MCA_odls_base_sigkill_timeout=2
split none killed
fails "a rank that is killed" "interrupted: nothing was written"
mkdir -p full/results.json/in-the-way
run mpirun -n 2 "$demo" --out full --scale 0.1 --no-figures
is "$status $(grep -c 'cannot put .*results.json into place' err)" "3 1" "results that cannot be put into place"

# Not under timeout, which would tell mpirun twice: then it leaves its ranks to themselves.
mpirun -n 2 -x DEMO_TROUBLE=linger "$demo" --out bad --no-figures >out 2>err </dev/null &
launcher=$!
while ! [ -e bad/data ] && kill -0 $launcher 2>/dev/null; do sleep 0.1; done
kill -TERM $launcher
wait $launcher
status=$?
fails "an interrupt" "interrupted: nothing was written"

run env SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 "$demo" --out bad
fails "processes that cannot know of each other" "srun has started 4 processes (SLURM_STEP_NUM_TASKS), but MPI"
run env SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 "$demo" --out bad
is "$status $(cat out err)" "0 " "of which the first alone speaks"

finish
