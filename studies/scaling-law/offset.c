/* A power law with an offset, fitted to exact losses of n quanta: there is no noise, so whatever is wrong is
 * the model's. */
#include "fits.h"

#include <math.h>

enum { ASKED = 25, MOST = ASKED };

typedef struct {
    double gamma, low, high, shift, offset, scale;
} setting;

/* Whole numbers nearest to 25 in equal ratios; those that meet count once. */
static int fit(const setting *s, lem_power_law_offset *out) {
    double n[MOST], x[MOST], loss[MOST], w[MOST], last = 0;
    size_t m = 0;
    for (size_t i = 0; i < ASKED; i++) {
        const double value = rint(s->low * pow(s->high / s->low, (double)i / (ASKED - 1)));
        if (value <= last)
            continue;
        last = n[m] = value;
        loss[m] = s->offset + s->scale * lem_quanta_loss(value, s->gamma, 0, 1);
        w[m] = 1 / loss[m];
        x[m] = value + s->shift;
        m++;
    }
    return lem_power_law_offset_fit(m, x, loss, w, out);
}

/* Expected: independent arithmetic, to the digits it was written down with. */
static const struct {
    setting s;
    double alpha, alpha_unit, E, E_unit;
} cases[] = {
    {{0.5, 4, 64, 0, 0, 1}, 0.448, 1e-3, -0.0134, 1e-4},
    {{0.5, 64, 1024, 0, 0, 1}, 0.49662, 1e-5, -2.0e-4, 1e-5},
    {{0.5, 4, 64, 0.5, 0, 1}, 0.498259, 1e-6, NAN, 0},
    {{0.5, 64, 1024, 0.5, 0, 1}, 0.499992, 1e-6, NAN, 0},
    {{1, 4, 64, 0, 0.3, 0.7}, 0.907, 1e-3, 0.29861, 1e-5},
};
enum { CASES = sizeof cases / sizeof *cases };

int sl_offset(lem_study *study) {
    double measured[2 * CASES], expected[2 * CASES], bound[2 * CASES], wrong[2 * CASES], error[CASES];
    size_t points = 0;
    for (size_t i = 0; i < CASES; i++) {
        lem_power_law_offset f;
        char key[60];
        LEM_TRY(fit(&cases[i].s, &f));
        error[i] = fabs(f.alpha - cases[i].s.gamma);
        measured[points] = f.alpha;
        expected[points] = cases[i].alpha;
        wrong[points] = cases[i].s.gamma;
        bound[points++] = 0.51 * cases[i].alpha_unit;
        if (!isnan(cases[i].E)) {
            measured[points] = f.E;
            expected[points] = cases[i].E;
            wrong[points] = cases[i].s.offset;
            bound[points++] = 0.51 * cases[i].E_unit;
        }
        (void)snprintf(key, sizeof key, "offset-fit.%zu.alpha", i);
        LEM_TRY(lem_value_exact(study, key, f.alpha, 5, ""));
        (void)snprintf(key, sizeof key, "offset-fit.%zu.E", i);
        LEM_TRY(lem_value_exact(study, key, f.E, 4, ""));
        (void)snprintf(key, sizeof key, "offset-fit.%zu.stderr", i);
        LEM_TRY(lem_value_exact(study, key, sqrt(f.covariance[2][2]), 2, ""));
    }
    const lem_falsifier returns[] = {{"the fit of exact data returns gamma and the true offset",
                                      lem_identity_abs(points, measured, wrong, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "sl.offset-fit",
                                        .statement =
                                            "E + A n^-alpha fitted to exact losses, weights 1/L: the missing "
                                            "1/2 goes into alpha and into an offset that is not there",
                                        .source = "kexue.fm 9607; lemmata",
                                        .verdict = LEM_HOLDS},
                      lem_identity_abs(points, measured, expected, bound), returns, 1));
    /* fitting in n + 1/2 leaves the next term, gamma (gamma + 1)/(24 n^2), instead of gamma/(2 n) */
    const double with_half[] = {20 * error[2], 20 * error[3]}, without[] = {error[0], error[1]};
    const lem_falsifier nothing[] = {
        {"the half makes no difference",
         lem_inequality_strict(2, (const double[]){20 * error[0], 20 * error[1]}, without, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.offset-fit.half",
                          .statement = "fitted in n + 1/2 the exponent is more than twenty times closer to "
                                       "gamma (gamma = 1/2, n in [4, 64] and [64, 1024])",
                          .source = "lemmata",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(2, with_half, without, NULL), nothing, 1);
}
