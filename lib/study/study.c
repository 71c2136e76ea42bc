/* The course of a run: options, sections, figures, results, exit status. Under mpirun every rank goes through
 * it, in step (ranks.h); the first alone prints and writes. */
#include "study/study.h"

#include "study/files.h"
#include "study/ranks.h"
#include "study/runtime.h"
#include "study/sha256.h"

#include "base/version.h"
#include "linalg/linalg.h"
#include "tap/tap.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_FINE = 0, EXIT_CLAIM = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3, EXIT_INTERRUPTED = 130 };

/* --- what a section may ask */

uint64_t lem_study_seed(const lem_study *study) {
    return study->options.seed;
}

double lem_study_scale(const lem_study *study) {
    return study->options.scale;
}

int lem_study_threads(const lem_study *study) {
    return study->threads;
}

const char *lem_study_data_folder(const lem_study *study, const char *fallback) {
    return study->options.data ? study->options.data : fallback;
}

size_t lem_study_samples(const lem_study *study, size_t full, size_t floor) {
    double scaled = ceil(study->options.scale * (double)full);
    size_t samples = scaled < 9e15 ? (size_t)scaled : SIZE_MAX / 2;
    return samples > floor ? samples : floor;
}

/* --- the state of a run */

int lem_study_begin(lem_study *study, const lem_study_spec *spec, const lem_options *options) {
    *study = (lem_study){.spec = spec, .options = *options};
    study->threads = options->threads ? options->threads : lem_ranks_threads();
    study->terminal = lem_is_root() && isatty(STDERR_FILENO) == 1;
    study->options.quiet = options->quiet || !lem_is_root();
    study->values = json_object();
    study->timing = json_object();
    study->data = json_object();
    study->claims = json_array();
    study->figures = json_array();
    study->notes = json_array();
    study->skips = json_array();
    if (!study->values || !study->timing || !study->data || !study->claims || !study->figures ||
        !study->notes || !study->skips)
        return LEM_ERROR(GSL_ENOMEM, "out of memory");
    return GSL_SUCCESS;
}

void lem_study_end(lem_study *study) {
    json_t *parts[] = {study->values,  study->timing, study->data,  study->claims,
                       study->figures, study->notes,  study->skips, study->record};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        json_decref(parts[i]);
    for (size_t i = 0; i < study->uses_room; i++)
        free(study->uses[i].purpose);
    free(study->uses);
    lem_options_free(&study->options);
    *study = (lem_study){.spec = NULL};
}

/* --- interrupts */

/* All it does is safe in a signal handler, whatever the other threads are at. */
static void on_interrupt(int signal_number) {
    static const char before[] = "\ninterrupted: nothing was written\n";
    static const char after[] = "\ninterrupted: the results were written already\n";
    (void)signal_number;
    lem_files_state state = lem_files_interrupt();
    if (state == LEM_FILES_COMMITTING)
        return; /* the results are going into place; the run ends in a moment */
    if (lem_figure_child > 0)
        (void)kill((pid_t)lem_figure_child, SIGKILL);
    ssize_t ignored = !lem_is_root()                 ? 0
                      : state == LEM_FILES_COMMITTED ? write(STDERR_FILENO, after, sizeof after - 1)
                                                     : write(STDERR_FILENO, before, sizeof before - 1);
    (void)ignored;
    _exit(EXIT_INTERRUPTED);
}

static void set_signals(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    (void)sigfillset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    /* A closed pipe and a file-size limit become write errors, which are reported. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

/* --- the run */

static int open_folders(const lem_study *study) {
    char path[PATH_MAX];
    static const char *const names[] = {"", "/data", "/figures"};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s%s", study->options.out, names[i]);
        LEM_TRY(lem_files_make_folder(path));
        if (access(path, W_OK | X_OK) != 0)
            return LEM_ERROR(GSL_EFAILED, "the folder %s is not writable", path);
    }
    return GSL_SUCCESS;
}

static int add_time(lem_study *study, const char *name, const struct timespec *start) {
    return json_object_set_new(study->timing, name, json_real(lem_seconds_since(start))) == 0
               ? GSL_SUCCESS
               : LEM_ERROR(GSL_ENOMEM, "out of memory");
}

static int run_sections(lem_study *study) {
    for (size_t i = 0; i < study->spec->n_sections; i++) {
        const lem_section *section = &study->spec->sections[i];
        if (study->options.only && strcmp(study->options.only, section->name) != 0)
            continue;
        study->section = i;
        lem_progress_section(study, section->title);
        lem_clear_error();
        int status = section->run(study);
        if (status && lem_ranks_parted())
            return status;
        if (status)
            return LEM_ERROR(status, "section %s: %s", section->name,
                             lem_last_error()[0] ? lem_last_error() : gsl_strerror(status));
        LEM_TRY(add_time(study, section->name, &study->section_start));
        lem_progress_clear(study);
    }
    return GSL_SUCCESS;
}

static int draw_figures(lem_study *study) {
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LEM_TRY(lem_tables_close(study));
    if (json_array_size(study->figures) > 0 && !study->options.quiet && !study->options.no_figures)
        (void)fprintf(stderr, "drawing the figures\n");
    LEM_TRY(lem_figures_draw(study));
    return add_time(study, "figures", &start);
}

/* Beside the sections' times: the part of them spent in lem_mc, which ranks and threads share, and what the
 * exchanges between ranks took. */
static int add_costs(lem_study *study) {
    lem_ranks_cost cost = lem_ranks_spent();
    int failed = json_object_set_new(study->timing, "lem_mc", json_real(study->mc_seconds));
    if (lem_ranks() > 1) {
        failed |= json_object_set_new(study->timing, "exchange", json_real(cost.seconds));
        failed |= json_object_set_new(study->timing, "exchanged_bytes", json_real(cost.bytes));
        failed |= json_object_set_new(study->timing, "agreements", json_real(cost.agreements));
        failed |= json_object_set_new(study->timing, "gathers", json_real(cost.gathers));
    }
    return failed ? LEM_ERROR(GSL_ENOMEM, "out of memory") : GSL_SUCCESS;
}

static int write_results(lem_study *study) {
    char path[PATH_MAX];
    LEM_TRY(add_costs(study));
    (void)snprintf(path, sizeof path, "%s/results.json", study->options.out);
    json_t *all = lem_results_build(study);
    char *text = all ? json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    if (all && !text)
        (void)LEM_ERROR(GSL_ENOMEM, "out of memory");
    json_decref(all);
    if (!text)
        return GSL_EFAILED;
    int status = lem_files_write(path, text, strlen(text));
    free(text);
    return status;
}

static int put_out(lem_study *study) {
    LEM_TRY(draw_figures(study));
    LEM_TRY(write_results(study));
    return lem_files_commit();
}

/* What every rank has computed must be the same to the last bit. */
static int compare_results(const lem_study *study) {
    char digest[LEM_SHA256_TEXT];
    if (lem_ranks() == 1)
        return GSL_SUCCESS;
    LEM_TRY(lem_ranks_agree("digest of the results", lem_results_digest(study, digest)));
    return lem_ranks_compare("other results (values, claims, notes or data sets)", digest);
}

static int complete(lem_study *study) {
    bool root = lem_is_root();
    LEM_TRY(lem_ranks_agree("folders", root ? open_folders(study) : GSL_SUCCESS));
    LEM_TRY(lem_ranks_agree("sections", run_sections(study)));
    LEM_TRY(compare_results(study));
    return lem_ranks_agree("results", root ? put_out(study) : lem_tables_close(study));
}

static int incomplete(lem_study *study) {
    lem_progress_clear(study);
    if (lem_is_root())
        (void)fprintf(stderr, "%s: %s\nnothing was written\n", study->spec->name, lem_last_error());
    lem_tap_say_bail_out("%s", lem_last_error());
    while (study->tables) {
        lem_table *table = study->tables;
        study->tables = table->next;
        if (table->file)
            (void)fclose(table->file);
        free(table->path);
        free(table->name);
        free(table);
    }
    lem_files_abort();
    return EXIT_INCOMPLETE;
}

static int run(lem_study *study) {
    lem_tap_begin();
    if (complete(study) != GSL_SUCCESS)
        return incomplete(study);
    bool agrees = !study->record || lem_record_compare(study);
    lem_tap_plan(lem_tap_done());
    if (!lem_tap_finish_output())
        return EXIT_INCOMPLETE;
    if (study->options.seed_kind == LEM_SEED_RANDOM && lem_is_root())
        (void)fprintf(stderr, "seed %llu\n", (unsigned long long)study->options.seed);
    if (!study->options.quiet)
        (void)fprintf(stderr, "%s: %zu claims, %zu failed; results in %s\n", study->spec->name,
                      json_array_size(study->claims), study->n_failed, study->options.out);
    return !agrees || (study->options.check && study->n_failed > 0) ? EXIT_CLAIM : EXIT_FINE;
}

static int usage_error(const lem_study_spec *spec) {
    if (lem_is_root())
        (void)fprintf(stderr, "%s: %s\nTry --help.\n", spec->name, lem_last_error());
    return EXIT_USAGE;
}

/* --help, --list and --version answer on standard output. */
static bool answered(const lem_study_spec *spec, const lem_options *options, int *status) {
    if (!options->help && !options->list && !options->version)
        return false;
    *status = EXIT_FINE;
    if (!lem_is_root())
        return true;
    if (options->help)
        lem_options_help(spec, stdout);
    else if (options->list)
        lem_options_list(spec, stdout);
    else
        (void)printf("%s (lemmata %s)\n", spec->name, LEM_VERSION);
    *status = fflush(stdout) == 0 && !ferror(stdout) ? EXIT_FINE : EXIT_INCOMPLETE;
    return true;
}

/* The claims need standard output. A closed standard error becomes /dev/null: the first file opened would get
 * its number, and our messages. */
static bool has_streams(const lem_study_spec *spec) {
    int nowhere = fcntl(STDERR_FILENO, F_GETFD) < 0 ? open("/dev/null", O_WRONLY) : -1;
    if (nowhere >= 0 && nowhere != STDERR_FILENO) {
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
    if (fcntl(STDOUT_FILENO, F_GETFD) >= 0)
        return true;
    (void)fprintf(stderr, "%s: standard output is closed: the claims are printed there\n", spec->name);
    return false;
}

/* The ranks must have been asked the same and compute alike: their numbers would come out different. */
static int compare_ranks(const lem_study_spec *spec, lem_options *options) {
    char asked[512], machine[512];
    uint64_t seed = lem_ranks_of_root(options->seed);
    if (options->seed_kind == LEM_SEED_RANDOM)
        options->seed = seed;
    (void)snprintf(asked, sizeof asked, "%s --seed %llu --scale %.17g%s%s%s%s%s", spec->name,
                   (unsigned long long)options->seed, options->scale, options->only ? " --only " : "",
                   options->only ? options->only : "", options->help ? " --help" : "",
                   options->list ? " --list" : "", options->version ? " --version" : "");
    LEM_TRY(lem_ranks_compare("other options", asked));
    lem_machine_text(machine, sizeof machine);
    return lem_ranks_compare("another machine or build, whose last bits may differ,", machine);
}

static int read_options(const lem_study_spec *spec, int argc, char **argv, lem_options *options) {
    LEM_TRY(lem_ranks_agree("command line", lem_options_parse(spec, argc, argv, options)));
    return compare_ranks(spec, options);
}

static int begin(lem_study *study, const lem_study_spec *spec, const lem_options *options) {
    LEM_TRY(lem_study_begin(study, spec, options));
    return lem_is_root() ? lem_record_load(study) : GSL_SUCCESS;
}

/* The claims go where rank 0's go, once. */
static void silence_claims(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)close(nowhere);
}

static int run_options(const lem_study_spec *spec, const char *scripts, int argc, char **argv) {
    lem_options options;
    lem_study study;
    int status;
    if (read_options(spec, argc, argv, &options) != GSL_SUCCESS) {
        lem_options_free(&options);
        return usage_error(spec);
    }
    if (answered(spec, &options, &status)) {
        lem_options_free(&options);
        return status;
    }
    if (lem_ranks_agree("start", begin(&study, spec, &options)) != GSL_SUCCESS) {
        status = usage_error(spec);
    } else {
        study.scripts = scripts;
        set_signals();
        if (!lem_is_root())
            silence_claims();
        lem_tap_open();
        status = run(&study);
    }
    lem_study_end(&study);
    return status;
}

int lem_study_run(const lem_study_spec *spec, const char *scripts, int argc, char **argv) {
    if (!has_streams(spec))
        return EXIT_INCOMPLETE;
    (void)gsl_set_error_handler_off();
    lem_blas_single_thread();
    if (lem_ranks_begin() == GSL_SUCCESS)
        return lem_ranks_end(run_options(spec, scripts, argc, argv));
    if (lem_is_root())
        (void)fprintf(stderr, "%s: %s\n", spec->name, lem_last_error());
    return lem_ranks_end(EXIT_USAGE);
}
