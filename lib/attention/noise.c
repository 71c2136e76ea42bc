#include "attention/noise.h"
#include "attention/noise_rule.h"
#include "rng/laws.h"

#include <math.h>

double lem_noise_factor_gauss(double sigma) {
    if (!(sigma >= 0 && sigma <= 26))
        return LEM_ERROR_NAN(GSL_EDOM, "sigma = %g: must be >= 0 and <= 26", sigma);
    const double square = sigma * sigma, rest = fma(sigma, sigma, -square), factor = expm1(square);
    return factor + rest * (factor + 1);
}

/* h coth h - 1 = (sum 2k h^2k/(2k+1)!)/(sum h^2k/(2k+1)!); at h = 2 twelve terms reach 1e-17. */
static double uniform_series(double h) {
    double above = 0, below = 0, term = 1;
    for (int k = 0; k <= 14; k++) {
        above += 2 * k * term;
        below += term;
        term *= h / (2 * k + 2) * (h / (2 * k + 3));
    }
    return above / below;
}

double lem_noise_factor_uniform(double h) {
    if (!(h >= 0 && isfinite(h)))
        return LEM_ERROR_NAN(GSL_EDOM, "h = %g: must be >= 0 and finite", h);
    return h < 2 ? uniform_series(h) : h / tanh(h) - 1;
}

double lem_noise_factor_laplace(double b) {
    if (!(b >= 0 && isfinite(b)))
        return LEM_ERROR_NAN(GSL_EDOM, "b = %g: must be >= 0 and finite", b);
    if (b >= 0.5)
        return INFINITY;
    return b * b * (2 + b * b) / ((1 - 2 * b) * (1 + 2 * b));
}

double lem_noise_factor_dropout(double r) {
    if (!(r >= 0 && r < 1))
        return LEM_ERROR_NAN(GSL_EDOM, "r = %g: must be >= 0 and < 1", r);
    return r / (1 - r);
}

int lem_check_noise(lem_noise noise) {
    const double a = noise.parameter;
    switch (noise.kind) {
    case LEM_NOISE_GAUSS:
        return a >= 0 && isfinite(a) ? GSL_SUCCESS
                                     : LEM_ERROR(GSL_EDOM, "sigma = %g: must be >= 0 and finite", a);
    case LEM_NOISE_UNIFORM:
        return a >= 0 && isfinite(a) ? GSL_SUCCESS
                                     : LEM_ERROR(GSL_EDOM, "h = %g: must be >= 0 and finite", a);
    case LEM_NOISE_LAPLACE:
        return a > 0 && isfinite(a) ? GSL_SUCCESS
                                    : LEM_ERROR(GSL_EDOM, "b = %g: must be positive and finite", a);
    case LEM_NOISE_DROPOUT:
        return a >= 0 && a < 1 ? GSL_SUCCESS : LEM_ERROR(GSL_EDOM, "r = %g: must be >= 0 and < 1", a);
    case LEM_NOISE_STUDENT:
        return a >= 1 && a <= 100 && a == floor(a)
                   ? GSL_SUCCESS
                   : LEM_ERROR(GSL_EDOM, "df = %g: must be a whole number in 1, ..., 100", a);
    case LEM_NOISE_CAUCHY:
        return a > 0 && isfinite(a) ? GSL_SUCCESS
                                    : LEM_ERROR(GSL_EDOM, "scale = %g: must be positive and finite", a);
    }
    return LEM_ERROR(GSL_EINVAL, "kind = %d: not a law of noise", (int)noise.kind);
}

double lem_noise_factor(lem_noise noise) {
    if (lem_check_noise(noise))
        return NAN;
    switch (noise.kind) {
    case LEM_NOISE_GAUSS:
        return lem_noise_factor_gauss(noise.parameter);
    case LEM_NOISE_UNIFORM:
        return lem_noise_factor_uniform(noise.parameter);
    case LEM_NOISE_LAPLACE:
        return lem_noise_factor_laplace(noise.parameter);
    case LEM_NOISE_DROPOUT:
        return lem_noise_factor_dropout(noise.parameter);
    default:
        return INFINITY;
    }
}

static void scale(size_t n, double factor, double *x) {
    for (size_t i = 0; i < n; i++)
        x[i] *= factor;
}

static int fill_uniform(lem_noise noise, lem_stream *stream, size_t n, double *out) {
    const int status = lem_uniform_fill(stream, n, out);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (noise.kind == LEM_NOISE_DROPOUT)
            out[i] = out[i] < noise.parameter ? -INFINITY : 0;
        else
            out[i] = noise.parameter * (2 * out[i] - 1);
    }
    return GSL_SUCCESS;
}

int lem_noise_fill(lem_noise noise, lem_stream *stream, size_t n, double *out) {
    int status = lem_check_noise(noise);
    if (status)
        return status;
    if (noise.kind == LEM_NOISE_UNIFORM || noise.kind == LEM_NOISE_DROPOUT)
        return fill_uniform(noise, stream, n, out);
    if (noise.kind == LEM_NOISE_STUDENT)
        return lem_student_fill(stream, (unsigned)noise.parameter, n, out);
    status = noise.kind == LEM_NOISE_GAUSS     ? lem_normal_fill(stream, n, out)
             : noise.kind == LEM_NOISE_LAPLACE ? lem_laplace_fill(stream, n, out)
                                               : lem_cauchy_fill(stream, n, out);
    if (!status)
        scale(n, noise.parameter, out);
    return status;
}
