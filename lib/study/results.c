/* results.json: values, notes, provenance, and the whole. */
#include "study/files.h"
#include "study/format.h"
#include "study/ranks.h"
#include "study/runtime.h"
#include "study/sha256.h"

#include "study/build_config.h"

#include "base/version.h"
#include "linalg/linalg.h"

#include <ctype.h>
#include <float.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

json_t *lem_json_number(double x) {
    if (isnan(x))
        return json_null();
    return json_real(isinf(x) ? copysign(DBL_MAX, x) : x);
}

const char *lem_source_relative(const char *file) {
    static const char *const roots[] = {"studies/", "tests/", "lib/"};
    const char *best = file;
    while (strncmp(best, "../", 3) == 0)
        best += 3;
    for (size_t r = 0; r < sizeof roots / sizeof roots[0]; r++)
        for (const char *at = file; (at = strstr(at, roots[r])); at++)
            if (at == file || at[-1] == '/')
                return at; /* the outermost: a study may have a folder of the same name */
    return best;
}

int lem_check_key(const char *what, const char *key) {
    bool word = false;
    if (!key)
        return LEM_ERROR(GSL_EINVAL, "%s is a null pointer", what);
    for (const char *c = key; *c; c++) {
        bool letter = isalnum((unsigned char)*c) || *c == '_';
        if (!letter && !(word && (*c == '.' || *c == '-')))
            word = false, c = strchr(key, '\0') - 1;
        else
            word = letter;
    }
    if (!word)
        return LEM_ERROR(GSL_EINVAL,
                         "%s is \"%.80s\": must be words of letters, digits and _, joined by . or -", what,
                         key);
    return GSL_SUCCESS;
}

static int add_value(lem_study *study, const char *key, double value, double error, int digits,
                     const char *unit, const char *kind) {
    if (!study)
        return LEM_ERROR(GSL_EFAULT, "study is a null pointer");
    LEM_TRY(lem_check_key("the value's key", key));
    if (!isfinite(value))
        return LEM_ERROR(GSL_EINVAL, "value %s = %g: must be a finite number", key, value);
    if (digits < 1 || digits > 17)
        return LEM_ERROR(GSL_EINVAL, "value %s: digits = %d: must be in 1..17", key, digits);
    if (json_object_get(study->values, key))
        return LEM_ERROR(GSL_EINVAL, "value %s is given twice: keys are unique", key);
    json_t *entry = json_pack("{s:f, s:o, s:s, s:s, s:i}", "value", value, "stderr", lem_json_number(error),
                              "unit", unit ? unit : "", "kind", kind, "digits", digits);
    if (json_object_set_new(study->values, key, entry) != 0)
        return LEM_ERROR(GSL_EINVAL, "value %s: its unit is not UTF-8, or memory is short", key);
    return GSL_SUCCESS;
}

int lem_value_exact(lem_study *study, const char *key, double value, int digits, const char *unit) {
    return add_value(study, key, value, NAN, digits, unit, "exact");
}

int lem_value_estimate(lem_study *study, const char *key, double value, double stderr_, const char *unit) {
    if (!(stderr_ > 0) || isinf(stderr_))
        return LEM_ERROR(GSL_EINVAL, "value %s: its standard error %g must be > 0 and finite",
                         key ? key : "(null)", stderr_);
    return add_value(study, key, value, stderr_, lem_digits_of_error(value, stderr_), unit, "estimate");
}

int lem_value_scaled(lem_study *study, const char *key, double value, int digits, const char *unit) {
    return add_value(study, key, value, NAN, digits, unit, "scaled");
}

void lem_study_note(lem_study *study, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return;
    lem_progress_clear(study);
    if (lem_is_root())
        (void)fprintf(stderr, "note: %s\n", text);
    (void)json_array_append_new(study->notes, json_string(text));
    free(text);
}

int lem_study_data_file(lem_study *study, const char *path) {
    char digest[LEM_SHA256_TEXT];
    if (!study || !path)
        return LEM_ERROR(GSL_EFAULT, "study or path is a null pointer");
    LEM_TRY(lem_sha256_file(path, digest));
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *other = json_string_value(json_object_get(study->data, name));
    if (other && strcmp(other, digest) != 0)
        return LEM_ERROR(GSL_EINVAL, "two different data files are called %s", name);
    if (json_object_set_new(study->data, name, json_string(digest)) != 0)
        return LEM_ERROR(GSL_EINVAL, "the name of the data file %s is not UTF-8", path);
    return GSL_SUCCESS;
}

static json_t *cpu_name(void) {
    char line[512] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    json_t *name = NULL;
    while (file && !name && fgets(line, sizeof line, file)) {
        if (strncmp(line, "model name", 10) != 0 || !strchr(line, ':'))
            continue;
        line[strcspn(line, "\n")] = '\0';
        name = json_string(strchr(line, ':') + 2);
    }
    if (file)
        (void)fclose(file);
    return name ? name : json_string("unknown");
}

/* The core is the last word of OpenBLAS's description that is no setting. */
static const char *core_in(const char *description, char *core, size_t size) {
    (void)snprintf(core, size, "unknown");
    for (const char *word = description; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (!memchr(word, '=', length))
            (void)snprintf(core, size, "%.*s", (int)length, word);
        word += length;
    }
    return core;
}

#ifdef __clang__
static const char compiler[] = "clang " __clang_version__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

/* The C library picks its exp, log, sin by these too. */
static const char *instructions(void) {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_supports("avx512f") ? "AVX-512"
           : __builtin_cpu_supports("fma")   ? "FMA"
           : __builtin_cpu_supports("avx2")  ? "AVX2"
                                             : "SSE2";
#else
    return "one instruction set";
#endif
}

void lem_machine_text(char *text, size_t size) {
#ifdef __GLIBC__
    const char *libc = gnu_get_libc_version();
#else
    const char *libc = "?";
#endif
    (void)snprintf(text, size, "lemmata %s, %s, %s, GSL %s, libc %s, %s, %s", LEM_VERSION, compiler,
                   LEM_BUILD_FLAGS, gsl_version, libc, instructions(), lem_blas_description());
}

int lem_results_digest(const lem_study *study, char *text) {
    json_t *parts = json_pack("[O, O, O, O, O, O]", study->values, study->claims, study->skips,
                              study->figures, study->notes, study->data);
    char *dump = parts ? json_dumps(parts, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(parts);
    if (!dump)
        return LEM_ERROR(GSL_EFAILED, "the results could not be put together: memory is short");
    lem_sha256(dump, strlen(dump), text);
    free(dump);
    return GSL_SUCCESS;
}

json_t *lem_provenance(const lem_study *study) {
    char core[64];
    const char *blas = lem_blas_description();
    const char *gnuplot = study->options.no_figures ? NULL : lem_gnuplot_version();
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:o, s:i, s:i, s:O}", "compiler", compiler, "flags",
                     LEM_BUILD_FLAGS, "gsl", gsl_version, "blas", blas, "blas_core",
                     core_in(blas, core, sizeof core), "gnuplot", gnuplot, "cpu", cpu_name(), "threads",
                     study->threads, "ranks", lem_ranks(), "data", study->data);
}

static const char *seed_kind(const lem_study *study) {
    static const char *const names[] = {"default", "given", "random"};
    return names[study->options.seed_kind];
}

json_t *lem_results_build(const lem_study *study) {
    json_t *all = json_pack(
        "{s:s, s:s, s:s, s:I, s:s, s:f, s:s?, s:o, s:O, s:O, s:O, s:O, s:O, s:O}", "study", study->spec->name,
        "title", study->spec->title, "version", LEM_VERSION, "seed", (json_int_t)study->options.seed,
        "seed_kind", seed_kind(study), "scale", study->options.scale, "only", study->options.only,
        "provenance", lem_provenance(study), "values", study->values, "claims", study->claims, "skipped",
        study->skips, "figures", study->figures, "notes", study->notes, "timing", study->timing);
    if (!all)
        (void)LEM_ERROR(GSL_EFAILED,
                        "results.json could not be put together: a text is not UTF-8, or memory is short");
    return all;
}
