/* The runs of Hoffmann et al., as Besiroglu et al. read them from a figure. The file carries no licence and
 * is not part of this project; without it this section is left out. */
#include "fits.h"
#include "study/csv.h"
#include "study/sha256.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#ifndef LEM_DATA_DIR
#define LEM_DATA_DIR ""
#endif

static const char file_name[] = "svg_extracted_data.csv";
static const char digest[] = "193478df4e90f040016431996c45682659306840ecdadf83cfb9cd5ca0aa1b30";

/* In the folder given, or in its subfolder chinchilla. */
static bool find_file(const lem_study *study, char *path, size_t size) {
    const char *folder = lem_study_data_folder(study, LEM_DATA_DIR);
    if (!*folder)
        return false;
    (void)snprintf(path, size, "%s/chinchilla/%s", folder, file_name);
    if (access(path, R_OK) == 0)
        return true;
    (void)snprintf(path, size, "%s/%s", folder, file_name);
    return access(path, R_OK) == 0;
}

static int check_file(const char *path) {
    char found[LEM_SHA256_TEXT];
    LEM_TRY(lem_sha256_file(path, found));
    return strcmp(found, digest) == 0
               ? GSL_SUCCESS
               : LEM_ERROR(
                     GSL_EINVAL,
                     "%s is another file than the one the claims are about: its sha256 is %s, must be %s",
                     path, found, digest);
}

static int load(const char *path, sl_runs *runs) {
    static const lem_csv_column columns[] = {
        {"N", "Model Size", false, true}, {"C", "Training FLOP", false, true}, {"loss", "loss", false, true}};
    lem_csv csv;
    LEM_TRY(check_file(path));
    LEM_TRY(lem_csv_read(path, 3, columns, &csv));
    runs->n = csv.rows;
    for (size_t i = 0; i < csv.rows && i < SL_MOST_RUNS; i++) {
        runs->N[i] = csv.columns[0][i];
        runs->D[i] = csv.columns[1][i] / (6 * csv.columns[0][i]);
        runs->loss[i] = csv.columns[2][i];
    }
    lem_csv_free(&csv);
    return runs->n <= SL_MOST_RUNS
               ? GSL_SUCCESS
               : LEM_ERROR(GSL_EBADLEN, "%s: %zu rows, more than %d", path, runs->n, SL_MOST_RUNS);
}

/* Keep the rows with a loss below the m-th largest; ties go together. */
int sl_drop_largest(const sl_runs *from, size_t m, sl_runs *to) {
    double limit = INFINITY;
    for (size_t seen = 0; seen < m;) {
        double next = -INFINITY;
        for (size_t i = 0; i < from->n; i++)
            next = from->loss[i] < limit && from->loss[i] > next ? from->loss[i] : next;
        if (isinf(next))
            return LEM_ERROR(GSL_EINVAL, "m = %zu: there are only %zu rows", m, from->n);
        for (size_t i = 0; i < from->n; i++)
            seen += from->loss[i] == next;
        limit = next;
    }
    to->n = 0;
    for (size_t i = 0; i < from->n; i++)
        if (from->loss[i] < limit) {
            to->N[to->n] = from->N[i];
            to->D[to->n] = from->D[i];
            to->loss[to->n++] = from->loss[i];
        }
    return GSL_SUCCESS;
}

/* --- without the file ------------------------------------------------------------------------------ */

static int skip(lem_study *study) {
    static const struct {
        const char *id, *statement;
    } claims[] = {
        {"sl.offset-fit.slices", "a power law with an offset in D, at one model size and at another"},
        {"sl.chinchilla-fit", "the minimiser of the stated Huber loss on the 240 published points"},
        {"sl.chinchilla-fit.objectives", "the objective at published constants"},
        {"sl.chinchilla-fit.gradient", "the gradient at published constants"},
        {"sl.chinchilla-fit.least-absolute", "least absolute deviations"},
        {"sl.chinchilla-fit.least-squares", "least squares"},
        {"sl.chinchilla-fit.residuals", "residuals are not normal"},
        {"sl.chinchilla-drop", "what dropping the largest losses changes"},
        {"sl.chinchilla-bootstrap", "bootstrap standard errors"},
        {"sl.chinchilla-bootstrap.centring", "what centring does to the covariance"},
        {"sl.chinchilla-reject", "the constants of Hoffmann et al. against the points, likelihood ratio"},
        {"sl.chinchilla-reject.ratios", "likelihood ratios"},
        {"sl.chinchilla-reject.wald", "the constants of Hoffmann et al. against the points, Wald"},
        {"sl.rounding", "two printed digits of an exponent"},
        {"sl.reduction-trap", "sum or mean, and an absolute tolerance"},
        {"sl.reduction-trap.confirms", "descent on the mean from the published constants"},
        {"sl.compute-optimal.data", "tokens per parameter"},
        {"sl.quanta-relation", "beta = alpha/(1 + alpha)"},
    };
    lem_study_note(
        study,
        "the published runs are left out: %s is not in %s%s. To get it: curl -LO "
        "https://raw.githubusercontent.com/epoch-research/analyzing-chinchilla/main/data/%s && echo '%s  %s' "
        "| "
        "sha256sum -c, then give its folder with --data DIR or meson configure build -Ddata_dir=DIR",
        file_name, *lem_study_data_folder(study, LEM_DATA_DIR) ? "the folder " : "any folder (none is given)",
        lem_study_data_folder(study, LEM_DATA_DIR), file_name, digest, file_name);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        LEM_TRY(
            lem_claim_skip(study, claims[i].id, claims[i].statement, "the published points are not at hand"));
    return GSL_SUCCESS;
}

int sl_published(lem_study *study) {
    static sl_published_data data;
    char path[4096];
    if (!find_file(study, path, sizeof path))
        return skip(study);
    LEM_TRY(load(path, &data.all));
    LEM_TRY(lem_study_data_file(study, path));
    LEM_TRY(sl_drop_largest(&data.all, 5, &data.kept));
    const lem_chinchilla_data kept = sl_data(&data.kept);
    LEM_TRY(lem_chinchilla_fit(&kept, sl_delta, &data.huber));
    LEM_TRY(lem_chinchilla_fit(&kept, 0, &data.absolute));
    LEM_TRY(sl_published_fit(study, &data));
    return sl_published_bootstrap(study, &data);
}
