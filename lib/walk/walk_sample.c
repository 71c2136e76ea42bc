#include "walk/walk_sample.h"
#include "walk/check.h"

#include <math.h>

enum { BLOCK = 512 };

typedef struct {
    const lem_block_field *drift;
    size_t n;
    double x0, dt, s, alpha;
    uint64_t *cut;
} walk;

static int check(const walk *w, double T, size_t paths, const double *m) {
    int status = lem_walk_check_finite(w->x0, "x0");
    if (!status)
        status = lem_walk_check_positive(T, "T");
    if (!status)
        status = lem_walk_check_positive(w->alpha, "alpha");
    if (status)
        return status;
    if (w->n < 1 || paths < 1)
        return LEM_ERROR(GSL_EDOM, "n = %zu steps, paths = %zu: must be >= 1", w->n, paths);
    if (!m)
        return LEM_ERROR(GSL_EFAULT, "m = null: must have room for %zu walks", paths);
    return GSL_SUCCESS;
}

/* Count, or refuse, the probabilities outside [0, 1]; a uniform below compares with them as if they were cut.
 */
static int look_at(const walk *w, double t, size_t count, const double *x, const double *right) {
    for (size_t i = 0; i < count; i++) {
        if (right[i] >= 0 && right[i] <= 1)
            continue;
        if (!w->cut)
            return LEM_ERROR(
                GSL_EDOM,
                "drift(x = %.17g, t = %.17g) = %g: a step right has probability %g, |p| s must be <= "
                "alpha: take more steps",
                x[i], t, (2 * right[i] - 1) * w->alpha / w->s, right[i]);
        *w->cut += 1;
    }
    return GSL_SUCCESS;
}

static int probabilities(const walk *w, double t, size_t count, const double *m, double *right) {
    double x[BLOCK];
    if (!w->drift || !w->drift->function) {
        for (size_t i = 0; i < count; i++)
            right[i] = 0.5;
        return GSL_SUCCESS;
    }
    for (size_t i = 0; i < count; i++)
        x[i] = w->x0 + m[i] * w->s;
    const int status = lem_block_field_at(w->drift, "drift", count, x, t, right);
    if (status)
        return status;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const double bias = right[i] * w->s / w->alpha;
        right[i] = (1 + bias) / 2;
        most = fabs(bias) > most ? fabs(bias) : most;
    }
    return most > 1 ? look_at(w, t, count, x, right) : GSL_SUCCESS;
}

static int walk_block(lem_stream *stream, const walk *w, size_t count, double *m) {
    double right[BLOCK], u[BLOCK];
    for (size_t i = 0; i < count; i++)
        m[i] = 0;
    for (size_t k = 0; k < w->n; k++) {
        int status = probabilities(w, (double)k * w->dt, count, m, right);
        if (!status)
            status = lem_uniform_fill(stream, count, u);
        if (status)
            return status;
        for (size_t i = 0; i < count; i++)
            m[i] += u[i] < right[i] ? 1 : -1;
    }
    return GSL_SUCCESS;
}

int lem_biased_walk_sample(lem_stream *stream, const lem_block_field *drift, size_t n, double x0, double T,
                           double alpha, size_t paths, double *m, uint64_t *cut) {
    const double dt = T / (double)n;
    const walk w = {
        .drift = drift, .n = n, .x0 = x0, .dt = dt, .s = sqrt(alpha * dt), .alpha = alpha, .cut = cut};
    int status = check(&w, T, paths, m);
    if (!status && cut)
        *cut = 0;
    for (size_t done = 0; !status && done < paths; done += BLOCK)
        status = walk_block(stream, &w, paths - done < BLOCK ? paths - done : BLOCK, m + done);
    return status;
}
