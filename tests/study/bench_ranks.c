/* What bounds a study's speed on many ranks: the part of a full-scale run on one thread that is outside
 * lem_mc, which every rank repeats; and what the exchanges between two ranks take. usage: bench_ranks MPIRUN
 * DRIVER... */
#include "bench.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    double total, mc, exchange, bytes, agreements, gathers;
} timing;

static double member(const json_t *object, const char *name) {
    return json_number_value(json_object_get(object, name));
}

static bool is_cost(const char *name) {
    static const char *const names[] = {"lem_mc", "exchange", "exchanged_bytes", "agreements", "gathers"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool read_timing(const char *folder, timing *t) {
    char path[PATH_MAX];
    const char *name;
    json_t *value;
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    json_t *all = json_load_file(path, 0, NULL), *times = json_object_get(all, "timing");
    *t = (timing){.mc = member(times, "lem_mc"),
                  .exchange = member(times, "exchange"),
                  .bytes = member(times, "exchanged_bytes"),
                  .agreements = member(times, "agreements"),
                  .gathers = member(times, "gathers")};
    json_object_foreach(times, name, value) {
        t->total += is_cost(name) ? 0 : json_number_value(value);
    }
    json_decref(all);
    return t->total > 0 && t->mc > 0;
}

static bool run(const char *launcher, const char *driver, const char *folder, timing *t) {
    char command[3 * PATH_MAX];
    (void)snprintf(command, sizeof command, "%s '%s' --threads 1 --no-figures --quiet --out '%s' >/dev/null",
                   launcher, driver, folder);
    bool fine = system(command) == 0 && read_timing(folder, t);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 && fine;
}

static const char *named(const char *kind, const char *study) {
    static char name[128];
    (void)snprintf(name, sizeof name, "mpi.%s.%s", kind, study);
    return name;
}

static void measure(const char *mpirun, const char *driver, const char *folder) {
    const char *slash = strrchr(driver, '/'), *study = slash ? slash + 1 : driver;
    char launcher[PATH_MAX + 16];
    timing one, two;
    (void)snprintf(launcher, sizeof launcher, "'%s' -n 2", mpirun);
    if (!run("", driver, folder, &one) || !run(launcher, driver, folder, &two)) {
        bench_skip(named("serial", study), "the study did not run, alone or on two ranks");
        return;
    }
    bench_print(named("serial", study), one.total - one.mc, "s", "the whole run on one thread", one.total);
    bench_print(named("exchange", study), two.exchange, "s", "the whole run on two ranks", two.total);
    bench_print(named("bytes", study), two.bytes / 1e3, "kB", "the agreements and gathers that carry them",
                two.agreements + two.gathers);
}

int main(int argc, char **argv) {
    char folder[] = P_tmpdir "/lemmata-bench-XXXXXX";
    if (argc < 3 || !mkdtemp(folder)) {
        (void)fprintf(stderr, "usage: bench_ranks MPIRUN DRIVER...\n");
        return 2;
    }
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    for (int i = 2; i < argc; i++)
        measure(argv[1], argv[i], folder);
    return 0;
}
