#include "attention/noise_table.h"
#include "attention/noisy.h"
#include "linalg/check.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    double below, left, one, two;
} means;

/* At one x; the law's mass above each node is known, which all counts to `below` once e^-u is gone. `two` as
 * E e^-u times the sum of squares about the mean under weights e^-u: nothing cancels. */
static means means_at(const lem_noise_rule *rule, const double *above, double x, double *scratch) {
    double *u = scratch, *w = u + rule->count, left = rule->none, one = 0, below = 0;
    size_t count = 0;
    for (; count < rule->count; count++) {
        const double e = x + rule->log_w[count];
        if (e > 6.62) {
            below += above[count];
            break;
        }
        u[count] = exp(e);
        const double gone = u[count] < 0.5 ? -expm1(-u[count]) : 1 - exp(-u[count]);
        w[count] = rule->weight[count] * (u[count] < 0.5 ? 1 - gone : exp(-u[count]));
        below += rule->weight[count] * gone;
        left += w[count];
        one += w[count] * u[count];
    }
    const double mean = left > 0 ? one / left : 0;
    double square = rule->none * mean * mean;
    for (size_t j = 0; j < count; j++)
        square += w[j] * (u[j] - mean) * (u[j] - mean);
    const double z = exp(x);
    return (means){below, left, one / z, left * square / z / z};
}

static void place_nodes(struct lem_noise_table *t) {
    for (int k = 0; k < LEM_NOISE_ROWS; k++) {
        const double angle = (2 * k + 1) * M_PI / (2 * LEM_NOISE_ROWS);
        t->node[k] = cos(angle);
        t->node_weight[k] = (k % 2 ? -1 : 1) * sin(angle);
    }
}

void lem_noise_table_basis(const struct lem_noise_table *t, double place, double *basis) {
    double sum = 0;
    for (int k = 0; k < LEM_NOISE_ROWS; k++) {
        const double distance = place - t->node[k];
        if (distance == 0) {
            for (int l = 0; l < LEM_NOISE_ROWS; l++)
                basis[l] = l == k;
            return;
        }
        basis[k] = t->node_weight[k] / distance;
        sum += basis[k];
    }
    for (int k = 0; k < LEM_NOISE_ROWS; k++)
        basis[k] /= sum;
}

static double node_at(const struct lem_noise_table *t, size_t row, size_t panel) {
    const double middle = (double)(t->first + (long)panel) + 0.5;
    return LEM_NOISE_STEP * (middle + t->node[row] / 2);
}

/* Row by row; the first row, of the largest x, says where the table is split. */
static void tabulate(struct lem_noise_table *t, const lem_noise_rule *rule, const double *above,
                     double *scratch) {
    t->split = (long)t->count;
    for (size_t k = 0; k < LEM_NOISE_ROWS; k++)
        for (size_t j = 0; j < t->count; j++) {
            const double x = node_at(t, k, j);
            const means m = means_at(rule, above, x, scratch);
            if (k == 0 && m.below >= 0.3 && (long)j < t->split)
                t->split = (long)j;
            t->below[k * t->count + j] = (long)j < t->split ? m.below / exp(x) : m.left;
            t->one[k * t->count + j] = m.one;
            t->two[k * t->count + j] = m.two;
        }
}

static int fill(struct lem_noise_table *t, const lem_noise_rule *rule) {
    double *above = lem_allocate(3 * rule->count, sizeof *above);
    if (!above)
        return GSL_ENOMEM;
    double sum = 0;
    for (size_t j = rule->count; j-- > 0;)
        above[j] = sum += rule->weight[j];
    tabulate(t, rule, above, above + rule->count);
    free(above);
    return GSL_SUCCESS;
}

/* From the first row's node. */
double lem_noise_table_rough(const struct lem_noise_table *t, long panel) {
    const size_t j = panel < 0 ? 0 : (size_t)panel < t->count ? (size_t)panel : t->count - 1;
    if ((long)j < t->split)
        return -log1p(-t->below[j] * exp(node_at(t, 0, j)));
    return -log(t->below[j]);
}

lem_noise_table *lem_noise_table_alloc(lem_noise noise) {
    lem_noise_rule rule;
    if (lem_noise_rule_init(noise, &rule))
        return NULL;
    lem_noise_table *t = lem_allocate(1, sizeof *t);
    if (t) {
        *t = (lem_noise_table){.first = (long)floor(rule.lowest / LEM_NOISE_STEP), .none = rule.none};
        t->count = (size_t)((long)ceil(rule.highest / LEM_NOISE_STEP) - t->first);
        place_nodes(t);
        t->below = lem_allocate(3 * LEM_NOISE_ROWS * t->count, sizeof *t->below);
        t->one = t->below ? t->below + LEM_NOISE_ROWS * t->count : NULL;
        t->two = t->below ? t->one + LEM_NOISE_ROWS * t->count : NULL;
        if (!t->below || fill(t, &rule)) {
            lem_noise_table_free(t);
            t = NULL;
        }
    }
    lem_noise_rule_free(&rule);
    return t;
}

void lem_noise_table_free(lem_noise_table *t) {
    if (t)
        free(t->below);
    free(t);
}
