#include "cli/files.h"
#include "cli/fit.h"
#include "study/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

int lem_fit_check_figure(const char *path) {
    if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
        return LEM_ERROR(GSL_EINVAL, "--figure %s: must end in .svg or .png", path);
    if (!lem_gnuplot_version())
        return LEM_ERROR(GSL_EFAILED,
                         "--figure needs gnuplot, which is not installed (Debian: apt install gnuplot-nox)");
    return GSL_SUCCESS;
}

int lem_fit_check_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? lem_text("%.*s", (int)(slash == path ? 1 : slash - path), path) : lem_text(".");
    const bool writable = access(folder, W_OK | X_OK) == 0;
    const int status =
        writable ? GSL_SUCCESS
                 : LEM_ERROR(GSL_EFAILED, "--figure %s: cannot be written: %s", path, strerror(errno));
    free(folder);
    return status;
}

const char *lem_fit_title(const char *path) {
    static char title[100];
    const char *slash = strrchr(path, '/');
    size_t n = 0;
    for (const char *p = slash ? slash + 1 : path; *p && n + 1 < sizeof title; p++)
        title[n++] = *p == '\'' || *p == '\\' || (unsigned char)*p < ' ' ? '?' : *p;
    title[n] = '\0';
    return title;
}

static int check_picture(const char *path, const char *bytes, size_t count) {
    static const char png_end[] = "IEND";
    const bool svg = ends_in(path, ".svg");
    const char *end = svg ? "</svg>" : png_end;
    const size_t n = strlen(end), slack = 8; /* a line end, or the last check sum */
    for (size_t i = 0; bytes && i <= slack && count >= n + i; i++)
        if (memcmp(bytes + count - n - i, end, n) == 0)
            return GSL_SUCCESS;
    return LEM_ERROR(GSL_EFAILED, "--figure %s: the picture is cut short", path);
}

/* The script goes through a temporary file: what gnuplot reads there may hold data. */
static int put_script(char *name, size_t size, const char *terminal, const char *script) {
    const char *folder = getenv("TMPDIR");
    if (snprintf(name, size, "%s/lemmata-fit-XXXXXX", folder && *folder ? folder : P_tmpdir) >= (int)size)
        return LEM_ERROR(GSL_EINVAL, "TMPDIR is too long");
    const int descriptor = mkstemp(name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file)
        return LEM_ERROR(GSL_EFAILED, "no temporary file %s: %s", name, strerror(errno));
    (void)fputs(terminal, file);
    (void)fputs(script, file);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return LEM_ERROR(GSL_EFAILED, "%s could not be written: %s", name, strerror(errno));
    return GSL_SUCCESS;
}

int lem_fit_draw(const char *path, const char *script) {
    static const char common[] =
        "set encoding utf8\nset decimalsign '.'\nset border 3 linecolor rgb '#333333'\n"
        "set tics nomirror out scale 0.6,0.3 textcolor rgb '#333333'\n"
        "set grid linecolor rgb '#dddddd' dashtype solid\nset key noautotitle reverse Left samplen 2\n"
        "set format xy '10^{%T}'\nset logscale xy\n";
    static const char svg[] =
        "set terminal svg enhanced size 960,420 background rgb '#ffffff' font 'DejaVu Sans, sans-serif,12'\n",
                      png[] = "set terminal pngcairo enhanced size 1920,840 background rgb '#ffffff' font "
                              "'DejaVu Sans,12' "
                              "fontscale 2 linewidth 2 pointscale 2\n";
    char name[400], *terminal = lem_text("%s%s", ends_in(path, ".svg") ? svg : png, common), *bytes = NULL;
    size_t count = 0;
    bool changed;
    int status = put_script(name, sizeof name, terminal, script);
    if (!status)
        status = lem_gnuplot_draw("--figure", NULL, name, &bytes, &count);
    (void)unlink(name);
    free(terminal);
    if (!status)
        status = check_picture(path, bytes, count);
    if (!status)
        status = lem_write_file(path, bytes, count, &changed);
    free(bytes);
    return status;
}
