#include "walk/sinc_dvr.h"
#include "linalg/check.h"
#include "linalg/linalg.h"
#include "walk/check.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 10000 };

struct lem_spectrum {
    size_t n;
    double L, h, alpha;
    gsl_vector *energies;
    gsl_matrix *states; /* columns */
};

void lem_spectrum_free(lem_spectrum *s) {
    if (!s)
        return;
    if (s->energies)
        gsl_vector_free(s->energies);
    if (s->states)
        gsl_matrix_free(s->states);
    free(s);
}

static int fill_hamiltonian(const lem_field *potential, const lem_spectrum *s, gsl_matrix *hamiltonian) {
    const double unit = s->alpha * s->alpha / (2 * s->h * s->h);
    for (size_t i = 0; i < s->n; i++) {
        double u = 0;
        const int status = lem_field_at(potential, "potential", -s->L + (double)i * s->h, 0, &u);
        if (status)
            return status;
        gsl_matrix_set(hamiltonian, i, i, unit * M_PI * M_PI / 3 + u);
        for (size_t j = 0; j < i; j++) {
            const double d = (double)(i - j);
            gsl_matrix_set(hamiltonian, i, j, ((i - j) % 2 ? -2 : 2) * unit / (d * d));
        }
    }
    return GSL_SUCCESS;
}

static int solve(const lem_field *potential, lem_spectrum *s) {
    gsl_matrix *hamiltonian = lem_matrix_allocate(s->n, s->n);
    s->energies = lem_vector_allocate(s->n);
    s->states = lem_matrix_allocate(s->n, s->n);
    int status = GSL_ENOMEM;
    if (hamiltonian && s->energies && s->states) {
        status = fill_hamiltonian(potential, s, hamiltonian);
        if (!status)
            status = lem_symmetric_eigen(hamiltonian, s->energies, s->states);
    }
    if (hamiltonian)
        gsl_matrix_free(hamiltonian);
    return status;
}

lem_spectrum *lem_sinc_dvr(const lem_field *potential, double alpha, double L, size_t N) {
    if (lem_walk_check_positive(alpha, "alpha") || lem_walk_check_positive(L, "L"))
        return NULL;
    if (N < 2 || N > MOST) {
        (void)LEM_ERROR(GSL_EDOM, "N = %zu: must be in [2, %d]", N, MOST);
        return NULL;
    }
    lem_spectrum *s = lem_allocate(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (lem_spectrum){.n = N, .L = L, .h = 2 * L / (double)(N - 1), .alpha = alpha};
    if (solve(potential, s)) {
        lem_spectrum_free(s);
        return NULL;
    }
    return s;
}

static int check_spectrum(const lem_spectrum *s, size_t k) {
    if (!s)
        return LEM_ERROR(GSL_EFAULT, "spectrum = null: must not be");
    if (k >= s->n)
        return LEM_ERROR(GSL_EDOM, "k = %zu: must be below N = %zu", k, s->n);
    return GSL_SUCCESS;
}

static int check_place(const lem_spectrum *s, double x, const char *name) {
    if (!(fabs(x) <= s->L))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be in [-L, L], L = %g", name, x, s->L);
    return GSL_SUCCESS;
}

size_t lem_spectrum_size(const lem_spectrum *s) {
    return s ? s->n : 0;
}

double lem_spectrum_energy(const lem_spectrum *s, size_t k) {
    return check_spectrum(s, k) ? NAN : gsl_vector_get(s->energies, k);
}

/* sum_j c_j sinc((x - x_j)/h)/sqrt(h), sinc(u) = sin(pi u)/(pi u): all terms share one sine. */
static double interpolate(const lem_spectrum *s, const double *c, size_t stride, double x) {
    const double u = (x + s->L) / s->h, nearest = round(u), rest = u - nearest;
    if (rest == 0)
        return c[(size_t)nearest * stride] / sqrt(s->h);
    double sum = 0, sign = fmod(nearest, 2) == 0 ? 1 : -1;
    for (size_t j = 0; j < s->n; j++, sign = -sign)
        sum += sign * c[j * stride] / (rest + (nearest - (double)j));
    return sum * sin(M_PI * rest) / (M_PI * sqrt(s->h));
}

double lem_spectrum_state(const lem_spectrum *s, size_t k, double x) {
    if (check_spectrum(s, k) || check_place(s, x, "x"))
        return NAN;
    return interpolate(s, s->states->data + k, s->states->tda, x);
}

static int check_propagator(const lem_spectrum *s, size_t states, double xa, double T, size_t n,
                            const double *xb, const double *out) {
    int status = check_spectrum(s, 0);
    if (status)
        return status;
    if (n > 0 && (!xb || !out))
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", xb ? "out" : "xb");
    if (states < 1 || states > s->n)
        return LEM_ERROR(GSL_EDOM, "states = %zu: must be in [1, N = %zu]", states, s->n);
    if ((status = lem_walk_check_positive(T, "T")) || (status = check_place(s, xa, "xa")))
        return status;
    for (size_t i = 0; i < n; i++)
        if ((status = check_place(s, xb[i], "xb")))
            return status;
    return GSL_SUCCESS;
}

int lem_spectral_propagator(const lem_spectrum *s, size_t states, double xa, double T, size_t n,
                            const double *xb, double *out) {
    const int status = check_propagator(s, states, xa, T, n, xb, out);
    if (status)
        return status;
    /* on the grid first: c_j = sum_k v_jk exp(-E_k T/alpha) psi_k(x_a) */
    double *c = lem_allocate(s->n, sizeof *c);
    if (!c)
        return GSL_ENOMEM;
    for (size_t j = 0; j < s->n; j++)
        c[j] = 0;
    for (size_t k = 0; k < states; k++) {
        const double weight =
            lem_spectrum_state(s, k, xa) * exp(-gsl_vector_get(s->energies, k) * T / s->alpha);
        for (size_t j = 0; j < s->n; j++)
            c[j] += weight * gsl_matrix_get(s->states, j, k);
    }
    for (size_t i = 0; i < n; i++)
        out[i] = interpolate(s, c, 1, xb[i]);
    free(c);
    return GSL_SUCCESS;
}
