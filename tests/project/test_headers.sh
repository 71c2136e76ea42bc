#!/bin/sh
# The installed headers: each stands alone, in C11 and in C++; each public function is documented, marked LEM_API,
# and really there; nothing else is exported. usage: test_headers.sh SOURCE_ROOT BUILD_ROOT
set -u
root=$1
build=$2
. "$root/tests/project/tap.sh"
. "$root/tests/project/installed.sh"
install_lemmata

CC=${CC:-cc}
include=$prefix/include/lemmata
headers=$(cd "$include" && find . -name '*.h' | sed 's|^\./||' | sort)
cflags=$(pkg-config --cflags lemmata)
strict='-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only'

cxx=
for candidate in ${CXX:-c++ g++ clang++}; do
    command -v "$candidate" >/dev/null 2>&1 && cxx=$candidate && break
done

# alone COMPILER... : compile each header by itself, twice included
alone() {
    worked=0
    for header in $headers; do
        printf '#include "%s"\n#include "%s"\nextern int nothing;\n' "$header" "$header" >"$TAP_SCRATCH/alone.$suffix"
        # shellcheck disable=SC2086  # lists of options
        "$@" $cflags "$TAP_SCRATCH/alone.$suffix" || worked=1
    done
    return "$worked"
}

plan 9

ok "there are headers" test "$(echo "$headers" | wc -l)" -gt 5
suffix=c
# shellcheck disable=SC2086
ok "each header stands alone in C11" alone $CC -std=c11 $strict
suffix=cc
if [ -n "$cxx" ]; then
    ok "each header stands alone in C++11" alone "$cxx" -std=c++11 -Wall -Wextra -Werror -fsyntax-only
else
    skip "each header stands alone in C++11" "no C++ compiler"
fi

# shellcheck disable=SC2086
(cd "$include" && awk -f "$root/tests/project/public.awk" $headers) >"$TAP_SCRATCH/public"
ok "there are public functions" test "$(wc -l <"$TAP_SCRATCH/public")" -gt 10
is "$(grep ' no-api ' "$TAP_SCRATCH/public")" "" "each public function is marked LEM_API"
is "$(grep ' undocumented' "$TAP_SCRATCH/public")" "" "each public function has a doc comment"

nm -D --defined-only "$libdir/liblemmata.so" | awk '{ print $NF }' | sort >"$TAP_SCRATCH/exported"
cut -d ' ' -f 2 "$TAP_SCRATCH/public" | sort -u >"$TAP_SCRATCH/declared"
is "$(grep -v '^lem_' "$TAP_SCRATCH/exported")" "" "only names in lem_ are exported"
is "$(comm -3 "$TAP_SCRATCH/exported" "$TAP_SCRATCH/declared")" "" \
    "what is declared is exported, and the other way round (left: only exported, right: only declared)"

# The address of every public name, taken in C++: a forgotten extern "C" does not link.
{
    for header in $headers; do echo "#include \"$header\""; done
    echo 'const void *volatile address;'
    echo 'int main() {'
    sed 's/.*/    address = (const void *)\&&;/' "$TAP_SCRATCH/declared"
    echo '}'
} >"$TAP_SCRATCH/all.cc"
if [ -n "$cxx" ]; then
    # shellcheck disable=SC2046
    ok "a C++ program links with all of them" "$cxx" -std=c++11 -w $(pkg-config --cflags lemmata) \
        "$TAP_SCRATCH/all.cc" $(pkg-config --libs lemmata) -o "$TAP_SCRATCH/all"
else
    skip "a C++ program links with all of them" "no C++ compiler"
fi

finish
