#include "scaling/chinchilla_twin.h"

#include <math.h>

enum { BUDGETS = 9, SIZES = 48 };

int lem_chinchilla_twin_grid(double *N, double *D) {
    static const double budgets[BUDGETS] = {6e18, 1e19, 3e19, 6e19, 1e20, 3e20, 6e20, 1e21, 3e21};
    size_t rows = 0;
    if (!N || !D)
        return LEM_ERROR(GSL_EFAULT, "N, D: a null pointer");
    for (int b = 0; b < BUDGETS; b++)
        for (int k = 0; k < SIZES; k++) {
            const double size = 70e6 * pow(16e9 / 70e6, k / (SIZES - 1.0)), tokens = budgets[b] / 6 / size;
            if (tokens < 0.6 * size || tokens > 350 * size)
                continue;
            if (rows < LEM_CHINCHILLA_TWIN_ROWS) {
                N[rows] = size;
                D[rows] = tokens;
            }
            rows++;
        }
    return rows == LEM_CHINCHILLA_TWIN_ROWS
               ? GSL_SUCCESS
               : LEM_ERROR(GSL_ESANITY, "the grid has %zu rows, not %d", rows, LEM_CHINCHILLA_TWIN_ROWS);
}

int lem_chinchilla_twin_losses(lem_stream *stream, const lem_chinchilla *law, lem_chinchilla_noise noise,
                               size_t n, const double *N, const double *D, double *loss) {
    if (!N || !D || !loss)
        return LEM_ERROR(GSL_EFAULT, "N, D, loss: a null pointer");
    if (!(noise.scale >= 0 && isfinite(noise.scale) && noise.step >= 0 && isfinite(noise.step)))
        return LEM_ERROR(GSL_EDOM, "scale = %g, step = %g: must be zero or more and finite", noise.scale,
                         noise.step);
    for (size_t i = 0; i < n; i++) {
        double z[4];
        const int status = lem_normal_fill(stream, 4, z);
        if (status)
            return status;
        const double model = lem_chinchilla_eval(law, N[i], D[i]);
        if (isnan(model))
            return GSL_EDOM;
        const double t = z[0] / sqrt((z[1] * z[1] + z[2] * z[2] + z[3] * z[3]) / 3);
        const double log_loss = log(model) + noise.scale * t;
        loss[i] = exp(noise.step > 0 ? noise.step * rint(log_loss / noise.step) : log_loss);
    }
    return GSL_SUCCESS;
}
