/* lemmata record: the results of full-scale runs become the record, its figures, and the pages woven from
 * them. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/records.h"
#include "cli/weave.h"
#include "study/sha256.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what may become a record -------------------------------------------------------------------------- */

static int refuse(const char *path, const char *why) {
    return LEM_ERROR(GSL_EINVAL, "%s: %s: the record is of complete runs at full scale that passed", path,
                     why);
}

static int check_recordable(const json_t *results, const char *path) {
    lem_counts counts = {0};
    int status = lem_record_check(results, path);
    if (status)
        return status;
    lem_count_claims(results, &counts);
    if (json_is_string(json_object_get(results, "only")))
        return refuse(path, "made with --only");
    if (lem_member_number(results, "scale") != 1)
        return refuse(path, "made with another --scale than 1");
    if (strcmp(lem_member_text(results, "seed_kind"), "random") == 0)
        return refuse(path, "made with a random seed");
    if (counts.failed)
        return refuse(path, "a claim failed");
    if (counts.skipped)
        return refuse(path, "a claim was skipped (data that is not there; ./setup.sh installs it)");
    if (!counts.claims)
        return refuse(path, "it has no claim");
    return GSL_SUCCESS;
}

/* --- one study ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *results;   /* folder of results.json, data/, figures/ */
    const char *notebooks; /* the folder notebooks-md */
    size_t changed;
} place;

static int copy_figure(place *p, const char *study, const char *name, const char *extension) {
    bool changed = false;
    char *from = lem_text("%s/figures/%s.%s", p->results, name, extension);
    char *to = lem_text("%s/figures/%s/%s.%s", p->notebooks, study, name, extension);
    int status = lem_copy_file(from, to, &changed);
    p->changed += changed;
    free(from);
    free(to);
    return status;
}

/* The figures are copied and each entry gets the hash of its SVG; what the results say of it must be true. */
static int take_figures(place *p, json_t *results, const char *path) {
    const char *study = lem_member_text(results, "study");
    size_t i;
    json_t *figure;
    char *folder = lem_text("%s/figures/%s", p->notebooks, study);
    int status = lem_make_directory(folder);
    free(folder);
    json_array_foreach(json_object_get(results, "figures"), i, figure) {
        char digest[LEM_SHA256_TEXT];
        const char *name = lem_member_text(figure, "name"), *said = lem_member_text(figure, "svg_sha256");
        if (status)
            break;
        if (!*lem_member_text(figure, "svg"))
            return refuse(path, "its figures are missing (made with --no-figures, or without gnuplot)");
        char *svg = lem_text("%s/figures/%s.svg", p->results, name);
        status = lem_sha256_file(svg, digest);
        free(svg);
        if (!status && *said && strcmp(said, digest) != 0)
            return LEM_ERROR(GSL_EINVAL, "%s: figure %s is not the one these results were written with", path,
                             name);
        json_object_set_new(figure, "svg_sha256", json_string(digest));
        if (!status)
            status = copy_figure(p, study, name, "svg");
        if (!status)
            status = copy_figure(p, study, name, "png");
    }
    return status;
}

/* Reals with 17 digits read back to the same bits. Timing differs between any two runs and is left out. */
static int write_record(place *p, json_t *results) {
    bool changed = false;
    (void)json_object_del(results, "timing");
    char *text = json_dumps(results, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (!text)
        return LEM_ERROR(GSL_EFAILED, "the record cannot be put into JSON");
    char *path = lem_text("%s/results/%s.json", p->notebooks, lem_member_text(results, "study"));
    char *lines = lem_text("%s\n", text);
    int status = lem_write_file(path, lines, strlen(lines), &changed);
    p->changed += changed;
    free(lines);
    free(path);
    free(text);
    return status;
}

static int take_study(place *p) {
    json_error_t error;
    char *path = lem_text("%s/results.json", p->results);
    json_t *results = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    int status = results ? check_recordable(results, path)
                         : LEM_ERROR(GSL_EINVAL, "%s:%d: %s", path, error.line, error.text);
    if (!status)
        status = take_figures(p, results, path);
    if (!status)
        status = write_record(p, results);
    json_decref(results);
    free(path);
    return status;
}

/* --- benchmarks: Meson's log to one JSON line per figure ------------------------------------------------ */

/* A machine line first, so that speeds are never read without it. */
static void add_machine(FILE *out) {
    char line[512] = "", *name = NULL;
    FILE *cpu = fopen("/proc/cpuinfo", "re");
    size_t cores = 0;
    while (cpu && fgets(line, sizeof line, cpu)) {
        char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "processor", 9) == 0)
            cores++;
        if (!name && colon && strncmp(line, "model name", 10) == 0)
            name = lem_text("%s", colon + 2);
    }
    if (cpu)
        (void)fclose(cpu);
    char *machine =
        lem_text("%s, %zu core%s", name ? name : "unknown processor", cores, cores == 1 ? "" : "s");
    json_t *object = json_pack("{s:s}", "machine", machine);
    (void)json_dumpf(object, out, JSON_COMPACT);
    (void)fputc('\n', out);
    json_decref(object);
    free(machine);
    free(name);
}

/* Meson's benchmarklog.json holds one object a line, with what each program printed in "stdout". */
static size_t add_figures(FILE *out, const char *printed) {
    size_t n = 0;
    for (const char *line = printed; *line;) {
        size_t length = strcspn(line, "\n");
        json_t *figure = *line == '{' ? json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL) : NULL;
        if (json_is_string(json_object_get(figure, "name")) &&
            json_is_number(json_object_get(figure, "value"))) {
            (void)json_dumpf(figure, out, JSON_COMPACT | JSON_REAL_PRECISION(4));
            (void)fputc('\n', out);
            n++;
        }
        json_decref(figure);
        line += length + (line[length] != '\0');
    }
    return n;
}

/* Text of Meson's log to the lines of a record; how many figures they hold. */
static size_t lines_of_log(const char *log, char **lines, size_t *size) {
    size_t figures = 0;
    FILE *out = open_memstream(lines, size);
    add_machine(out);
    for (const char *line = log; *line;) {
        size_t length = strcspn(line, "\n");
        json_t *run = json_loadb(line, length, 0, NULL);
        figures += add_figures(out, lem_member_text(run, "stdout"));
        json_decref(run);
        line += length + (line[length] != '\0');
    }
    (void)fclose(out);
    return figures;
}

static bool is_in(const char *lines, const char *line, size_t length) {
    json_t *figure = json_loadb(line, length, 0, NULL);
    char *start = lem_text("{\"name\":\"%s\",", lem_member_text(figure, "name"));
    bool found = !json_object_get(figure, "name") || strstr(lines, start);
    free(start);
    json_decref(figure);
    return found;
}

/* Another build may have benchmarks of its own (MPI's), so what was recorded on the same machine and is not
 * measured anew stays. */
static void keep_others(const char *old, char **lines, size_t *size) {
    size_t first = strcspn(*lines, "\n") + 1;
    if (strncmp(old, *lines, first) != 0)
        return;
    char *all = NULL;
    size_t all_size;
    FILE *out = open_memstream(&all, &all_size);
    (void)fputs(*lines, out);
    for (const char *line = old + first; *line;) {
        size_t length = strcspn(line, "\n");
        if (!is_in(*lines, line, length))
            (void)fprintf(out, "%.*s\n", (int)length, line);
        line += length + (line[length] != '\0');
    }
    (void)fclose(out);
    free(*lines);
    *lines = all;
    *size = all_size;
}

static int take_benchmarks(place *p, const char *log) {
    size_t size, lines_size;
    bool changed = false;
    char *text = lem_read_file(log, &size), *lines = NULL;
    if (!text)
        return GSL_EFAILED;
    char *path = lem_text("%s/results/benchmarks.json", p->notebooks);
    char *old = lem_is_file(path) ? lem_read_file(path, &size) : NULL;
    size_t figures = lines_of_log(text, &lines, &lines_size);
    if (old)
        keep_others(old, &lines, &lines_size);
    int status =
        figures ? lem_write_file(path, lines, lines_size, &changed)
                : LEM_ERROR(GSL_EINVAL, "%s: holds no benchmark figure; run meson test --benchmark", log);
    p->changed += changed;
    free(old);
    free(path);
    free(lines);
    free(text);
    return status;
}

/* --- the command -------------------------------------------------------------------------------------- */

/* All pages of the folder, and the README beside it if there is one. */
static int weave_all(lem_cli *cli, place *p) {
    char *readme = lem_text("%s/../README.md", p->notebooks), *results = lem_text("%s/results", p->notebooks);
    char *pages[] = {(char *)p->notebooks, readme};
    lem_cli inner = {cli->out, results};
    int exit_status = lem_command_weave(&inner, lem_is_file(readme) ? 2 : 1, pages);
    free(readme);
    free(results);
    return exit_status;
}

int lem_command_record(lem_cli *cli, int argc, char **argv) {
    place p = {NULL, NULL, 0};
    const char *benchmarks = NULL;
    const lem_option options[] = {{"--into", NULL, &p.notebooks}, {"--benchmarks", NULL, &benchmarks}};
    int words = lem_cli_options("record", argc, argv, options, 2), status = GSL_SUCCESS;
    if (words < 0)
        return LEM_EXIT_USAGE;
    if (!p.notebooks)
        return lem_cli_fail(LEM_EXIT_USAGE, "record: name the folder of the pages with --into DIR");
    char *results = lem_text("%s/results", p.notebooks);
    status = lem_make_directory(results);
    free(results);
    for (int i = 0; i < words && !status; i++) {
        p.results = argv[i];
        status = take_study(&p);
    }
    if (!status && benchmarks)
        status = take_benchmarks(&p, benchmarks);
    if (status)
        return lem_cli_fail(LEM_EXIT_FAILED, "%s", lem_last_error());
    (void)fprintf(cli->out, "%d stud%s recorded, %zu file%s changed\n", words, words == 1 ? "y" : "ies",
                  p.changed, p.changed == 1 ? "" : "s");
    return weave_all(cli, &p);
}
