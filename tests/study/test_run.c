/* The runtime as its users meet it: the demo study as a process. Built with DEMO, the driver's path, and
 * DEMO_SCRIPTS. */
#include "tap/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/sha256.h"

/* --- helpers: one scratch folder; a command's standard output, error output and status */

static char scratch[PATH_MAX];

typedef struct {
    int status;
    char *out, *err;
} outcome;

static char *slurp(const char *name) {
    char path[PATH_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (file) {
        size_t got = fread(text, 1, (1 << 22) - 1, file);
        text[got] = '\0';
        (void)fclose(file);
    }
    return text;
}

static void enter_scratch(void) {
    const char *base = getenv("TMPDIR");
    (void)snprintf(scratch, sizeof scratch, "%s/lemmata-run-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(scratch) || chdir(scratch) != 0)
        lem_tap_bail_out("no scratch folder: %s", strerror(errno));
}

static void leave_scratch(void) {
    char command[PATH_MAX + 32];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system("chmod -R u+w .") != 0 || chdir("/") != 0 || system(command) != 0)
        (void)fprintf(stderr, "could not remove %s\n", scratch);
}

static outcome release(outcome o) {
    free(o.out);
    free(o.err);
    return (outcome){o.status, NULL, NULL};
}

/* A shell command, in which $DEMO is the driver. */
static outcome shell(const char *command) {
    char line[8192];
    (void)snprintf(line, sizeof line, "{ %s ; } >stdout 2>stderr </dev/null", command);
    int status = system(line);
    return (outcome){WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status, slurp("stdout"),
                     slurp("stderr")};
}

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

/* How many entries a folder has whose names end in .tmp, or all with suffix "". */
static int entries(const char *folder, const char *suffix) {
    int n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t length = strlen(e->d_name), end = strlen(suffix);
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && length >= end &&
             strcmp(e->d_name + length - end, suffix) == 0;
    }
    if (dir)
        (void)closedir(dir);
    return n;
}

static bool has(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

/* A run that must end with a status, and a message with these words ('|' between them). */
static void fails_with(const char *command, int status, const char *words) {
    outcome o = shell(command);
    LEM_CHECK(o.status == status, "%s: status %d, expected %d; %s", command, o.status, status, o.err);
    for (const char *word = words; *word;) {
        size_t length = strcspn(word, "|");
        LEM_CHECK(memmem(o.err, strlen(o.err), word, length) != NULL, "%s: '%.*s' is not in: %s", command,
                  (int)length, word, o.err);
        word += length + (word[length] == '|');
    }
    LEM_CHECK(!has(o.err, "Sanitizer"), "%s: %s", command, o.err);
    (void)release(o);
}

/* ... and leaves nothing behind in `folder`. */
static void leaves_nothing(const char *command, int status, const char *words, const char *folder) {
    fails_with(command, status, words);
    LEM_CHECK(!exists(folder), "%s: %s is left behind", command, folder);
}

static bool succeeds(const char *command) {
    outcome o = shell(command);
    bool ok = LEM_CHECK(o.status == 0, "%s: status %d: %s%s", command, o.status, o.err, o.out);
    (void)release(o);
    return ok;
}

static json_t *results(const char *folder) {
    char path[PATH_MAX];
    json_error_t error;
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    LEM_CHECK(json != NULL, "%s: %s", path, error.text);
    return json;
}

/* The run that several cases look at, made by the first of them. */
static bool has_full(void) {
    return exists("full") || succeeds("$DEMO --out full --seed 3");
}

static bool has_record(void) {
    return exists("rec.json") ||
           succeeds("$DEMO --out rec --no-figures --quiet && cp rec/results.json rec.json");
}

static bool has_gnuplot(void) {
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

/* --- options */

static void test_answers(void) {
    outcome o = shell("$DEMO --help");
    LEM_CHECK(o.status == 0 && !o.err[0], "--help: %d %s", o.status, o.err);
    static const char *const options[] = {"--out DIR",     "--seed N|random", "--scale X", "--threads N",
                                          "--record FILE", "--only SEC",      "--check",   "--no-figures",
                                          "--quiet",       "--list",          "--help",    "--version",
                                          "130",           "sampling"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        LEM_CHECK(has(o.out, options[i]), "--help does not say %s", options[i]);
    (void)release(o);
    o = shell("$DEMO --list");
    LEM_CHECK(o.status == 0 && has(o.out, "exact ") && has(o.out, "means of uniforms"), "--list: %s", o.out);
    (void)release(o);
    o = shell("$DEMO --version");
    LEM_CHECK(o.status == 0 && !strncmp(o.out, "demo (lemmata ", 14), "--version: %s", o.out);
    (void)release(o);
    LEM_CHECK(!exists("demo"), "questions make no folder");
    fails_with("$DEMO --help >/dev/full", 3, "");
}

static void test_bad_options(void) {
    static const struct {
        const char *arguments, *words;
    } table[] = {
        {"--frobnicate", "--frobnicate|--seed|--record"},
        {"extra", "extra|--seed"},
        {"-x", "-x"},
        {"--seed", "--seed needs a value"},
        {"--seed -1", "--seed -1|2^63"},
        {"--seed +1", "--seed +1|2^63"},
        {"--seed ''", "--seed|2^63"},
        {"--seed 1x", "--seed 1x|2^63"},
        {"--seed 1.5", "--seed 1.5"},
        {"--seed 0x10", "--seed 0x10"},
        {"--seed nan", "--seed nan"},
        {"--seed 9223372036854775808", "--seed 9223372036854775808|2^63"},
        {"--seed 99999999999999999999999", "2^63"},
        {"--scale 0", "--scale 0|0 < X"},
        {"--scale -1", "--scale -1"},
        {"--scale nan", "--scale nan"},
        {"--scale inf", "--scale inf"},
        {"--scale 1e999", "--scale 1e999"},
        {"--scale 2e6", "--scale 2e6"},
        {"--scale 0.1.2", "--scale 0.1.2"},
        {"--scale ' 1'", "--scale  1"},
        {"--threads 0", "--threads 0"},
        {"--threads 99999999999", "--threads"},
        {"--threads two", "--threads two"},
        {"--only nothing", "--only nothing|exact, sampling"},
        {"--check=yes", "--check takes no value"},
        {"--out ''", "--out"},
        {"--data ''", "--data|empty"},
        {"--scripts=", "--scripts|empty"},
        {"--record ''", "--record|empty"},
        {"--record missing.json", "missing.json|No such file"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char command[256];
        (void)snprintf(command, sizeof command, "$DEMO --out bad %s", table[i].arguments);
        leaves_nothing(command, 2, table[i].words, "bad");
    }
    LEM_CHECK(succeeds("$DEMO --only=exact --seed=9223372036854775807 --out top --quiet --no-figures"),
              "the largest seed, values after =");
    json_t *top = results("top");
    LEM_CHECK(json_integer_value(json_object_get(top, "seed")) == INT64_MAX, "recorded");
    LEM_CHECK(json_is_string(json_object_get(top, "only")), "a partial run says so");
    json_decref(top);
}

/* --- results.json */

typedef struct {
    const char *name;
    json_type type;
} member;

static void has_members(const json_t *json, const char *what, const member *members, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_object_get(json, members[i].name);
        LEM_CHECK(value && (json_typeof(value) == members[i].type ||
                            (json_is_number(value) && members[i].type == JSON_REAL)),
                  "%s: %s is missing or of another type", what, members[i].name);
    }
}
#define HAS(json, what, ...)                                                                                 \
    has_members((json), (what), (const member[]){__VA_ARGS__},                                               \
                sizeof((member[]){__VA_ARGS__}) / sizeof(member))

static bool mentions(const json_t *json, const char *word) {
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    bool found = text && strstr(text, word);
    free(text);
    return found;
}

static void test_schema(void) {
    if (!has_full())
        return;
    json_t *all = results("full"), *entry;
    const char *key;
    size_t i;
    HAS(all, "results", {"study", JSON_STRING}, {"title", JSON_STRING}, {"version", JSON_STRING},
        {"seed", JSON_INTEGER}, {"scale", JSON_REAL}, {"provenance", JSON_OBJECT}, {"values", JSON_OBJECT},
        {"claims", JSON_ARRAY}, {"figures", JSON_ARRAY}, {"timing", JSON_OBJECT}, {"notes", JSON_ARRAY},
        {"skipped", JSON_ARRAY});
    const json_t *provenance = json_object_get(all, "provenance");
    HAS(provenance, "provenance", {"compiler", JSON_STRING}, {"flags", JSON_STRING}, {"gsl", JSON_STRING},
        {"blas", JSON_STRING}, {"blas_core", JSON_STRING}, {"cpu", JSON_STRING}, {"threads", JSON_INTEGER},
        {"ranks", JSON_INTEGER}, {"data", JSON_OBJECT});
    LEM_CHECK(!mentions(provenance, "/"), "provenance holds a path");
    LEM_CHECK(!mentions(json_object_get(all, "claims"), scratch) && !mentions(all, DEMO_SCRIPTS),
              "a path of this machine is in the results");
    json_object_foreach(json_object_get(all, "values"), key, entry) {
        HAS(entry, key, {"value", JSON_REAL}, {"unit", JSON_STRING}, {"kind", JSON_STRING},
            {"digits", JSON_INTEGER});
        const json_t *error = json_object_get(entry, "stderr");
        bool estimate = !strcmp(json_string_value(json_object_get(entry, "kind")), "estimate");
        LEM_CHECK(error && (estimate ? json_is_real(error) : json_is_null(error)), "%s: stderr", key);
    }
    json_array_foreach(json_object_get(all, "claims"), i, entry) {
        HAS(entry, "a claim", {"id", JSON_STRING}, {"statement", JSON_STRING}, {"source", JSON_STRING},
            {"place", JSON_STRING}, {"kind", JSON_STRING}, {"verdict", JSON_STRING}, {"measured", JSON_REAL},
            {"expected", JSON_REAL}, {"statistic", JSON_REAL}, {"limit", JSON_REAL},
            {"false_alarm", JSON_REAL}, {"floor", JSON_REAL}, {"passed", JSON_TRUE},
            {"falsifiers", JSON_ARRAY});
        LEM_CHECK(json_object_get(entry, "stderr") != NULL, "stderr is there, if null");
        LEM_CHECK(!strncmp(json_string_value(json_object_get(entry, "place")), "tests/study/demo.c:", 19),
                  "the place is %s", json_string_value(json_object_get(entry, "place")));
        HAS(json_array_get(json_object_get(entry, "falsifiers"), 0), "a falsifier",
            {"statement", JSON_STRING}, {"statistic", JSON_REAL}, {"rejected", JSON_TRUE});
    }
    LEM_CHECK(json_array_size(json_object_get(all, "claims")) == 5, "five claims");
    json_decref(all);
}

/* What the section measured is what a reader of the file gets, bit for bit: the largest record is compared
 * with the last of the same stream through the table's 17 digits. */
static void test_round_trip(void) {
    if (!has_full())
        return;
    json_t *all = results("full");
    double value = json_number_value(
        json_object_get(json_object_get(json_object_get(all, "values"), "demo.third"), "value"));
    double third = 1.0 / 3;
    LEM_CHECK(memcmp(&value, &third, sizeof value) == 0, "1/3 read back as %.17g", value);
    char *table = slurp("full/data/demo.tsv"), *row = strstr(table, "\n1\t");
    double variance = json_number_value(
        json_object_get(json_object_get(json_object_get(all, "values"), "demo.variance.n1"), "value"));
    double cell = row ? strtod(row + 3, NULL) : NAN;
    LEM_CHECK(memcmp(&variance, &cell, sizeof cell) == 0, "table %.17g, results %.17g", cell, variance);
    LEM_CHECK(has(table, "# demo: demo\n# lemmata ") &&
                  has(table, ", seed 3, scale 1\n# n\tvariance\tstandard error\t"),
              "header comment: %.200s", table);
    free(table);
    json_decref(all);
}

static char *without_machine(const char *folder) {
    json_t *all = results(folder);
    (void)json_object_del(all, "timing");
    (void)json_object_del(all, "provenance");
    char *text = json_dumps(all, JSON_REAL_PRECISION(17));
    json_decref(all);
    return text ? text : strdup("");
}

static void same_results(const char *a, const char *b) {
    char *x = without_machine(a), *y = without_machine(b);
    LEM_CHECK(strlen(x) > 100 && strcmp(x, y) == 0, "%s and %s differ apart from timing and provenance", a,
              b);
    free(x);
    free(y);
}

static void test_reproducible(void) {
    bool ran = has_full() && succeeds("$DEMO --out full1 --seed 3 --threads 1 --quiet") &&
               succeeds("$DEMO --out full2 --seed 3 --threads 2 --quiet") &&
               succeeds("OPENBLAS_NUM_THREADS=2 OMP_NUM_THREADS=3 $DEMO --out full3 --seed 3 --quiet");
    if (!ran)
        return;
    same_results("full", "full1");
    same_results("full1", "full2");
    same_results("full1", "full3");
    LEM_CHECK(succeeds("cmp full1/data/demo.tsv full2/data/demo.tsv"), "tables are the same bytes");
    if (has_gnuplot())
        LEM_CHECK(succeeds("cmp full1/figures/demo.svg full2/figures/demo.svg"),
                  "SVG files are the same bytes");
    LEM_CHECK(succeeds("$DEMO --out other --seed 4 --quiet --no-figures"), "another seed");
    char *x = without_machine("full1"), *y = without_machine("other");
    LEM_CHECK(strcmp(x, y) != 0, "another seed gives other values");
    free(x), free(y);
    LEM_CHECK(
        succeeds("$DEMO --out random --seed random --only exact --no-figures") &&
            succeeds(
                "grep -q '^seed [0-9]*$' stderr; $DEMO --out random2 --seed random --only exact --quiet"),
        "a random seed");
    json_t *a = results("random"), *b = results("random2");
    LEM_CHECK(json_integer_value(json_object_get(a, "seed")) !=
                  json_integer_value(json_object_get(b, "seed")),
              "two random seeds differ");
    LEM_CHECK(!strcmp(json_string_value(json_object_get(a, "seed_kind")), "random"), "and are told");
    json_decref(a), json_decref(b);
}

/* --- claims and exit status */

static void test_exit_status(void) {
    outcome o = shell("$DEMO --out claims --no-figures --quiet --check");
    LEM_CHECK(o.status == 0 && !o.err[0], "all hold: %d %s", o.status, o.err);
    LEM_CHECK(!strncmp(o.out, "TAP version 13\nok 1 - demo.third  measured ", 43) && has(o.out, "\n1..5\n"),
              "%s", o.out);
    (void)release(o);
    o = shell("DEMO_TROUBLE='false claim' $DEMO --out claims --no-figures");
    LEM_CHECK(o.status == 0 && has(o.out, "not ok 3 - demo.variance"), "a failed claim is a finding: %d %s",
              o.status, o.out);
    LEM_CHECK(has(o.err, "1 failed"), "told: %s", o.err);
    (void)release(o);
    fails_with("DEMO_TROUBLE='false claim' $DEMO --out claims --no-figures --check", 1, "1 failed");
    fails_with("DEMO_TROUBLE='weak falsifier' $DEMO --out claims --no-figures --check", 1, "1 failed");
    fails_with("$DEMO --out claims --no-figures --check >/dev/full", 3, "writing the TAP output failed");
}

static void test_prove(void) {
    if (system("command -v prove >/dev/null 2>&1") != 0)
        LEM_SKIP("prove is not installed");
    LEM_CHECK(succeeds("prove -e '' $DEMO :: --quiet --no-figures --out proved"), "prove accepts a study");
    fails_with("DEMO_TROUBLE='false claim' prove -e '' $DEMO :: --quiet --no-figures --out proved", 1, "");
    char *out = slurp("stdout");
    LEM_CHECK(has(out, "Failed 1/5 subtests") && !has(out, "Parse errors"), "%s", out);
    free(out);
}

static void test_bad_sections(void) {
    leaves_nothing("DEMO_TROUBLE='nan value' $DEMO --out bad", 3,
                   "section exact|demo.bad|nan|nothing was written", "bad");
    leaves_nothing("DEMO_TROUBLE='duplicate value' $DEMO --out bad", 3, "demo.third|twice", "bad");
    leaves_nothing("DEMO_TROUBLE='data file' DEMO_DATA=missing $DEMO --out bad", 3, "missing|No such file",
                   "bad");
    outcome o = shell("DEMO_TROUBLE='nan value' $DEMO --out bad");
    LEM_CHECK(has(o.out, "1..1\nBail out! section exact: value demo.bad"), "a plan before the bail-out: %s",
              o.out);
    (void)release(o);
}

static void test_foreign_output(void) {
    outcome o = shell("DEMO_TROUBLE=warning $DEMO --out warned --only exact");
    LEM_CHECK(o.status == 0 && has(o.err, "a stray line") && !has(o.out, "stray"), "stdout is TAP alone: %s",
              o.out);
    for (const char *line = o.out; *line; line = strchr(line, '\n') + 1)
        LEM_CHECK(!strncmp(line, "ok ", 3) || !strncmp(line, "1..", 3) || !strncmp(line, "TAP", 3),
                  "not TAP: %s", line);
    (void)release(o);
}

static void test_skips_and_data(void) {
    LEM_CHECK(succeeds("DEMO_TROUBLE=skip $DEMO --out skips --only exact"), "a skip is fine");
    char *out = slurp("stdout"), *err = slurp("stderr");
    LEM_CHECK(has(out, " - demo.photographs # SKIP no photographs\n"), "%s", out);
    LEM_CHECK(has(err, "note: the photographs are not there: install them"), "%s", err);
    free(out), free(err);
    json_t *all = results("skips");
    LEM_CHECK(mentions(json_object_get(all, "notes"), "photographs are not there"), "the note is recorded");
    LEM_CHECK(mentions(json_object_get(all, "skipped"), "demo.photographs"), "the skip is recorded");
    json_decref(all);
    LEM_CHECK(
        succeeds("printf abc >here.gz; DEMO_TROUBLE='data file' DEMO_DATA=$PWD/here.gz $DEMO --out data "
                 "--only exact"),
        "a data file");
    all = results("data");
    LEM_CHECK(mentions(json_object_get(all, "provenance"),
                       "\"here.gz\": \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\""),
              "is named with its sha256, without its folder");
    json_decref(all);
}

/* --- figures */

static void test_figures(void) {
    if (!has_gnuplot())
        LEM_SKIP("gnuplot is not installed");
    if (!has_full())
        return;
    char *svg = slurp("full/figures/demo.svg");
    LEM_CHECK(has(svg, "<title>Variance of the mean of n uniforms &amp; its law</title>"),
              "our title, escaped");
    LEM_CHECK(
        has(svg,
            "<desc>the variance falls as 1/(12 n) &lt;straight line on both logarithmic axes&gt;</desc>"),
        "our alt text, escaped");
    LEM_CHECK(has(svg, "font-family=\"DejaVu Sans, sans-serif\""), "the font stack");
    LEM_CHECK(has(svg, "0, 114, 178") && has(svg, "213,  94,   0"), "the palette");
    LEM_CHECK(!has(svg, "GNUPLOT 5") && strlen(svg) < 200000, "%zu bytes", strlen(svg));
    json_t *all = results("full");
    const json_t *figure = json_array_get(json_object_get(all, "figures"), 0);
    HAS(figure, "a figure", {"name", JSON_STRING}, {"caption", JSON_STRING}, {"alt", JSON_STRING},
        {"svg", JSON_STRING}, {"png", JSON_STRING}, {"data", JSON_STRING});
    char digest[LEM_SHA256_TEXT];
    lem_sha256(svg, strlen(svg), digest);
    LEM_CHECK(!strcmp(json_string_value(json_object_get(figure, "svg_sha256")), digest), "the recorded hash");
    json_decref(all);
    free(svg);
    LEM_CHECK(succeeds("head -c 8 full/figures/demo.png | od -An -c | grep -q P"), "a PNG beside it");
    /* A user's own start-up file changes nothing. */
    LEM_CHECK(
        succeeds("mkdir -p home; echo 'set border 0; set title \"mine\"' >home/.gnuplot; HOME=$PWD/home "
                 "GNUTERM=dumb $DEMO --out homely --seed 3 --quiet && cmp homely/figures/demo.svg "
                 "full/figures/demo.svg"),
        "a start-up file is not read");
    LEM_CHECK(succeeds("$DEMO --out \"it's here\" --seed 3 --quiet && cmp \"it's here/figures/demo.svg\" "
                       "full/figures/demo.svg"),
              "a quote in the folder's name");
}

static void test_bad_figures(void) {
    if (!has_gnuplot())
        LEM_SKIP("gnuplot is not installed");
    static const struct {
        const char *script, *words;
    } table[] = {
        {"plot (", "gnuplot complained"},
        {"load \"style.gp\"; plot data using 1:9 @THEORY1", "gnuplot complained"},
        {"load \"style.gp\"; plot \"nowhere.tsv\" @THEORY1", "gnuplot complained|nowhere"},
        {"load \"style.gp\"; set output \"/dev/null\"; plot data @THEORY1", "cut short"},
        {"load \"style.gp\"; exit", "cut short|demo"},
        {"load \"style.gp\"; set xrange [50:60]; plot data using 1:2 @THEORY1", "demo"},
        {"load \"style.gp\"; set key autotitle; plot data using 1:2 @THEORY1 title data", "file name"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char command[512];
        (void)snprintf(command, sizeof command,
                       "mkdir -p gp; echo '%s' | tr ';' '\\n' >gp/demo.gp; $DEMO --scripts gp --out bad "
                       "--seed 3 --quiet",
                       table[i].script);
        leaves_nothing(command, 3, table[i].words, "bad");
    }
    leaves_nothing("mkdir -p none; $DEMO --scripts none --out bad --quiet", 3, "none/demo.gp|--scripts",
                   "bad");
    leaves_nothing("DEMO_TROUBLE='empty figure' $DEMO --out bad --quiet", 3, "figure demo", "bad");
}

/* A PATH without gnuplot: data and claims all the same, and a sentence that says what is missing. */
static void test_no_gnuplot(void) {
    if (!has_full())
        return;
    outcome o =
        shell("cp -r full none2; mkdir -p emptypath; PATH=$PWD/emptypath $DEMO --out none2 --seed 3 --check");
    LEM_CHECK(o.status == 0, "status %d: %s", o.status, o.err);
    LEM_CHECK(has(o.err, "gnuplot is not installed") && has(o.err, "missing: demo") &&
                  has(o.err, "apt install"),
              "said: %s", o.err);
    LEM_CHECK(has(o.out, "\n1..5\n") && exists("none2/data/demo.tsv"), "claims and data are there");
    LEM_CHECK(!exists("none2/figures/demo.svg"), "a figure of older data does not stay");
    (void)release(o);
    json_t *all = results("none2");
    const json_t *figure = json_array_get(json_object_get(all, "figures"), 0);
    LEM_CHECK(json_is_null(json_object_get(figure, "svg")), "the results say so");
    LEM_CHECK(json_is_null(json_object_get(json_object_get(all, "provenance"), "gnuplot")),
              "no version of it");
    json_decref(all);
}

/* --- the disk and interrupts */

static void test_bad_folders(void) {
    leaves_nothing("touch file; $DEMO --out file/x", 3, "file|nothing was written", "file/x");
    leaves_nothing("$DEMO --out file", 3, "file|in the way", "absent");
    leaves_nothing("$DEMO --out /dev/full", 3, "/dev/full", "absent");
    leaves_nothing("$DEMO --out /proc/nowhere/x", 3, "/proc/nowhere", "absent");
    if (geteuid() != 0)
        leaves_nothing("mkdir -p locked; chmod a-w locked; $DEMO --out locked/x", 3, "locked|denied",
                       "locked/x");
    else
        leaves_nothing("$DEMO --out /sys/lemmata", 3, "/sys/lemmata", "/sys/lemmata");
}

/* A file-size limit stops a write as a full disk does, for any user; a tiny file system is the thing itself,
 * where the test may mount one. */
static void test_full_disk(void) {
    (void)succeeds("$DEMO --out old --seed 5 --quiet --no-figures && cp old/results.json before");
    outcome o = shell("m=$( (trap \"\" XFSZ; ulimit -f 4; $DEMO --out old --quiet --no-figures 2>&1 "
                      ">/dev/null; echo \"status $?\") ); echo \"$m\"");
    LEM_CHECK(has(o.out, "cannot write old/results.json: File too large") &&
                  has(o.out, "nothing was written") && has(o.out, "status 3"),
              "said: %s", o.out);
    (void)release(o);
    LEM_CHECK(succeeds("cmp old/results.json before"), "the older results are untouched");
    LEM_CHECK(entries("old", ".tmp") == 0 && entries("old/data", ".tmp") == 0, "no temporary file stays");
    if (mkdir("tiny", 0700) != 0 || mount("lemmata-test", "tiny", "tmpfs", 0, "size=4k") != 0)
        return; /* not allowed here: the limit above stands for it */
    fails_with("$DEMO --out tiny --quiet", 3, "No space left|nothing was written");
    int left = entries("tiny", "");
    (void)umount("tiny");
    LEM_CHECK(left == 0, "%d entries are left on the full disk", left);
}

static void interrupt(int number) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR), err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        (void)dup2(null, 0), (void)dup2(null, 1), (void)dup2(err, 2);
        (void)setenv("DEMO_TROUBLE", "slow", 1);
        execl(getenv("DEMO"), "demo", "--out", "stopped/here", "--threads", "2", (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 500 && !exists("stopped/here/figures"); i++)
        (void)usleep(10000);
    (void)usleep(200000); /* into the sampling, which takes 2 s */
    (void)kill(child, number);
    int status = 0;
    (void)waitpid(child, &status, 0);
    char *err = slurp("stderr");
    LEM_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 130, "status %d", status);
    LEM_CHECK(has(err, "interrupted: nothing was written"), "%s", err);
    LEM_CHECK(!exists("stopped"), "nothing is left");
    free(err);
}

static void test_interrupts(void) {
    interrupt(SIGINT);
    interrupt(SIGTERM);
}

/* What a run that was killed outright leaves is invisible, and the next run removes it; not what belongs to a
 * running process (here: this one). */
static void test_killed(void) {
    char mine[64];
    (void)snprintf(mine, sizeof mine, "killed/data/.demo.tsv.%ld.tmp", (long)getpid());
    LEM_CHECK(succeeds("DEMO_TROUBLE=linger $DEMO --quiet --no-figures --out killed & p=$!; i=0; while [ $i "
                       "-lt 200 ] && ! ls -A "
                       "killed/data | grep -q tmp; do sleep 0.02; i=$((i+1)); done; kill -KILL $p; wait $p; "
                       "ls -A killed/data | grep -q tmp && ! ls killed/data | grep -q demo"),
              "killed in time");
    LEM_CHECK(entries("killed/data", ".tmp") > 0 && !exists("killed/results.json"), "a temporary file");
    FILE *file = fopen(mine, "w");
    if (file)
        (void)fclose(file);
    LEM_CHECK(succeeds("touch killed/data/.demo.tsv.0.tmp killed/data/.demo.tsvx.1.tmp && $DEMO --quiet "
                       "--no-figures --out killed"),
              "runs again");
    LEM_CHECK(entries("killed/data", ".tmp") == 3 && exists(mine), "only stale temporary files are removed");
}

/* Two runs at once into one folder: all its files are of one of them. */
static void test_two_at_once(void) {
    for (int i = 0; i < 5; i++) {
        if (!succeeds("rm -rf both; $DEMO --quiet --no-figures --seed 1 --out both & p=$!; $DEMO --quiet "
                      "--no-figures --seed 2 --out both & q=$!; wait $p && wait $q"))
            return;
        json_t *all = results("both"), *figure = json_array_get(json_object_get(all, "figures"), 0);
        char digest[LEM_SHA256_TEXT] = "";
        LEM_CHECK(lem_sha256_file("both/data/demo.tsv", digest) == 0, "%s", lem_last_error());
        const char *said = json_string_value(json_object_get(figure, "data_sha256"));
        LEM_CHECK(said && strcmp(said, digest) == 0, "the table is not of the results");
        LEM_CHECK(entries("both/data", ".tmp") == 0 && entries("both", ".tmp") == 0, "no temporary files");
        json_decref(all);
    }
}

/* Descriptors that the shell closed. */
static void test_closed_streams(void) {
    leaves_nothing("$DEMO --out closed >&-", 3, "demo: standard output is closed", "closed");
    if (!succeeds("$DEMO --no-figures --out closed 2>&- <&-"))
        return;
    outcome o = shell("$DEMO --no-figures --out open && cmp closed/data/demo.tsv open/data/demo.tsv");
    LEM_CHECK(o.status == 0, "messages went into a file: %s%s", o.out, o.err);
    (void)release(o);
}

/* While gnuplot runs: it is ended too, and the older results stay. */
static void test_interrupt_while_drawing(void) {
    if (!has_gnuplot())
        LEM_SKIP("gnuplot is not installed");
    if (!has_full())
        return;
    (void)succeeds("mkdir -p slowgp kept; cp -r full/. kept; cp kept/results.json before; echo 'pause 30' "
                   ">slowgp/demo.gp");
    fails_with("$DEMO --scripts slowgp --out kept --seed 9 & p=$!; i=0; while [ $i -lt 100 ] && ! ls -A "
               "kept/data | grep -q "
               "tmp; do sleep 0.05; i=$((i+1)); done; sleep 0.7; kill -TERM $p; wait $p",
               130, "interrupted");
    LEM_CHECK(succeeds("cmp kept/results.json before && cmp kept/figures/demo.svg full/figures/demo.svg"),
              "the older results are whole");
    LEM_CHECK(entries("kept/data", ".tmp") == 0 && entries("kept/figures", ".tmp") == 0,
              "no temporary file stays");
}

/* On a terminal a bar is drawn; elsewhere there are plain lines. */
static void test_progress(void) {
    outcome o = shell("$DEMO --out lines --no-figures");
    LEM_CHECK(has(o.err, "[1/2] closed forms\n[2/2] means of uniforms\n") && !has(o.err, "\r") &&
                  !has(o.err, "\033"),
              "plain lines: %s", o.err);
    (void)release(o);
    if (system("command -v script >/dev/null 2>&1") != 0)
        return;
    o = shell("DEMO_TROUBLE=slow script -qec \"$DEMO --out bar --no-figures --threads 2\" typescript");
    LEM_CHECK(has(o.out, "] sampling ") && has(o.out, " %") && has(o.out, "ETA "),
              "a bar with the time left: %s", o.out);
    (void)release(o);
}

/* --- the record */

static void edit_record(const char *from, const char *to, const char *key, const char *member_name,
                        json_t *value) {
    json_t *all = results(from);
    json_t *values = json_object_get(all, "values");
    if (!member_name && !value)
        (void)json_object_del(values, key);
    else if (!member_name)
        (void)json_object_set_new(values, key, value);
    else
        (void)json_object_set_new(json_object_get(values, key), member_name, value);
    (void)json_dump_file(all, to, JSON_REAL_PRECISION(17));
    json_decref(all);
}

static double value_of(const char *folder, const char *key, const char *name) {
    json_t *all = results(folder);
    double x = json_number_value(json_object_get(json_object_get(json_object_get(all, "values"), key), name));
    json_decref(all);
    return x;
}

static void record_run(const char *options, int status, const char *said) {
    char command[512];
    (void)snprintf(command, sizeof command, "$DEMO --no-figures --quiet --out compared %s", options);
    outcome o = shell(command);
    LEM_CHECK(o.status == status && has(o.out, said), "%s: status %d, expected %d and \"%s\": %s", command,
              o.status, status, said, o.out);
    (void)release(o);
}

static void test_record_agrees(void) {
    if (!has_record())
        return;
    record_run("--record rec.json", 0,
               "ok 6 - record  7 values compared, 7 with equal bits; 0 comparable only");
    record_run("--record rec.json --threads 1", 0, "7 with equal bits");
    record_run("--record rec.json --scale 0.1 --seed 2", 0, "6 values compared");
    record_run("--record rec.json --scale 0.1", 0, "1 comparable only at the record's seed and scale");
    record_run("--record rec.json --seed 12", 0, "6 values compared");
    /* Ten seeds: with a false-alarm rate of 1e-6 each, none disagrees. */
    for (int seed = 100; seed < 110; seed++) {
        char options[64];
        (void)snprintf(options, sizeof options, "--record rec.json --scale 0.1 --seed %d", seed);
        record_run(options, 0, "0 disagree");
    }
    record_run("--record rec.json --only exact", 0, "1 values compared, 1 with equal bits");
}

static void test_record_disagrees(void) {
    if (!has_record())
        return;
    double estimate = value_of("rec", "demo.variance.n4", "value"),
           error = value_of("rec", "demo.variance.n4", "stderr");
    edit_record("rec", "r.json", "demo.third", "value", json_real(1.0 / 3 + 2e-15));
    record_run("--record r.json --scale 0.1 --seed 2", 1, "not ok 6 - record");
    edit_record("rec", "r.json", "demo.third", "value", json_real(1.0 / 3 + 0.9e-15));
    record_run("--record r.json", 0, "6 with equal bits");
    /* 5 estimates at 1e-6: z = 5.20, and the small run's own error is sqrt(10) times the record's. */
    edit_record("rec", "r.json", "demo.variance.n4", "value", json_real(estimate + 30 * error));
    record_run("--record r.json --scale 0.1 --seed 2", 1, "1 disagree");
    edit_record("rec", "r.json", "demo.variance.n4", "value", json_real(estimate + 3 * error));
    record_run("--record r.json --scale 0.1 --seed 2", 0, "0 disagree");
    record_run("--record r.json", 1, "1 disagree"); /* the same run must give the same digits */
    edit_record("rec", "r.json", "demo.largest", "value", json_real(0.5));
    record_run("--record r.json --scale 0.1 --seed 2", 0, "1 comparable only");
    record_run("--record r.json", 1, "1 disagree");
    edit_record("rec", "r.json", "demo.third", "kind", json_string("scaled"));
    record_run("--record r.json", 1, "1 disagree");
    edit_record("rec", "r.json", "demo.third", NULL, NULL);
    record_run("--record r.json", 1, "demo.third: \"is not in the record; make");
    edit_record("rec", "r.json", "demo.more", NULL,
                json_pack("{s:f, s:n, s:s, s:s, s:i}", "value", 1.0, "stderr", "unit", "", "kind", "exact",
                          "digits", 3));
    record_run("--record r.json", 1, "1 left out of this run");
    record_run("--record r.json --only exact", 0, "left out of this run");
}

static void test_record_malformed(void) {
    static const char *const table[][2] = {
        {"", "--record r.json"},
        {"{\"study\": \"demo\"", "--record r.json|line 1"},
        {"[]", "--record r.json"},
        {"{}", "--record r.json|no results.json"},
        {"{\"study\": \"demo\", \"study\": \"demo\"}", "duplicate"},
        {"{\"study\": \"other\", \"seed\": 1, \"scale\": 1, \"values\": {}, \"claims\": []}",
         "other|not demo"},
        {"{\"study\": \"demo\", \"seed\": 1, \"scale\": 1, \"values\": {\"a\": 1}, \"claims\": []}",
         "value a|malformed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FILE *file = fopen("r.json", "w");
        (void)fputs(table[i][0], file);
        (void)fclose(file);
        leaves_nothing("$DEMO --out bad --record r.json", 2, table[i][1], "bad");
    }
    fails_with("$DEMO --out bad --record .", 2, "--record .");
}

static void test_sha256(void) {
    /* FIPS 180-4's own examples, and lengths about the block's end (computed by sha256sum). */
    char digest[LEM_SHA256_TEXT];
    lem_sha256("", 0, digest);
    LEM_CHECK(!strcmp(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), "%s",
              digest);
    lem_sha256("abc", 3, digest);
    LEM_CHECK(!strcmp(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), "%s",
              digest);
    for (int n = 54; n < 130; n += n == 57 ? 5 : 1) {
        char command[128], again[LEM_SHA256_TEXT];
        (void)snprintf(command, sizeof command, "head -c %d /dev/zero >zeros; sha256sum zeros", n);
        outcome o = shell(command);
        if (o.status == 0 && lem_sha256_file("zeros", again) == 0)
            LEM_CHECK(!strncmp(o.out, again, 64), "%d zeros: %s", n, again);
        (void)release(o);
        if (n > 66 && n < 118)
            n = 118;
    }
    LEM_CHECK_ERROR(lem_sha256_file("nowhere", digest), "nowhere");
}

/* Started as one of several, by a launcher that this process knows nothing of but what stands in the
 * environment: without the others it must not run. Under a real mpirun: test_mpi.sh. */
static void test_strangers(void) {
    leaves_nothing("SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 $DEMO --out crowd", 2,
                   "demo: srun has started 4 processes (SLURM_STEP_NUM_TASKS)|unset that variable", "crowd");
    outcome o = shell("SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=2 $DEMO --out crowd");
    LEM_CHECK(o.status == 0 && !o.out[0] && !o.err[0] && !exists("crowd"), "the others are quiet: %d %s",
              o.status, o.err);
    (void)release(o);
    LEM_CHECK(succeeds("SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 $DEMO --out single --only exact --quiet"),
              "one process is no crowd");
    LEM_CHECK(succeeds("SLURM_STEP_NUM_TASKS=many SLURM_NTASKS=8 $DEMO --out single --only exact --quiet"),
              "an allocation without srun is no crowd");
}

static const lem_tap_case cases[] = {
    {"--help, --list, --version", test_answers},
    {"bad options", test_bad_options},
    {"results.json has its schema", test_schema},
    {"numbers read back to the same bits", test_round_trip},
    {"threads and repetition change nothing", test_reproducible},
    {"exit status of claims", test_exit_status},
    {"a study under prove", test_prove},
    {"sections that fail", test_bad_sections},
    {"foreign output stays out of TAP", test_foreign_output},
    {"skips, notes, data files", test_skips_and_data},
    {"figures", test_figures},
    {"figures that fail", test_bad_figures},
    {"no gnuplot", test_no_gnuplot},
    {"folders that cannot be written", test_bad_folders},
    {"a full disk", test_full_disk},
    {"interrupts", test_interrupts},
    {"a run that is killed", test_killed},
    {"two runs into one folder", test_two_at_once},
    {"closed standard streams", test_closed_streams},
    {"an interrupt while gnuplot runs", test_interrupt_while_drawing},
    {"progress", test_progress},
    {"a record that agrees", test_record_agrees},
    {"records that disagree", test_record_disagrees},
    {"records that are malformed", test_record_malformed},
    {"SHA-256", test_sha256},
    {"one of several processes that do not know each other", test_strangers},
};

int main(int argc, char **argv) {
    (void)setenv("DEMO", DEMO, 0);
    enter_scratch();
    int status = lem_tap_main(cases, sizeof cases / sizeof cases[0], argc, argv);
    leave_scratch();
    return status;
}
