/* Grids, fits, and counts of quanta. */
#include "study.h"

#include <string.h>

void sl_log_grid(double low, double high, size_t n, double *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = low * pow(high / low, (double)i / (double)(n - 1));
}

double sl_smooth_cut(double D, sl_law law) {
    return lem_quanta_loss_poisson_asymptotic(D, law.tau, law.gamma) /
           lem_quanta_threshold_factor(law.tau, law.gamma);
}

double sl_slope(size_t n, const double *x, const double *y) {
    double mx = 0, my = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++)
        mx += x[i] / (double)n, my += y[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        sxx += (x[i] - mx) * (x[i] - mx), sxy += (x[i] - mx) * (y[i] - my);
    return sxy / sxx;
}

sl_tally *sl_tally_alloc(double gamma, size_t room) {
    sl_tally *tally = malloc(sizeof *tally);
    double *far = malloc(room * sizeof *far);
    if (!tally || !far) {
        free(tally), free(far);
        return NULL;
    }
    tally->gamma = gamma;
    tally->far = far;
    tally->room = room;
    const double first = lem_quanta_frequency(1, gamma);
    for (size_t k = 1; k <= SL_NEAR; k++)
        tally->p[k] = first * pow((double)k, -(gamma + 1));
    sl_tally_clear(tally);
    return tally;
}

void sl_tally_free(void *tally) {
    if (tally)
        free(((sl_tally *)tally)->far);
    free(tally);
}

void sl_tally_clear(sl_tally *tally) {
    memset(tally->count, 0, sizeof tally->count);
    tally->n_far = 0;
}

int sl_tally_draw(sl_tally *tally, lem_stream *stream, size_t samples) {
    for (size_t block; samples > 0; samples -= block) {
        block = samples < SL_BLOCK ? samples : SL_BLOCK;
        LEM_TRY(lem_zipf_fill(stream, tally->gamma + 1, block, tally->draws));
        for (size_t i = 0; i < block; i++) {
            const double k = tally->draws[i];
            if (k <= SL_NEAR)
                tally->count[(size_t)k]++;
            else if (tally->n_far == tally->room)
                return LEM_ERROR(GSL_EFAILED, "more samples than the %zu announced", tally->room);
            else
                tally->far[tally->n_far++] = k;
        }
    }
    return GSL_SUCCESS;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sl_tally_loss(sl_tally *tally, uint32_t passes, uint32_t tau, double *learned) {
    double known = 0, number = 0;
    for (size_t k = SL_NEAR; k >= 1; k--)
        if (tally->count[k] * passes >= tau)
            known += tally->p[k], number++;
    qsort(tally->far, tally->n_far, sizeof *tally->far, by_size);
    for (size_t i = 0, next; i < tally->n_far; i = next) {
        for (next = i + 1; next < tally->n_far && tally->far[next] == tally->far[i];)
            next++;
        if ((next - i) * passes >= tau)
            known += tally->p[1] * pow(tally->far[i], -(tally->gamma + 1)), number++;
    }
    if (learned)
        *learned = number;
    return 1 - known;
}
