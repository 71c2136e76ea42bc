#include "scaling/chinchilla.h"
#include "scaling/robust.h"

#include <math.h>

int lem_chinchilla_published(lem_chinchilla_set set, lem_chinchilla *law) {
#define LEM_VALUES(id, name, A, B, E, alpha, beta) {A, B, E, alpha, beta},
    static const lem_chinchilla sets[] = {LEM_CHINCHILLA_SETS(LEM_VALUES)};
#undef LEM_VALUES
    if (!law)
        return LEM_ERROR(GSL_EFAULT, "law: a null pointer");
    if ((size_t)set >= sizeof sets / sizeof *sets)
        return LEM_ERROR(GSL_EINVAL, "set = %d: is none of the published ones", (int)set);
    *law = sets[set];
    return GSL_SUCCESS;
}

static int refuse(const char *name, double value, const char *allowed) {
    return LEM_ERROR(GSL_EDOM, "%s = %g: must be %s and finite", name, value, allowed);
}

static int check_positive(const char *name, double value) {
    return value > 0 && isfinite(value) ? GSL_SUCCESS : refuse(name, value, "positive");
}

static int check_terms(double A, double B, double alpha, double beta) {
    const struct {
        const char *name;
        double value;
    } all[] = {{"A", A}, {"B", B}, {"alpha", alpha}, {"beta", beta}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (check_positive(all[i].name, all[i].value))
            return GSL_EDOM;
    return GSL_SUCCESS;
}

static int check_law(const lem_chinchilla *law) {
    if (!law)
        return LEM_ERROR(GSL_EFAULT, "law: a null pointer");
    if (!(law->E >= 0) || !isfinite(law->E))
        return refuse("E", law->E, "zero or more");
    return check_terms(law->A, law->B, law->alpha, law->beta);
}

static double evaluate(const lem_chinchilla *law, double N, double D) {
    return law->E + law->A * pow(N, -law->alpha) + law->B * pow(D, -law->beta);
}

double lem_chinchilla_eval(const lem_chinchilla *law, double N, double D) {
    if (check_law(law) || check_positive("N", N) || check_positive("D", D))
        return NAN;
    const double loss = evaluate(law, N, D);
    if (!isfinite(loss))
        return LEM_ERROR_NAN(GSL_ERANGE, "L(%g, %g) is too large for a double", N, D);
    return loss;
}

static int check_data(const lem_chinchilla_data *data) {
    if (!data || !data->N || !data->D || !data->loss)
        return LEM_ERROR(GSL_EFAULT, "data: a null pointer");
    return data->n > 0 ? GSL_SUCCESS : LEM_ERROR(GSL_EINVAL, "n = 0: there must be rows");
}

static int residual(const lem_chinchilla *law, const lem_chinchilla_data *data, size_t i, double *r) {
    const double N = data->N[i], D = data->D[i], loss = data->loss[i];
    if (!(N > 0 && isfinite(N) && D > 0 && isfinite(D) && loss > 0 && isfinite(loss)))
        return LEM_ERROR(GSL_EDOM, "row %zu: N = %g, D = %g, loss = %g: must be positive and finite", i + 1,
                         N, D, loss);
    const double model = evaluate(law, N, D);
    if (!(model > 0 && isfinite(model)))
        return LEM_ERROR(GSL_ERANGE, "row %zu: L(%g, %g) = %g is beyond a double", i + 1, N, D, model);
    *r = log(loss / model);
    return GSL_SUCCESS;
}

int lem_chinchilla_residuals(const lem_chinchilla *law, const lem_chinchilla_data *data, double *residuals) {
    if (!residuals)
        return LEM_ERROR(GSL_EFAULT, "residuals: a null pointer");
    int status = check_law(law);
    if (!status)
        status = check_data(data);
    for (size_t i = 0; !status && i < data->n; i++)
        status = residual(law, data, i, &residuals[i]);
    return status;
}

double lem_chinchilla_objective(const lem_chinchilla *law, const lem_chinchilla_data *data, double delta,
                                lem_reduction reduction) {
    if (check_law(law) || check_data(data))
        return NAN;
    double sum = 0, r = 0;
    for (size_t i = 0; i < data->n; i++) {
        if (residual(law, data, i, &r))
            return NAN;
        sum += lem_huber_loss(r, delta);
    }
    return reduction == LEM_REDUCE_MEAN ? sum / (double)data->n : sum;
}

/* (alpha A/(beta B))^(1/(alpha + beta)) */
static double balance(double A, double B, double alpha, double beta) {
    return pow(alpha / beta * (A / B), 1 / (alpha + beta));
}

static double in_range(const char *name, double value) {
    if (!(value >= 2.2250738585072014e-308) || !isfinite(value))
        return LEM_ERROR_NAN(GSL_ERANGE, "%s = %g: the optimum is beyond a double", name, value);
    return value;
}

/* The powers of C/6 are taken from the even split, whose exponent is exact: what is left is small where the
 * two exponents are alike, and so is its rounding error times log(C/6). */
double lem_chinchilla_optimal_params(double A, double B, double alpha, double beta, double C) {
    if (check_terms(A, B, alpha, beta) || check_positive("C", C))
        return NAN;
    const double tilt = (beta - alpha) / (alpha + beta) / 2;
    return in_range("N*", balance(A, B, alpha, beta) * sqrt(C / 6) * pow(C / 6, tilt));
}

double lem_chinchilla_tokens_per_parameter(double A, double B, double alpha, double beta, double C) {
    if (check_terms(A, B, alpha, beta) || check_positive("C", C))
        return NAN;
    const double g = balance(A, B, alpha, beta), tilt = (alpha - beta) / (alpha + beta);
    return in_range("D*/N*", pow(C / 6, tilt) / g / g);
}
