# Installs the build into $prefix, under the test's scratch folder, as a user would find it.
# Needs $build; sets $prefix, $libdir, $PKG_CONFIG_PATH. $CC is the compiler of the build.
# shellcheck shell=sh disable=SC2034,SC2154  # variables that come from, or go to, the script that sources this

install_lemmata() {
    meson install -C "$build" --no-rebuild --quiet --destdir "$TAP_SCRATCH/root" >"$TAP_SCRATCH/install.log" 2>&1 || {
        plan 1
        result 1 "meson install"
        diag "$(cat "$TAP_SCRATCH/install.log")"
        finish
    }
    module=$(find "$TAP_SCRATCH/root" -name lemmata.pc)
    libdir=${module%/pkgconfig/lemmata.pc}
    prefix=$TAP_SCRATCH/root$(sed -n 's/^prefix=//p' "$module")
    sed "s|^prefix=.*|prefix=$prefix|" "$module" >"$module.moved" && mv "$module.moved" "$module"
    PKG_CONFIG_PATH=${module%/lemmata.pc}
    export PKG_CONFIG_PATH
}
