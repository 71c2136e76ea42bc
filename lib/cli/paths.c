#include "cli/paths.h"
#include "cli/build_paths.h" /* made by the build */
#include "cli/files.h"

#include <stdlib.h>
#include <string.h>

char *lem_absolute_path(const char *path) {
    char *whole = realpath(path, NULL);
    if (whole)
        return whole;
    const char *slash = strrchr(path, '/');
    char *parent = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : lem_text(".");
    char *real = parent ? realpath(parent, NULL) : NULL;
    if (real)
        whole = lem_text("%s/%s", strcmp(real, "/") == 0 ? "" : real, slash ? slash + 1 : path);
    free(parent);
    free(real);
    return whole;
}

/* An installed program must not look into the tree it was built from, which may have moved on. */
static bool runs_from_build_tree(void) {
    char *self = realpath("/proc/self/exe", NULL), *build = realpath(LEM_BUILD_ROOT, NULL);
    size_t length = build ? strlen(build) : 0;
    bool inside = self && build && strncmp(self, build, length) == 0 && self[length] == '/';
    free(self);
    free(build);
    return inside;
}

/* <prefix>/bin/lemmata finds <prefix>/<datadir>/lemmata/records wherever the prefix was moved to. */
static char *beside_program(void) {
    char *self = realpath("/proc/self/exe", NULL);
    char *slash = self ? strrchr(self, '/') : NULL;
    if (slash)
        *slash = '\0';
    char *path = slash ? lem_text("%s/" LEM_RECORDS_FROM_BIN, self) : NULL;
    free(self);
    if (path && lem_is_directory(path))
        return path;
    free(path);
    return NULL;
}

char *lem_records_directory(const char *given) {
    const char *environment = getenv("LEMMATA_RECORDS");
    const char *wanted = given ? given : environment && *environment ? environment : NULL;
    if (wanted) {
        if (lem_is_directory(wanted))
            return lem_text("%s", wanted);
        LEM_ERROR(GSL_EINVAL, "%s (%s) is not a directory", wanted, given ? "--records" : "LEMMATA_RECORDS");
        return NULL;
    }
    if (runs_from_build_tree() && lem_is_directory(LEM_SOURCE_RECORDS))
        return lem_text("%s", LEM_SOURCE_RECORDS);
    char *beside = beside_program();
    if (beside)
        return beside;
    if (lem_is_directory(LEM_INSTALLED_RECORDS))
        return lem_text("%s", LEM_INSTALLED_RECORDS);
    LEM_ERROR(GSL_EFAILED,
              "no records found: looked in %s; name a directory with --records or in LEMMATA_RECORDS",
              LEM_INSTALLED_RECORDS);
    return NULL;
}

char *lem_source_root(const char *page) {
    char *path = lem_absolute_path(page);
    for (char *slash; path && (slash = strrchr(path, '/'));) {
        *slash = '\0';
        char *notebooks = lem_text("%s/notebooks-md", path);
        bool found = lem_is_directory(notebooks);
        free(notebooks);
        if (found)
            return path;
    }
    free(path);
    return NULL;
}
