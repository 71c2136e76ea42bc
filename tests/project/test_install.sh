#!/bin/sh
# The installed library as a user meets it: the program of README.md, compiled through pkg-config against the shared
# and the static library, prints what README.md says it prints; OpenBLAS serves it whatever the link line says.
# usage: test_install.sh SOURCE_ROOT BUILD_ROOT
set -u
root=$1
build=$2
. "$root/tests/project/tap.sh"
. "$root/tests/project/installed.sh"
install_lemmata

CC=${CC:-cc}
bin=$TAP_SCRATCH/bin
mkdir "$bin"
cflags=$(pkg-config --cflags lemmata)
libs=$(pkg-config --libs lemmata)
static_libs=$(pkg-config --static --libs lemmata)

# README.md: the first C block with a main, and the block after it.
awk -v program="$bin/user.c" -v output="$bin/wanted" '
    /^```c$/ && !found { block = ""; inside = 1; next }
    /^```/ && inside { inside = 0; if (block ~ /int main/) { printf "%s", block >program; found = 1 } next }
    inside { block = block $0 "\n"; next }
    /^```/ && found == 1 { found = 2; next }
    /^```/ && found == 2 { exit }
    found == 2 { print >output }' "$root/README.md"

# shellcheck disable=SC2086  # lists of options, here and below
compile() { # compile PROGRAM SOURCE OPTION...
    program=$1
    source=$2
    shift 2
    ok "$program compiles" $CC -std=c11 -Wall -Wextra -Wpedantic -Werror $cflags -o "$bin/$program" "$source" "$@"
}
needed() { readelf -d "$bin/$1" | grep NEEDED; }
run() { LD_LIBRARY_PATH=$libdir "$bin/$1" 2>&1; }

plan 22

ok "README.md holds a program" grep -q 'int main' "$bin/user.c"
lines=$(grep -c . "$bin/user.c")
ok "of about ten lines ($lines)" test "$lines" -le 16

# Shared.
compile shared "$bin/user.c" $libs
has "$(needed shared)" "[liblemmata.so.0]" "it asks for the versioned shared library"
has "$(readelf -d "$libdir/liblemmata.so")" "soname: [liblemmata.so.0]" "whose name carries the version"
ok "the full version is there too" test -f "$libdir/liblemmata.so.$(pkg-config --modversion lemmata)"
is "$(run shared)" "$(cat "$bin/wanted")" "it prints what README.md says"

# Static: the same libraries without the shared one.
mkdir "$TAP_SCRATCH/static"
cp "$libdir/liblemmata.a" "$TAP_SCRATCH/static"
# shellcheck disable=SC2046
compile static "$bin/user.c" "-L$TAP_SCRATCH/static" $(echo "$static_libs" | sed "s|-L$libdir||")
lacks "$(needed static)" "liblemmata" "it does without the shared library"
is "$(run static)" "$(cat "$bin/wanted")" "the static program prints the same"

# Which library serves dgemm_ to us, under both orders of the link line, with and without --as-needed.
cat >"$bin/blas.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gsl/gsl_blas.h>
#include <lemmata.h>
#include <stdio.h>

int main(void) {
    double one[] = {1}, two[] = {2}, product[] = {0};
    gsl_matrix_view a = gsl_matrix_view_array(one, 1, 1), b = gsl_matrix_view_array(two, 1, 1);
    gsl_matrix_view c = gsl_matrix_view_array(product, 1, 1);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &a.matrix, &b.matrix, 0, &c.matrix);
    if (product[0] != 2 || lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &a.matrix, &b.matrix, 0, &c.matrix, 1) || product[0] != 2)
        return 1;
    Dl_info info;
    void *dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
    puts(dgemm && dladdr(dgemm, &info) ? info.dli_fname : "nobody");
    puts(lem_blas_description());
    return 0;
}
END
gsl_first="$(pkg-config --libs gsl) -L$libdir -llemmata $(pkg-config --libs openblas)"
for linking in --as-needed --no-as-needed; do
    compile blas "$bin/blas.c" -Wl,$linking $libs -ldl
    found=$(run blas)
    has "$(echo "$found" | head -n 1)" "openblas" "OpenBLAS serves it ($linking, as pkg-config says)"
    compile blas "$bin/blas.c" -Wl,$linking $gsl_first -ldl
    found=$(run blas)
    has "$(echo "$found" | head -n 1)" "openblas" "OpenBLAS serves it ($linking, gslcblas first)"
    has "$(echo "$found" | tail -n 1)" "OpenBLAS" "and lem_blas_description says so"
done

# The program.
ok "the program is installed" test -x "$prefix/bin/lemmata"
has "$(LD_LIBRARY_PATH=$libdir "$prefix/bin/lemmata" --version 2>&1)" "$(pkg-config --modversion lemmata)" \
    "and has the version of the pkg-config module"

finish
