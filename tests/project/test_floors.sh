#!/bin/sh
# No floor includes a higher one, floor 3 does not include floor 2, and no files include each other.
# usage: test_floors.sh SOURCE_ROOT
set -u
root=$1
. "$root/tests/project/tap.sh"

# faults TREE: what floors.awk finds there
faults() {
    (
        cd "$1" || exit
        files=$(find lib studies tests -type f -name '*.[ch]' ! -path '*/data/*' 2>/dev/null | sort)
        generated=$(find lib -name meson.build | while IFS= read -r recipe; do
            sed -n "s|.*output: '\([^']*\.h\)'.*|${recipe%meson.build}\1|p" "$recipe"
        done)
        # shellcheck disable=SC2086  # a list of files
        awk -v generated="$(echo $generated)" -f "$root/tests/project/floors.awk" $files
    )
}

tree=$TAP_SCRATCH/tree
plant() { # plant FILE INCLUDE...: a file with these includes
    mkdir -p "$tree/$(dirname "$1")"
    file=$1
    shift
    : >"$tree/$file"
    for name; do echo "#include \"$name\"" >>"$tree/$file"; done
}
good_tree() {
    rm -rf "$tree"
    plant lib/base/error.h
    echo "configure_file(input: 'version.h.in', output: 'version.h')" >"$tree/lib/base/meson.build"
    plant lib/rng/stream.h base/error.h
    plant lib/rng/kernel.h
    plant lib/rng/stream.c rng/stream.h kernel.h
    plant lib/projection/jl.h rng/stream.h
    plant lib/study/study.h rng/stream.h
    plant lib/lemmata.h base/version.h rng/stream.h projection/jl.h
    plant lib/cli/registry.c projection/jl.h study/study.h
    plant studies/toy/study.c study/study.h lemmata.h
    plant tests/rng/test_stream.c rng/stream.h
}

plan 11

good_tree
is "$(faults "$tree")" "" "a good tree has no fault"

good_tree
plant lib/stat/mc.c projection/jl.h
has "$(faults "$tree")" "lib/stat/mc.c:1: floor 1 includes floor 2 (lib/projection/jl.h)" "floor 1 including floor 2 is found"

good_tree
plant lib/projection/jl.c projection/jl.h study/study.h
has "$(faults "$tree")" "lib/projection/jl.c:2: floor 2 includes floor 3" "floor 2 including floor 3 is found"

good_tree
plant lib/study/run.c projection/jl.h
has "$(faults "$tree")" "lib/study/run.c:1: floor 3 includes floor 2" "floor 3 including floor 2 is found"

good_tree
plant lib/study/run.c lemmata.h
has "$(faults "$tree")" "lib/study/run.c:1: floor 3 includes floor 4" "the way round through lemmata.h is found"

good_tree
plant studies/toy/study.c ../../tests/rng/oracle.h
plant tests/rng/oracle.h
plant lib/projection/jl.c ../../studies/toy/toy.h
plant studies/toy/toy.h
has "$(faults "$tree")" "lib/projection/jl.c:1: floor 2 includes floor 4" "a study's header in the library is found"
has "$(faults "$tree")" "studies/toy/study.c:1: floor 4 includes floor 5" "a test's header in a study is found"

good_tree
plant lib/rng/a.h rng/b.h
plant lib/rng/b.h rng/a.h
has "$(faults "$tree")" "lib/rng/a.h: includes lib/rng/b.h, which includes it in turn" "two files including each other are found"

good_tree
plant lib/rng/a.h rng/b.h
plant lib/rng/b.h rng/c.h
plant lib/rng/c.h rng/a.h
plant lib/rng/user.c rng/a.h
found=$(faults "$tree")
is "$(echo "$found" | grep -c 'in turn')" 3 "a circle of three is found, and nothing but the circle"

good_tree
plant lib/rng/a.c rng/nowhere.h
has "$(faults "$tree")" "\"rng/nowhere.h\" leads to no file" "an include that leads nowhere is found"

is "$(faults "$root")" "" "the project's own tree has no fault"

finish
