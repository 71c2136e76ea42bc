/* Where the mean of something over rows is largest: 13 scales with common random numbers, a quartic in the
 * logarithm of the scale, a jackknife over blocks of rows. */
#include "study.h"

enum { DEGREE = 4, COEFFICIENTS = DEGREE + 1, BLOCKS = 50 };

/* From low to high, equally spaced in logarithms as x goes from -1 to 1. */
static double multiple_at(double low, double high, double x) {
    return sqrt(low * high) * pow(high / low, x / 2);
}

double ascale_multiple(double low, double high, size_t k) {
    return multiple_at(low, high, 2 * (double)k / (ASCALE_ALPHAS - 1) - 1);
}

/* The least-squares quartic in x through 13 values, as a linear map of them. */
typedef struct {
    double map[COEFFICIENTS][ASCALE_ALPHAS];
} quartic;

static int quartic_init(quartic *q) {
    double normal[COEFFICIENTS * COEFFICIENTS] = {0}, powers[COEFFICIENTS * ASCALE_ALPHAS];
    for (size_t k = 0; k < ASCALE_ALPHAS; k++)
        for (size_t i = 0; i < COEFFICIENTS; i++)
            powers[i * ASCALE_ALPHAS + k] = pow(2 * (double)k / (ASCALE_ALPHAS - 1) - 1, (double)i);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        for (size_t j = 0; j < COEFFICIENTS; j++)
            for (size_t k = 0; k < ASCALE_ALPHAS; k++)
                normal[i * COEFFICIENTS + j] += powers[i * ASCALE_ALPHAS + k] * powers[j * ASCALE_ALPHAS + k];
    gsl_matrix_view a = gsl_matrix_view_array(normal, COEFFICIENTS, COEFFICIENTS),
                    b = gsl_matrix_view_array(powers, COEFFICIENTS, ASCALE_ALPHAS);
    LEM_TRY(lem_solve(&a.matrix, &b.matrix));
    for (size_t i = 0; i < COEFFICIENTS; i++)
        for (size_t k = 0; k < ASCALE_ALPHAS; k++)
            q->map[i][k] = powers[i * ASCALE_ALPHAS + k];
    return GSL_SUCCESS;
}

/* x of the largest value on [-1, 1], on a grid of steps 1e-4. */
static double quartic_peak(const quartic *q, const double *y) {
    double c[COEFFICIENTS] = {0}, best = -INFINITY, at = 0;
    for (size_t i = 0; i < COEFFICIENTS; i++)
        for (size_t k = 0; k < ASCALE_ALPHAS; k++)
            c[i] += q->map[i][k] * y[k];
    for (int j = -10000; j <= 10000; j++) {
        const double x = 1e-4 * j, f = (((c[4] * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0];
        if (f > best)
            best = f, at = x;
    }
    return at;
}

int ascale_locate(const ascale_search *search, ascale_located *out) {
    const size_t rows = search->rows;
    const double *records = search->records;
    quartic q;
    LEM_TRY(quartic_init(&q));
    const size_t blocks = rows < BLOCKS ? rows : BLOCKS;
    double sum[BLOCKS][ASCALE_ALPHAS] = {{0}}, count[BLOCKS] = {0}, total[ASCALE_ALPHAS] = {0},
           mean[ASCALE_ALPHAS];
    for (size_t i = 0; i < rows; i++) {
        const size_t b = i * blocks / rows;
        count[b]++;
        for (size_t k = 0; k < ASCALE_ALPHAS; k++)
            sum[b][k] += records[i * search->stride + k], total[k] += records[i * search->stride + k];
    }
    for (size_t k = 0; k < ASCALE_ALPHAS; k++)
        mean[k] = total[k] / (double)rows;
    const double all = multiple_at(search->low, search->high, quartic_peak(&q, mean));
    lem_moments left_out;
    lem_moments_init(&left_out);
    for (size_t b = 0; b < blocks; b++) {
        for (size_t k = 0; k < ASCALE_ALPHAS; k++)
            mean[k] = (total[k] - sum[b][k]) / ((double)rows - count[b]);
        LEM_TRY(lem_moments_add(&left_out, multiple_at(search->low, search->high, quartic_peak(&q, mean))));
    }
    const double jackknife = sqrt((double)(blocks - 1) / (double)blocks * left_out.m2);
    *out = (ascale_located){search->freezing * all, search->freezing * jackknife, search->freezing, rows,
                            blocks};
    return GSL_SUCCESS;
}
