#!/bin/sh
# Install what is missing and configure build/. See usage() below.
set -eu

usage() {
    cat <<'END'
usage: ./setup.sh [--dev] [--no-install] [--help]

Finds out what lemmata needs and this machine lacks, installs it where that is possible without a question
(Debian and its relatives, as root or through sudo), and configures the release build in build/. Elsewhere it
prints the names of the packages and stops. It may be run again at any time: what is there is left alone.

  --dev         also the tools of a contributor: clang, clang-format, valgrind, shellcheck, prove, MPI
  --no-install  never install anything, only say what is missing
  --help        this text

Afterwards: ninja -C build studies    every figure and every number again
            meson test -C build       every test

The compiler is $CC, or cc. Exit status: 0 when build/ is ready; 1 when something required is missing or the
configuration failed; 2 for an unknown option.
END
}

dev=no
install=yes
for option in "$@"; do
    case $option in
    --dev) dev=yes ;;
    --no-install) install=no ;;
    --help | -h) usage && exit 0 ;;
    *)
        echo "setup.sh: unknown option '$option'; the options are --dev, --no-install and --help" >&2
        exit 2
        ;;
    esac
done

cd "$(dirname "$0")"

say() { echo "setup.sh: $*"; }
stop() {
    echo "setup.sh: stopped: $*" >&2
    exit 1
}

# --- what is needed ---------------------------------------------------------------------------------------------
#
# One line each: key, need (build|tests|figures|data|dev), what for, and the package in apt, dnf, pacman and brew
# ("-": none known, see the URL in the last column). Whether a thing is there is asked of the thing itself, in
# has(), so that a hand-made installation counts as well as a package.

requirements() {
    cat <<'END'
cc|build|the C compiler|gcc libc6-dev|gcc glibc-devel|gcc|gcc|
meson|build|the build system, 1.0.1 or later|meson|meson|meson|meson|
ninja|build|runs the build|ninja-build|ninja-build|ninja|ninja|
pkgconf|build|finds the libraries|pkg-config|pkgconf-pkg-config|pkgconf|pkgconf|
gsl|build|vectors, matrices, quadrature, root finding (GSL 2.7 or later)|libgsl-dev|gsl-devel|gsl|gsl|
openblas|build|BLAS and LAPACK|libopenblas-pthread-dev|openblas-devel|openblas|openblas|
rmath|build|distribution functions and quantiles (libRmath)|r-mathlib|libRmath-devel|r|r|
sleef|build|vectorised elementary functions|libsleef-dev|sleef-devel|sleef|sleef|https://sleef.org
random123|build|counter-based random numbers|librandom123-dev|Random123-devel|-|-|https://github.com/DEShawResearch/random123
jansson|build|JSON (2.13 or later)|libjansson-dev|jansson-devel|jansson|jansson|
zlib|build|reads compressed data sets|zlib1g-dev|zlib-devel|zlib|zlib|
openmp|build|OpenMP for this compiler|libomp-dev|libomp-devel|openmp|libomp|
cxx|tests|the C++ compiler: the headers must serve C++ too|g++|gcc-c++|gcc|gcc|
arb|tests|interval arithmetic, the oracle of the tests|libflint-arb-dev|flint-devel|flint|flint|
cmark|tests|renders the write-ups|cmark-gfm|-|cmark-gfm|cmark-gfm|https://github.com/github/cmark-gfm
gnuplot|figures|draws the figures|gnuplot-nox|gnuplot|gnuplot|gnuplot|
dejavu|figures|the font of the figures|fonts-dejavu-core|dejavu-sans-fonts|ttf-dejavu|font-dejavu|
fashion|data|Fashion-MNIST, the real data of jl-projection|dataset-fashion-mnist|-|-|-|https://github.com/zalandoresearch/fashion-mnist
clang|dev|the second compiler|clang|clang|clang|llvm|
clangomp|dev|OpenMP for clang|libomp-dev|libomp-devel|openmp|libomp|
format|dev|keeps the form of the source|clang-format|clang-tools-extra|clang|clang-format|
valgrind|dev|finds errors of memory|valgrind|valgrind|valgrind|-|https://valgrind.org
shellcheck|dev|finds faults in shell scripts|shellcheck|ShellCheck|shellcheck|shellcheck|
prove|dev|reads TAP|perl|perl-Test-Harness|perl|perl|
mpi|dev|MPI: studies on many machines (-Dmpi=enabled)|libopenmpi-dev openmpi-bin|openmpi-devel|openmpi|open-mpi|
END
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# compiles COMPILER OPTION TEXT: does the text become a program?
compiles() {
    echo "$3" >"$scratch/probe.c"
    # shellcheck disable=SC2086  # the compiler may be "ccache gcc", the option may be empty
    $1 $2 -o "$scratch/probe" "$scratch/probe.c" >/dev/null 2>&1
}
at_least() { # at_least WANTED FOUND: dotted versions
    awk -v w="$1" -v f="$2" 'BEGIN { n = split(w, a, "."); split(f, b, ".")
        for (i = 1; i <= n; i++) if (a[i] + 0 != b[i] + 0) exit !(b[i] + 0 > a[i] + 0) }'
}
has_command() { command -v "$1" >/dev/null 2>&1; }
has_module() { pkg-config --exists "$1" 2>/dev/null; }
main='int main(void) { return 0; }'

has() {
    cc=${CC:-cc}
    case $1 in
    cc) compiles "$cc" "" "#include <stdio.h>
$main" ;;
    meson) has_command meson && at_least 1.0.1 "$(meson --version)" ;;
    ninja) has_command ninja ;;
    pkgconf) has_command pkg-config ;;
    gsl) has_module 'gsl >= 2.7' ;;
    openblas) has_module openblas ;;
    rmath) has_module libRmath ;;
    sleef) has_module sleef ;;
    random123) compiles "$cc" "" "#include <Random123/philox.h>
$main" ;;
    jansson) has_module 'jansson >= 2.13' ;;
    zlib) has_module zlib ;;
    openmp) ! has cc || compiles "$cc" -fopenmp "#include <omp.h>
int main(void) { return omp_get_max_threads() < 1; }" ;;
    cxx) has_command "${CXX:-c++}" ;;
    arb) compiles "$cc" -c "#include <arb.h>" || compiles "$cc" -c "#include <flint/arb.h>" ;;
    cmark) has_command cmark-gfm ;;
    gnuplot) has_command gnuplot ;;
    dejavu)
        for folder in /usr/share/fonts /usr/local/share/fonts "${HOME:-/}/.fonts" "${HOME:-/}/Library/Fonts" /Library/Fonts; do
            [ -n "$(find "$folder" -name 'DejaVuSans.ttf' 2>/dev/null)" ] && return 0
        done
        return 1
        ;;
    fashion) [ -e "/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz" ] ;;
    clang) has_command clang ;;
    clangomp) compiles clang -fopenmp "#include <omp.h>
int main(void) { return omp_get_max_threads() < 1; }" ;;
    format) has_command clang-format ;;
    valgrind) has_command valgrind ;;
    shellcheck) has_command shellcheck ;;
    prove) has_command prove ;;
    mpi) has_command mpirun && { has_module ompi-c || has_command mpicc; } ;;
    esac
}

# missing NEED...: the lines of the requirements with one of these needs that are not there
missing() {
    requirements | while IFS='|' read -r key need rest; do
        case " $* " in
        *" $need "*) has "$key" </dev/null || echo "$key|$need|$rest" ;;
        esac
    done
}

column() { cut -d '|' -f "$1" | tr ' ' '\n' | grep -v -x -e - -e '' | sort -u | tr '\n' ' ' | sed 's/ $//'; }

needs='build tests figures data'
[ $dev = yes ] && needs="$needs dev"

# --- Debian: install --------------------------------------------------------------------------------------------

as_root=
can_install() {
    has_command apt-get || return 1
    [ "$(id -u)" = 0 ] && return 0
    has_command sudo && sudo -n true 2>/dev/null || return 1
    as_root='sudo -n'
}

apt_get() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

# shellcheck disable=SC2086  # lists of package names are meant to be split
install_packages() {
    packages=$(echo "$lacking" | column 4)
    say "installing $packages"
    apt_get update || say "the package lists could not be refreshed; going on with those that are there"
    apt_get install --no-install-recommends $packages && return
    say "that failed; trying again, first what the build requires, then the rest one by one"
    required=$(echo "$lacking" | grep '^[^|]*|build|' | column 4)
    [ -z "$required" ] || apt_get install --no-install-recommends $required || return 0
    for package in $packages; do
        apt_get install --no-install-recommends "$package" || say "$package could not be installed"
    done
}

# shellcheck disable=SC2086
lacking=$(missing $needs)
[ -n "$lacking" ] || say "everything needed is installed"
# Twice, because without a compiler or pkg-config nobody knows yet what else is missing.
for _ in 1 2; do
    if [ -z "$lacking" ] || [ $install = no ] || ! can_install; then break; fi
    before=$lacking
    install_packages
    # shellcheck disable=SC2086
    lacking=$(missing $needs)
    [ "$lacking" != "$before" ] || break
done

# --- elsewhere: say what is missing -----------------------------------------------------------------------------

print_missing() {
    say "missing on this machine:"
    echo "$lacking" | while IFS='|' read -r key need purpose apt rest; do
        case $need in
        build) loss="required" ;;
        tests) loss="without it some tests are left out" ;;
        figures) loss="without it the figures are left out or look different" ;;
        data) loss="without it the part on real data is skipped" ;;
        dev) loss="for contributors" ;;
        esac
        echo "    $key ($apt): $purpose; $loss"
    done
    say "the packages that bring it:"
    echo "    Debian, Ubuntu   sudo apt-get install $(echo "$lacking" | column 4)"
    echo "    Fedora           sudo dnf install $(echo "$lacking" | column 5)"
    echo "    Arch             sudo pacman -S $(echo "$lacking" | column 6)"
    echo "    Homebrew         brew install $(echo "$lacking" | column 7)"
    echo "$lacking" | while IFS= read -r line; do
        url=${line##*|}
        [ -z "$url" ] || echo "    ${line%%|*}, where no package has it: $url"
    done
    say "install what your system needs of these, then run ./setup.sh again"
}

if [ -n "$lacking" ]; then
    print_missing
    if echo "$lacking" | grep -q '^[^|]*|build|'; then
        stop "the build cannot do without: $(echo "$lacking" | grep '^[^|]*|build|' | column 1)"
    fi
fi

# --- configure --------------------------------------------------------------------------------------------------

if [ -e build/meson-private/coredata.dat ]; then
    say "build/ is there; configuring it again"
    meson setup --reconfigure build || stop "build/ could not be configured again; remove it and run ./setup.sh once more"
elif [ -d build ] && [ -n "$(ls -A build)" ]; then
    stop "build/ holds something that Meson did not make; move it away and run ./setup.sh once more"
else
    say "configuring build/"
    meson setup build || stop "Meson could not configure the build; its reason is above"
fi
say "build/ is ready. Next: ninja -C build studies   or   meson test -C build"
