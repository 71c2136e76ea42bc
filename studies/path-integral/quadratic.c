/* Quadratic actions: exact propagators, in the continuum and on slices. */
#include "study.h"

/* --- one dimension -----------------------------------------------------------------------------------------
 */

/* The Ornstein-Uhlenbeck density is Mehler's kernel, gauged: U = kappa^2 x^2/2 - alpha kappa/2. */
static int gauged_mehler_claim(lem_study *study) {
    enum { N = 24 };
    double measured[N], expected[N], bound[N], shifted[N];
    for (size_t i = 0; i < N; i++) {
        const double k = .3 + .1 * (double)i, alpha = .5 + .07 * (double)i, T = 2 - .06 * (double)i,
                     xa = -.8 + .09 * (double)i, xb = .7 - .05 * (double)i;
        const double phi = -k * (xb * xb - xa * xa) / 2;
        measured[i] = lem_mehler_kernel(xb, xa, T, k, alpha) * exp(k * T / 2 + phi / alpha);
        shifted[i] = lem_mehler_kernel(xb, xa, T, k, alpha) * exp(phi / alpha);
        expected[i] = lem_ou_pdf(xb, T, xa, k, alpha);
        bound[i] = 60 * 2.3e-16 * (1 + fabs(phi / alpha) + k * T); /* rounding of the exponents */
    }
    const lem_falsifier falsifiers[] = {
        {"U without the constant -alpha p'/2", lem_identity(N, shifted, expected, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.van-vleck.mehler",
                                       .statement =
                                           "Mehler's kernel times exp(kappa T/2 + (Phi_b - Phi_a)/alpha) "
                                           "is the density of the Ornstein-Uhlenbeck process",
                                       .source = "kexue.fm 3757 as summarised",
                                       .verdict = LEM_HOLDS},
                     lem_identity(N, measured, expected, bound), falsifiers, 1);
}

/* The forced process p = -x + 1.5 cos 3t, alpha = 0.7, T = 1.2: the least action over paths with the ends
 * given, discretised by the midpoint rule, r_k = a x_{k+1} - b x_k - f_k with a = 1/h + 1/2, b = 1/h - 1/2,
 * S = sum h r_k^2/2. Its minimum solves a tridiagonal system. */
static int least_action(size_t n, double xa, double xb, double *action) {
    const double T = 1.2, h = T / (double)n, a = 1 / h + .5, b = 1 / h - .5;
    double *memory = malloc(5 * n * sizeof *memory);
    if (!memory)
        return LEM_ERROR(GSL_ENOMEM, "no memory for a path of %zu steps", n);
    double *lower = memory, *diagonal = lower + n, *upper = diagonal + n, *f = upper + n, *x = f + n;
    for (size_t k = 0; k < n; k++)
        f[k] = 1.5 * cos(3 * ((double)k + .5) * h);
    for (size_t k = 0; k + 1 < n; k++) { /* the unknown x_{k+1} */
        diagonal[k] = a * a + b * b;
        lower[k] = upper[k] = -a * b;
        x[k] = a * f[k] - b * f[k + 1] + (k == 0 ? a * b * xa : 0) + (k + 2 == n ? a * b * xb : 0);
    }
    gsl_vector_view l = gsl_vector_view_array(lower, n - 2), d = gsl_vector_view_array(diagonal, n - 1),
                    u = gsl_vector_view_array(upper, n - 2);
    gsl_matrix_view right = gsl_matrix_view_array(x, 1, n - 1);
    const int status = lem_solve_tridiagonal(&l.vector, &d.vector, &u.vector, &right.matrix);
    *action = 0;
    for (size_t k = 0; k < n; k++) {
        const double from = k == 0 ? xa : x[k - 1], to = k + 1 == n ? xb : x[k], r = a * to - b * from - f[k];
        *action += h * r * r / 2;
    }
    free(memory);
    return status;
}

/* sqrt(-S_ab/(2 pi alpha)) exp(-S/alpha + factor T/2), S_ab from four corners, exact for a quadratic. The
 * minimum is found to machine epsilons of S = 1, so that corners 1 apart leave S_ab 1e-13. */
static int semiclassical(size_t n, double xa, double xb, double factor, double *kernel) {
    const double alpha = .7, T = 1.2;
    double corner[4], action = 0;
    for (int i = 0; i < 4; i++)
        LEM_TRY(least_action(n, xa + (i & 1), xb + (i >> 1), &corner[i]));
    LEM_TRY(least_action(n, xa, xb, &action));
    double mixed = corner[3] - corner[2] - corner[1] + corner[0];
    gsl_matrix_view hess = gsl_matrix_view_array(&mixed, 1, 1);
    *kernel = lem_van_vleck_prefactor(&hess.matrix, alpha) * exp(-action / alpha + factor * T / 2);
    return isnan(*kernel) ? GSL_EDOM : GSL_SUCCESS;
}

static int forced_claim(lem_study *study) {
    enum { N = 3 };
    static const size_t sizes[N] = {50, 100, 200};
    const double xa = .4, xb = .1, mean = lem_forced_ou_mean(xa, 1, 1.5, 3, 1.2),
                 exact = lem_brownian_pdf(xb - mean, 1, lem_ou_variance(1.2, 1, .7));
    double step[N], error[N], without[N];
    for (size_t i = 0; i < N; i++) {
        step[i] = 1.2 / (double)sizes[i];
        LEM_TRY(semiclassical(sizes[i], xa, xb, 1, &error[i]));
        LEM_TRY(semiclassical(sizes[i], xa, xb, 0, &without[i]));
        error[i] = fabs(error[i] / exact - 1);
        without[i] = fabs(without[i] / exact - 1);
    }
    LEM_TRY(lem_value_exact(study, "quadratic.forced", error[N - 1], 2, ""));
    const double slope = pi_slope(N, step, error), flat = pi_slope(N, step, without), expected = 2,
                 bound = .05;
    const lem_falsifier falsifiers[] = {
        {"the action without p_x/2", lem_identity_abs(1, &flat, &expected, &bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.van-vleck.forced",
                                       .statement =
                                           "forced Ornstein-Uhlenbeck: Van Vleck's prefactor and the "
                                           "least Onsager-Machlup action give the exact density, with "
                                           "the order 2 of the discretised path",
                                       .source = "kexue.fm 3762 as summarised",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(1, &slope, &expected, &bound), falsifiers, 1);
}

/* --- two dimensions ----------------------------------------------------------------------------------------
 *
 * U = x.A x/2, A = (1.2 0.3; 0.3 0.7), alpha = 0.6, T = 1.1. Jacobi's fields D'' = A D, D(0) = 0, D'(0) = 1
 * by their series sum A^k T^(2k+1)/(2k+1)!; d^2 S/(dx_a dx_b) = -D^-1. Beside it, the product of two Mehler
 * kernels in the rotated frame. */

static void jacobi(const double A[4], double T, double D[4]) {
    double term[4] = {T, 0, 0, T};
    for (int i = 0; i < 4; i++)
        D[i] = term[i];
    for (int k = 1; k < 20; k++) {
        const double f = T * T / (2. * k * (2. * k + 1)), t[4] = {term[0], term[1], term[2], term[3]};
        term[0] = f * (A[0] * t[0] + A[1] * t[2]), term[1] = f * (A[0] * t[1] + A[1] * t[3]);
        term[2] = f * (A[2] * t[0] + A[3] * t[2]), term[3] = f * (A[2] * t[1] + A[3] * t[3]);
        for (int i = 0; i < 4; i++)
            D[i] += term[i];
    }
}

static int plane_claim(lem_study *study) {
    const double A[4] = {1.2, .3, .3, .7}, alpha = .6, T = 1.1;
    double D[4];
    jacobi(A, T, D);
    const double det = D[0] * D[3] - D[1] * D[2];
    double hess[4] = {-D[3] / det, D[1] / det, D[2] / det, -D[0] / det};
    gsl_matrix_view m = gsl_matrix_view_array(hess, 2, 2);
    const double prefactor = lem_van_vleck_prefactor(&m.matrix, alpha);
    const double half = (A[0] + A[3]) / 2, apart = hypot((A[0] - A[3]) / 2, A[1]);
    const double product = lem_mehler_kernel(0, 0, T, sqrt(half + apart), alpha) *
                           lem_mehler_kernel(0, 0, T, sqrt(half - apart), alpha);
    const double square = product * product, measured = prefactor * prefactor,
                 summarised = -(hess[0] * hess[3] - hess[1] * hess[2]) / pow(2 * M_PI * alpha, 2),
                 bound = 60 * 2.3e-16; /* a determinant and two kernels of a few roundings each */
    LEM_TRY(lem_value_exact(study, "quadratic.plane", prefactor, 6, ""));
    LEM_TRY(lem_value_exact(study, "quadratic.plane.determinant", -(hess[0] * hess[3] - hess[1] * hess[2]), 3,
                            ""));
    const lem_falsifier falsifiers[] = {
        {"the prefactor of a quadratic action is sqrt(-det(d^2 S/dx_a dx_b)/(2 pi alpha)^D), also for D = 2",
         lem_identity(1, &summarised, &square, &bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.van-vleck",
                                       .statement =
                                           "the square of the prefactor of a quadratic action is det(-d^2 "
                                           "S/dx_a dx_b)/(2 pi alpha)^D, D = 2",
                                       .source = "kexue.fm 3762, eq. 46 as summarised",
                                       .verdict = LEM_REFUTED,
                                       .note = "the minus sign belongs inside the determinant: for odd D the "
                                               "two forms agree, for even D the root of -det(d^2 S) "
                                               "is imaginary"},
                     lem_identity(1, &measured, &square, &bound), falsifiers, 1);
}

/* --- the conjugate point -----------------------------------------------------------------------------------
 */

static int conjugate_claim(lem_study *study) {
    enum { N = 3 };
    static const size_t sizes[N] = {100, 200, 400};
    static double curvature[400], field[401];
    double step[N], error[N], hyperbolic[N];
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < sizes[i]; k++)
            curvature[k] = -1;
        step[i] = 3.1 / (double)sizes[i];
        LEM_TRY(lem_gelfand_yaglom(curvature, sizes[i], step[i], field));
        const double kernel = 1 / sqrt(2 * M_PI * field[sizes[i]]);
        error[i] = fabs(kernel / lem_inverted_oscillator_kernel(0, 0, 3.1, 1, 1) - 1);
        hyperbolic[i] = fabs(kernel / lem_mehler_kernel(0, 0, 3.1, 1, 1) - 1);
    }
    LEM_TRY(lem_value_exact(study, "quadratic.conjugate", field[400], 5, ""));
    LEM_TRY(lem_value_exact(study, "quadratic.conjugate.near",
                            lem_inverted_oscillator_kernel(0, 0, 3.14, 1, 1), 3, ""));
    const double slope = pi_slope(N, step, error), flat = pi_slope(N, step, hyperbolic), expected = 2,
                 bound = .05;
    const lem_falsifier falsifiers[] = {
        {"sinh in place of sin", lem_identity_abs(1, &flat, &expected, &bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.van-vleck.inverted",
                          .statement =
                              "U = -omega^2 x^2/2: the recursion of Gel'fand and Yaglom nears the prefactor "
                              "with sin in place of sinh, order 2, at omega T = 3.1",
                          .source = "kexue.fm 3762 as summarised",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "omega T < pi; at the conjugate point the kernel diverges"},
        lem_identity_abs(1, &slope, &expected, &bound), falsifiers, 1);
}

/* --- slices ------------------------------------------------------------------------------------------------
 *
 * Mehler's kernel at (x_b, x_a, T) = (0.5, -0.4, 1.5), omega = 1.3, alpha = 0.8, and energies at alpha = 1.
 */

enum { SIZES = 4 };
static const size_t SIZE[SIZES] = {4, 8, 16, 32};
static const double XB = .5, XA = -.4, TIME = 1.5, OMEGA = 1.3, ALPHA = .8;

static int trotter_claim(lem_study *study) {
    const double exact = lem_mehler_kernel(XB, XA, TIME, OMEGA, ALPHA);
    double n[SIZES], error[SIZES], left[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        n[i] = (double)SIZE[i];
        const double kernel = lem_mehler_kernel_trapezoid(XB, XA, TIME, OMEGA, ALPHA, SIZE[i]);
        /* the left-point rule has h U(x_a) where the trapezoid has h (U(x_a) + U(x_b))/2 */
        const double shift = TIME / n[i] * OMEGA * OMEGA * (XA * XA - XB * XB) / (4 * ALPHA);
        error[i] = fabs(kernel / exact - 1);
        left[i] = fabs(kernel * exp(-shift) / exact - 1);
        char key[64];
        (void)snprintf(key, sizeof key, "trotter.kernel.%zu", SIZE[i]);
        LEM_TRY(lem_value_exact(study, key, error[i] * n[i] * n[i], 4, ""));
    }
    const double slope = pi_slope(SIZES, n, error), first = pi_slope(SIZES, n, left), expected = -2,
                 bound = .05;
    const lem_falsifier falsifiers[] = {
        {"the left-point rule, x_a != x_b", lem_identity_abs(1, &first, &expected, &bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.trotter-order",
                                       .statement =
                                           "the path integral on n slices with the trapezoid rule is off by "
                                           "order 1/n^2 (oscillator, from the closed form)",
                                       .source = "kexue.fm 3762 as summarised",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(1, &slope, &expected, &bound), falsifiers, 1);
}

static int lattice_energy_claims(lem_study *study) {
    double plain[SIZES], leading[SIZES], bound[SIZES], half[SIZES], corrected[SIZES], fourth[SIZES],
        wide[SIZES], second[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        const double h = TIME / (double)SIZE[i], w = OMEGA * h, epsilon = 2.3e-16 * OMEGA;
        plain[i] = pi_lattice_energy_error(OMEGA, h, false);
        leading[i] = -OMEGA * w * w / 48;
        half[i] = -OMEGA * w * w / 24;
        /* asinh(w/2)/h = (omega/2)(1 - w^2/24 + 3 w^4/640 - ...) */
        bound[i] = 9 * w * w / 80 + 4 * epsilon / fabs(leading[i]);
        corrected[i] = pi_lattice_energy_error(OMEGA, h, true);
        fourth[i] = -OMEGA * pow(w, 4) / 1440;
        second[i] = -OMEGA * pow(w, 4) / 720;
        wide[i] = 25 * w * w / 168 + 4 * epsilon / fabs(fourth[i]); /* the next term, alternating */
    }
    const size_t last = SIZES - 1;
    const double n = (double)SIZE[last];
    LEM_TRY(lem_value_exact(study, "trotter.energy", plain[last] * n * n, 5, ""));
    LEM_TRY(lem_value_exact(study, "trotter.energy.leading", leading[last] * n * n, 5, ""));
    LEM_TRY(lem_value_exact(study, "trotter.corrected", corrected[last] * pow(n, 4), 5, ""));
    LEM_TRY(lem_value_exact(study, "trotter.corrected.leading", fourth[last] * pow(n, 4), 5, ""));
    double half_weight[SIZES];
    for (size_t i = 0; i < SIZES; i++) { /* U/2 is an oscillator of omega/sqrt(2) */
        const double h = TIME / (double)SIZE[i];
        half_weight[i] = pi_lattice_energy_error(OMEGA / M_SQRT2, h, false) - (1 - 1 / M_SQRT2) * OMEGA / 2;
    }
    LEM_TRY(lem_value_exact(study, "trotter.energy.half-weight", half_weight[last] / (OMEGA / 2), 3, ""));
    const lem_falsifier coefficient[] = {
        {"a coefficient of 1/24", lem_identity(SIZES, plain, half, bound)},
        {"the potential at half weight", lem_identity(SIZES, half_weight, leading, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "pi.trotter-order.energy",
                                        .statement =
                                            "the ground energy on slices of length h is alpha theta/(2 h), "
                                            "sinh(theta/2) = omega h/2: off by -alpha omega^3 h^2/48",
                                        .source = "our addition",
                                        .verdict = LEM_HOLDS},
                      lem_identity(SIZES, plain, leading, bound), coefficient, 2));
    const lem_falsifier none[] = {{"the plain rule is as good", lem_identity(SIZES, plain, fourth, wide)},
                                  {"a coefficient of 1/720", lem_identity(SIZES, corrected, second, wide)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.trotter-order.takahashi-imada",
                          .statement = "with U + (h^2/24) U'^2 the ground energy is off by -alpha omega^5 "
                                       "h^4/1440",
                          .source = "Takahashi and Imada 1984; the coefficient is our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(SIZES, corrected, fourth, wide), none, 2);
}

int pi_quadratic(lem_study *study) {
    LEM_TRY(gauged_mehler_claim(study));
    LEM_TRY(forced_claim(study));
    LEM_TRY(plane_claim(study));
    LEM_TRY(conjugate_claim(study));
    LEM_TRY(trotter_claim(study));
    return lattice_energy_claims(study);
}
