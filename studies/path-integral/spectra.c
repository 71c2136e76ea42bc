/* Ground states, and the rate of a double well. */
#include "study.h"

/* H = kinetic p^2 + quadratic x^2 + quartic x^4 with hbar = 1 is -(a^2/2) d^2/dx^2 + U, a = sqrt(2 kinetic).
 * Energies by the power series of the even solution, to twenty digits. */
typedef struct {
    double kinetic, quadratic, quartic, energy;
} oscillator;

enum { CASES = 6 };
static const oscillator CASE[CASES] = {{.5, .5, 0, .5},
                                       {.5, 0, 1, 0.66798625915577710827},
                                       {1, 0, 1, 1.0603620904841828996},
                                       {.5, .5, .1, 0.55914632718351957672},
                                       {.5, .5, .5, 0.69617582076514592783},
                                       {.5, .5, 1, 0.80377065123427376935}};
enum { TENTH = 3 }; /* g = 0.1 */

static int potential(double x, double t, const void *ctx, double *value) {
    const oscillator *o = ctx;
    (void)t;
    *value = x * x * (o->quadratic + o->quartic * x * x);
    return GSL_SUCCESS;
}

static lem_spectrum *spectrum_of(const oscillator *o, double L, size_t n) {
    return lem_sinc_dvr(&(lem_field){potential, o}, sqrt(2 * o->kinetic), L, n);
}

/* --- three ways to the ground state ------------------------------------------------------------------------
 */

static int dvr_claim(lem_study *study) {
    double measured[CASES], expected[CASES], bound[CASES], mixed[CASES];
    for (size_t i = 0; i < CASES; i++) {
        const oscillator *o = &CASE[i], other = {1.5 - o->kinetic, o->quadratic, o->quartic, 0};
        lem_spectrum *s = spectrum_of(o, 7, 300), *t = spectrum_of(&other, 7, 300);
        measured[i] = lem_spectrum_energy(s, 0);
        mixed[i] = lem_spectrum_energy(t, 0);
        lem_spectrum_free(s), lem_spectrum_free(t);
        expected[i] = o->energy;
        bound[i] = 1e-11; /* machine epsilons of the largest energy on the grid, 7^4 + (pi/h)^2 = 7000 */
    }
    const lem_falsifier falsifiers[] = {
        {"p^2 in place of p^2/2, and the other way round", lem_identity_abs(CASES, mixed, expected, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.ground-state",
                          .statement = "sinc grid, L = 7, 300 nodes: ground energies of six oscillators "
                                       "within 1e-11 of those by power series",
                          .source = "kexue.fm 3766 as summarised; Bender and Wu 1969 for the series",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(CASES, measured, expected, bound), falsifiers, 1);
}

/* The decay of one step, (1 - E h/2)/(1 + E h/2) for Crank and Nicolson, turned back: the ground energy of
 * the grid, without an error of the time step. */
static int decayed_energy(const oscillator *o, size_t nodes, double *energy) {
    enum { STEPS = 1200 };
    const double T = 12, h = T / STEPS, alpha = sqrt(2 * o->kinetic);
    const lem_cn_grid most = {-5, 5, nodes, 0, T - h, STEPS - 1, 0}, last = {-5, 5, nodes, T - h, T, 1, 0};
    gsl_vector *phi = gsl_vector_alloc(nodes);
    if (!phi)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu nodes", nodes);
    for (size_t i = 0; i < nodes; i++) {
        const double x = -5 + 10 * (double)i / (double)(nodes - 1);
        gsl_vector_set(phi, i, exp(-x * x / 2));
    }
    const lem_field field = {potential, o};
    int status = lem_schrodinger_cn(&field, alpha, &most, phi);
    double before = 0, after = 0;
    for (size_t i = 0; i < nodes; i++)
        before += gsl_vector_get(phi, i);
    if (!status)
        status = lem_schrodinger_cn(&field, alpha, &last, phi);
    for (size_t i = 0; i < nodes; i++)
        after += gsl_vector_get(phi, i);
    gsl_vector_free(phi);
    *energy = 2 / h * (before - after) / (before + after) * alpha;
    return status;
}

static int imaginary_time_claim(lem_study *study) {
    enum { N = 3 };
    static const size_t nodes[N] = {101, 201, 401};
    const oscillator whole = {1, .5, .1, 0};
    double mesh[N], error[N], mixed[N];
    for (size_t i = 0; i < N; i++) {
        mesh[i] = 10 / (double)(nodes[i] - 1);
        LEM_TRY(decayed_energy(&CASE[TENTH], nodes[i], &error[i]));
        LEM_TRY(decayed_energy(&whole, nodes[i], &mixed[i]));
        error[i] = fabs(error[i] - CASE[TENTH].energy);
        mixed[i] = fabs(mixed[i] - CASE[TENTH].energy);
        char key[64];
        (void)snprintf(key, sizeof key, "ground.cn.%zu", nodes[i]);
        LEM_TRY(lem_value_exact(study, key, error[i], 4, ""));
    }
    const double slope = pi_slope(N, mesh, error), flat = pi_slope(N, mesh, mixed), expected = 2, bound = .05;
    const lem_falsifier falsifiers[] = {
        {"p^2 in place of p^2/2", lem_identity_abs(1, &flat, &expected, &bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.ground-state.imaginary-time",
                          .statement = "Crank-Nicolson in imaginary time to T = 12 decays with the ground "
                                       "energy, order 2 in the mesh, g = 0.1",
                          .source = "kexue.fm 3766 as summarised",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(1, &slope, &expected, &bound), falsifiers, 1);
}

/* -log of K(0, 0; T + 1)/K(0, 0; T): E_0 and exp(-(E_2 - E_0) T), E_2 - E_0 > 2. */
static int propagator_energy(const lem_spectrum *s, double T, double *energy) {
    const double origin = 0;
    double now = 0, later = 0;
    LEM_TRY(lem_spectral_propagator(s, 60, 0, T, 1, &origin, &now));
    LEM_TRY(lem_spectral_propagator(s, 60, 0, T + 1, 1, &origin, &later));
    *energy = log(now / later);
    return GSL_SUCCESS;
}

static int propagator_claim(lem_study *study) {
    enum { N = 3 };
    static const size_t which[N] = {3, 4, 5};
    double late[N], early[N], expected[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        lem_spectrum *s = spectrum_of(&CASE[which[i]], 7, 300);
        int status = propagator_energy(s, 15, &late[i]);
        if (!status)
            status = propagator_energy(s, 1, &early[i]);
        lem_spectrum_free(s);
        LEM_TRY(status);
        expected[i] = CASE[which[i]].energy;
        bound[i] = 1e-11; /* exp(-30) = 1e-13, and the rounding of the energy */
    }
    const lem_falsifier falsifiers[] = {{"T = 1 is large", lem_identity_abs(N, early, expected, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.ground-state.propagator",
                          .statement = "K(0, 0; T + 1)/K(0, 0; T) nears exp(-E_0): T = 15, g = 0.1, 0.5, 1",
                          .source = "kexue.fm 3766 as summarised",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N, late, expected, bound), falsifiers, 1);
}

/* --- the double well ---------------------------------------------------------------------------------------
 */

static double kramers(double alpha) {
    return M_SQRT2 / M_PI * exp(-1 / (2 * alpha));
}

/* (1 - r)/alpha at 0.05 and 0.07, r the rate over `leading`, extrapolated to 0 by a line; what is left is of
 * order alpha^2: 0.0035 times a coefficient of a few. */
static double extrapolated(double (*leading)(double alpha)) {
    const double a = .05, b = .07, at_a = (1 - lem_double_well_rate(a) / leading(a)) / a,
                 at_b = (1 - lem_double_well_rate(b) / leading(b)) / b;
    return at_a - a * (at_b - at_a) / (b - a);
}

static double one_sided(double alpha) {
    return kramers(alpha) / 2;
}

static double twice_the_barrier(double alpha) {
    return M_SQRT2 / M_PI * exp(-1 / alpha);
}

static int kramers_claim(lem_study *study) {
    static const double alphas[] = {.05, .07, .1, .2, .5};
    for (size_t i = 0; i < COUNT(alphas); i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "kramers.%g", alphas[i]);
        for (char *c = key; *c; c++)
            *c = *c == '.' && c > key + 7 ? '-' : *c;
        LEM_TRY(lem_value_exact(study, key, lem_double_well_rate(alphas[i]) / kramers(alphas[i]), 6, ""));
    }
    const double measured = extrapolated(kramers), half = extrapolated(one_sided),
                 steep = extrapolated(twice_the_barrier), expected = .75, bound = .02;
    LEM_TRY(lem_value_exact(study, "kramers.extrapolated", measured, 4, ""));
    const lem_falsifier falsifiers[] = {
        {"the rate of leaving one well", lem_identity_abs(1, &half, &expected, &bound)},
        {"exp(-1/alpha): the action of both ways", lem_identity_abs(1, &steep, &expected, &bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.kramers",
                          .statement = "double well: lambda_1 = (sqrt(2)/pi) exp(-1/(2 alpha)) (1 - (3/4) "
                                       "alpha + ...)",
                          .source = "Kramers 1940; the correction is our addition",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "alpha below about 0.1; at 0.5 the ratio to the leading form is 1.13"},
        lem_identity_abs(1, &measured, &expected, &bound), falsifiers, 2);
}

/* The instanton, x' = -p from 1 to 0: x = 1/sqrt(1 + e^(2t)), its action int (x' - p)^2/2 by the midpoint
 * rule from -20 to 20, and downhill, where it vanishes. */
static int instanton_claim(lem_study *study) {
    enum { N = 4 };
    static const size_t sizes[N] = {250, 500, 1000, 2000};
    static double path[2001];
    const lem_field drift = {lem_double_well_drift, NULL};
    double step[N], error[N], single[N], action = 0;
    for (size_t i = 0; i < N; i++) {
        const double h = 40 / (double)sizes[i];
        for (size_t k = 0; k <= sizes[i]; k++)
            path[k] = 1 / sqrt(1 + exp(2 * (-20 + h * (double)k)));
        LEM_TRY(lem_onsager_machlup_action(path, sizes[i], h, 0, &drift, NULL, 1, &action));
        step[i] = h;
        error[i] = fabs(action - .5), single[i] = fabs(action - .25);
    }
    LEM_TRY(lem_value_exact(study, "kramers.action", action, 5, ""));
    const double slope = pi_slope(N, step, error), flat = pi_slope(N, step, single), expected = 2,
                 bound = .05;
    const lem_falsifier falsifiers[] = {
        {"an action of Delta W = 1/4", lem_identity_abs(1, &flat, &expected, &bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.kramers.instanton",
                                       .statement =
                                           "the action of the path from well to barrier is 2 Delta W = 1/2, "
                                           "neared with the order 2 of the midpoint rule",
                                       .source = "Onsager and Machlup 1953",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(1, &slope, &expected, &bound), falsifiers, 1);
}

int pi_spectra(lem_study *study) {
    LEM_TRY(dvr_claim(study));
    LEM_TRY(imaginary_time_claim(study));
    LEM_TRY(propagator_claim(study));
    LEM_TRY(kramers_claim(study));
    return instanton_claim(study);
}
