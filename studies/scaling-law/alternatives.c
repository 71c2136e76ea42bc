/* What else gives a power law: geometric frequencies. And what does not quite: quanta that cost their
 * surprise. */
#include "study.h"

/* --- geometric frequencies ---------------------------------------------------------------------------------
 */

enum { PHASES = 32, RATIOS = 3 };
static const double RATIO[RATIOS] = {0.5, 0.1, 0.01};
static const char *const RATIO_NAME[RATIOS] = {"0.5", "0.1", "0.01"};

/* L D log(1/q)/tau over one period of log D, from D on. Equal steps: harmonics below PHASES/2 are exact. */
static void period(double q, double tau, double D, double *out) {
    for (size_t i = 0; i < PHASES; i++) {
        const double at = D * pow(q, -(double)i / PHASES);
        out[i] = lem_geometric_quanta_loss(q, at, tau) * at * -log(q) / tau;
    }
}

static double mean(const double *x) {
    double sum = 0;
    for (size_t i = 0; i < PHASES; i++)
        sum += x[i];
    return sum / PHASES;
}

static double first_harmonic(const double *x) {
    double re = 0, im = 0;
    for (size_t i = 0; i < PHASES; i++) {
        const double phase = 2 * M_PI * (double)i / PHASES;
        re += x[i] * cos(phase), im += x[i] * sin(phase);
    }
    return 2 * hypot(re, im) / PHASES;
}

static int power_claim(lem_study *study) {
    static const double taus[] = {1, 5};
    enum { N = RATIOS * COUNT(taus) };
    double measured[N], one[N], natural[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        double x[PHASES];
        const double q = RATIO[i / 2], tau = taus[i % 2];
        period(q, tau, 1e6 * tau, x);
        measured[i] = mean(x);
        one[i] = 1, natural[i] = -log(q);
        bound[i] = 2e-13; /* the sums'; what the first quantum lacks is e^(-1e6 (1 - q)) */
    }
    const lem_falsifier falsifiers[] = {{"tau/D", lem_identity(N, measured, natural, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.exponential-quanta",
                          .statement = "geometric frequencies (1-q) q^(k-1) too give a power law in data, "
                                       "tau/(D log(1/q)) on average over a "
                                       "period of log D: it is no evidence of Zipf's law; q = 0.5, 0.1, 0.01",
                          .source = "our addition; " ARTICLE " sets them aside",
                          .verdict = LEM_HOLDS},
        lem_identity(N, measured, one, bound), falsifiers, 1);
}

/* tau = 1: |2 Gamma(1 + iy)|, y = 2 pi/log(1/q) */
static int oscillation_claim(lem_study *study) {
    double measured[RATIOS], exact[RATIOS], none[RATIOS], sawtooth[RATIOS], bound[RATIOS];
    for (size_t i = 0; i < RATIOS; i++) {
        double x[PHASES];
        const double q = RATIO[i], y = 2 * M_PI / -log(q);
        period(q, 1, 1e6, x);
        measured[i] = first_harmonic(x);
        exact[i] = 2 * sqrt(M_PI * y / sinh(M_PI * y));
        none[i] = 0;
        /* the cut's loss q^n over q^n*, n <= n* < n + 1, relative to its mean: the harmonic of q^-u, 0 <= u <
         * 1 */
        sawtooth[i] = 2 / hypot(1, y);
        bound[i] = 4e-13; /* twice that of a mean of sums */
        char key[64];
        (void)snprintf(key, sizeof key, "alternatives.oscillation.%s", RATIO_NAME[i]);
        LEM_TRY(lem_value_exact(study, key, measured[i], 3, ""));
    }
    const lem_falsifier falsifiers[] = {
        {"no oscillation", lem_identity_abs(RATIOS, measured, none, bound)},
        {"the sawtooth of the deterministic cut", lem_identity_abs(RATIOS, measured, sawtooth, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.exponential-quanta.oscillation",
            .statement =
                "around it the loss oscillates in log D with period log(1/q): first harmonic 2 sqrt(pi "
                "y/sinh(pi y)), y = 2 pi/log(1/q), tau = 1",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_identity_abs(RATIOS, measured, exact, bound), falsifiers, 2);
}

/* --- surprise as the cost ----------------------------------------------------------------------------------
 */

enum { N_GAMMA = 3, SIZES = 4, N_LOG = N_GAMMA * SIZES };
static const double GAMMA[N_GAMMA] = {0.5, 1, 2}, SIZE[SIZES] = {10, 100, 1000, 1e6};

static double log_zeta(double gamma) {
    return -log(lem_quanta_frequency(1, gamma));
}

/* The costs of quanta n+1 .. 1e5 one by one. */
static int difference_claim(lem_study *study) {
    enum { STARTS = 3, N = N_GAMMA * STARTS };
    static const double starts[STARTS] = {0, 10, 1000};
    double direct[N], exact[N], edge[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        const double gamma = GAMMA[i / STARTS], n = starts[i % STARTS], last = 1e5;
        direct[i] = 0;
        for (double k = last; k > n; k--) {
            const double p = lem_quanta_frequency(k, gamma);
            direct[i] -= p * log(p);
        }
        exact[i] = lem_quanta_loss_logweight(n, gamma) - lem_quanta_loss_logweight(last, gamma);
        /* every unlearned one as dear as the first of them */
        edge[i] = -log(lem_quanta_frequency(n + 1, gamma)) *
                  (lem_quanta_loss(n, gamma, 0, 1) - lem_quanta_loss(last, gamma, 0, 1));
        /* 1e5 additions from the small end, each half an epsilon of the partial sum; 64 of either function */
        bound[i] = 1e5 * 0x1p-53 * direct[i] + 128 * 0x1p-52 * lem_quanta_loss_logweight(n, gamma);
    }
    const lem_falsifier falsifiers[] = {
        {"each costs as much as the first unlearned one", lem_identity_abs(N, direct, edge, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "sl.log-weight",
                                       .statement = "if an unlearned quantum costs log(1/p), the loss is "
                                                    "[log Z zeta(s,n+1) - s zeta'(s,n+1)]/Z: quanta n+1 "
                                                    ".. 1e5 added up, gamma = 0.5, 1, 2",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(N, direct, exact, bound), falsifiers, 1);
}

static double log_cost(double log_n, double gamma) {
    return log(lem_quanta_loss_logweight(exp(log_n), gamma));
}

/* In m = n + 1/2 the next terms of loss and exponent are of relative order s^2/m^2. */
static int exponent_claims(lem_study *study) {
    double loss[N_LOG], leading[N_LOG], short_[N_LOG], close[N_LOG];
    double exponent[N_LOG], formula[N_LOG], constant[N_LOG];
    for (size_t i = 0; i < N_LOG; i++) {
        const double gamma = GAMMA[i / SIZES], s = gamma + 1, n = SIZE[i % SIZES], m = n + 0.5, h = 1e-3,
                     x = log(n);
        const double scale = lem_quanta_loss_midpoint(n, gamma, 0, 1), log_z = log_zeta(gamma);
        loss[i] = lem_quanta_loss_logweight(n, gamma);
        leading[i] = scale * (log_z + s * (log(m) + 1 / gamma));
        short_[i] = scale * (log_z + s * log(m));
        exponent[i] = -(log_cost(x + h, gamma) - log_cost(x - h, gamma)) / (2 * h);
        formula[i] = n / m * (gamma - 1 / (log(m) + 1 / gamma + log_z / s));
        constant[i] = gamma;
        close[i] = s * s / (m * m) + 1e-5; /* h^2/6 of third derivatives */
    }
    LEM_TRY(lem_value_exact(study, "alternatives.log-exponent-1e3", exponent[2], 3, ""));
    LEM_TRY(lem_value_exact(study, "alternatives.log-exponent-1e6", exponent[3], 3, ""));
    const lem_falsifier shorts[] = {{"without 1/gamma", lem_identity(N_LOG, loss, short_, close)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "sl.log-weight.leading",
                          .statement =
                              "it is m^-gamma/(gamma Z) [log Z + s (log m + 1/gamma)], m = n+1/2, to a "
                              "relative s^2/m^2 + 1e-5, n = 10..1e6",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(N_LOG, loss, leading, close), shorts, 1));
    const lem_falsifier constants[] = {{"gamma", lem_identity(N_LOG, exponent, constant, close)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.log-weight.exponent",
            .statement =
                "the exponent it shows is n/m [gamma - 1/(log m + 1/gamma + (log Z)/s)], below gamma by "
                "a logarithm at every practical size",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_identity(N_LOG, exponent, formula, close), constants, 1);
}

int sl_alternatives(lem_study *study) {
    LEM_TRY(power_claim(study));
    LEM_TRY(oscillation_claim(study));
    LEM_TRY(difference_claim(study));
    return exponent_claims(study);
}
