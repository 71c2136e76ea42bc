#!/bin/sh
# setup.sh on made-up machines: a folder of stand-ins is the whole PATH, so nothing is ever really installed.
# usage: test_setup.sh SOURCE_ROOT
set -u
root=$1
. "$root/tests/project/tap.sh"

machine=$TAP_SCRATCH/machine # bin/: its PATH; have/: what is installed; log: who was called with what
house=$TAP_SCRATCH/house     # a copy of the project, as far as setup.sh looks

stand_in() { # stand_in NAME: the script on standard input
    { echo '#!/bin/sh' && echo "machine='$machine'" && cat; } >"$machine/bin/$1"
    chmod +x "$machine/bin/$1"
}

new_machine() {
    rm -rf "$machine" "$house"
    mkdir -p "$machine/bin" "$machine/have" "$house"
    cp "$root/setup.sh" "$house/setup.sh"
    : >"$machine/log"
    for tool in sh awk cat cut dirname env find grep head ls mktemp rm sed sort tr mkdir touch; do
        ln -s "$(command -v $tool)" "$machine/bin/$tool"
    done
    stand_in id <<'END'
cat "$machine/uid"
END
    echo 1000 >"$machine/uid"
}

# The compiler and pkg-config find what is in have/, named by package.
add_tools() {
    stand_in cc <<'END'
for source; do :; done
case $(cat "$source") in
*stdio.h*) needed=libc6-dev ;;
*philox.h*) needed=librandom123-dev ;;
*arb.h*) needed=libflint-arb-dev ;;
*) needed=gcc ;;
esac
[ -e "$machine/have/$needed" ]
END
    stand_in pkg-config <<'END'
case $2 in
gsl*) needed=libgsl-dev ;; openblas) needed=libopenblas-pthread-dev ;; libRmath) needed=r-mathlib ;;
sleef) needed=libsleef-dev ;; jansson*) needed=libjansson-dev ;; zlib) needed=zlib1g-dev ;;
esac
[ -e "$machine/have/$needed" ]
END
    stand_in meson <<'END'
[ "$1" = --version ] && echo 1.0.1 && exit
echo "meson $*" >>"$machine/log"
mkdir -p build/meson-private && touch build/meson-private/coredata.dat
END
    for tool in ninja c++ cmark-gfm gnuplot clang clang-format valgrind prove; do echo : | stand_in $tool; done
}
have_all() {
    for package in gcc libc6-dev libgsl-dev libopenblas-pthread-dev r-mathlib libsleef-dev librandom123-dev \
        libjansson-dev zlib1g-dev libflint-arb-dev; do
        touch "$machine/have/$package"
    done
}
add_apt() { # "installs" what it is told, except what is in have/broken
    stand_in apt-get <<'END'
echo "apt-get($DEBIAN_FRONTEND) $*" >>"$machine/log"
for word; do
    [ "$word" != "$(cat "$machine/have/broken" 2>/dev/null)" ] || exit 100
done
for word; do touch "$machine/have/$word"; done
END
}
setup() { # setup OPTION...: its output in $said, its status in $status
    said=$(PATH="$machine/bin" HOME="$machine" CC='' sh "$house/setup.sh" "$@" 2>&1 </dev/null)
    status=$?
}
log() { cat "$machine/log"; }

plan 39

# An unknown option, and help.
new_machine
setup --frobnicate
is $status 2 "an unknown option is refused"
has "$said" "'--frobnicate'" "and named"
has "$said" "--no-install" "with the allowed ones"
setup --help
is $status 0 "--help succeeds"
has "$said" "usage: ./setup.sh" "and says how it is used"

# A bare machine without apt.
setup
is $status 1 "without apt and without the requirements it stops"
for manager in "apt-get install" "dnf install" "pacman -S" "brew install"; do
    has "$said" "$manager" "it names the packages for $manager"
done
for package in libopenblas-pthread-dev gsl-devel openblas librandom123-dev random123; do
    has "$said" "$package" "among them $package"
done
has "$said" "run ./setup.sh again" "it says what to do next"
has "$said" "stopped: the build cannot do without" "and why it stopped"
ok "nothing is configured" test ! -e "$house/build"

# Debian, as root.
new_machine
add_tools
add_apt
echo 0 >"$machine/uid"
setup
is $status 0 "as root it installs and configures"
has "$(log)" "apt-get(noninteractive) -q -y" "without a question"
for package in libgsl-dev libopenblas-pthread-dev r-mathlib libsleef-dev librandom123-dev; do
    has "$(log)" " $package" "installed: $package"
done
lacks "$(log)" " meson " "what is there is not installed"
has "$(log)" "meson setup build" "the build is configured"
: >"$machine/log"
setup
is $status 0 "a second run succeeds"
lacks "$(log)" " libgsl-dev" "and installs nothing that is there"
has "$(log)" "meson setup --reconfigure build" "and configures again"

# One optional package that cannot be had does not spoil the rest.
new_machine
add_tools
add_apt
have_all
rm "$machine/have/libflint-arb-dev" "$machine/have/zlib1g-dev"
echo libflint-arb-dev >"$machine/have/broken"
echo 0 >"$machine/uid"
setup
is $status 0 "an optional package that fails does not stop it"
has "$said" "some tests are left out" "the loss is said"
ok "what is required came all the same" test -e "$machine/have/zlib1g-dev"

# Not root: never a question.
new_machine
add_tools
add_apt
setup
is $status 1 "without root and sudo it stops"
is "$(log)" "" "and calls nothing"
# shellcheck disable=SC2016  # for the stand-in to expand
echo 'echo "sudo $*" >>"$machine/log"; exit 1' | stand_in sudo
setup
is "$(log)" "sudo -n true" "a sudo that would ask for a password is not used further"
echo 'shift; exec "$@"' | stand_in sudo
echo : | stand_in true
setup
is $status 0 "through a sudo that does not ask it installs"

# --no-install.
new_machine
add_tools
add_apt
echo 0 >"$machine/uid"
setup --no-install
is "$status $(log)" "1 " "--no-install installs nothing and stops where something required is missing"

# A folder build/ that is not Meson's.
new_machine
add_tools
have_all
mkdir "$house/build" && touch "$house/build/thesis.tex"
setup
is $status 1 "a foreign build/ is not touched"

finish
