#include "attention/noise_table.h"
#include "attention/noisy.h"
#include "linalg/check.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    double below, left, one, two;
} means;

/* What the law's nodes lend to every x: W, W less the centre, and the mass at and above each node. */
typedef struct {
    const lem_noise_rule *rule;
    double *memory, *w, *off, *above, *left;
} nodes;

/* 1 - e^-u and e^-u; below 1e-5 three terms of the series reach 4e-17. */
static double lost(double u, double *left) {
    if (u >= 0.5) {
        *left = exp(-u);
        return 1 - *left;
    }
    const double gone = u < 1e-5 ? u * (1 - u / 2 * (1 - u / 3)) : -expm1(-u);
    *left = 1 - gone;
    return gone;
}

/* At one x; once e^-u is gone, all the mass above counts to `below`. `two` as E e^-u times the sum of squares
 * about the mean under weights e^-u: nothing cancels. */
static means means_at(const nodes *at, double x) {
    const lem_noise_rule *rule = at->rule;
    const double z = exp(x);
    double left = rule->none, one = 0, below = 0;
    size_t count = 0;
    for (; count < rule->count; count++) {
        const double u = z * at->w[count];
        if (u > 750) {
            below += at->above[count];
            break;
        }
        below += rule->weight[count] * lost(u, &at->left[count]);
        at->left[count] *= rule->weight[count];
        left += at->left[count];
        one += at->left[count] * at->off[count];
    }
    const double mean = left > 0 ? one / left : 0;
    double square = rule->none * mean * mean; /* where there is W = 0, the centre is 0 */
    for (size_t j = 0; j < count; j++)
        square += at->left[j] * (at->off[j] - mean) * (at->off[j] - mean);
    return (means){below, left, one, left * square};
}

/* W from 1/2 to 2? */
static bool small(const lem_noise_rule *rule) {
    return rule->none == 0 && rule->log_w[0] > -M_LN2 && rule->log_w[rule->count - 1] < M_LN2;
}

static int nodes_init(nodes *at, const lem_noise_rule *rule, double centre) {
    *at = (nodes){.rule = rule, .memory = lem_allocate(4 * rule->count, sizeof *at->memory)};
    if (!at->memory)
        return GSL_ENOMEM;
    at->w = at->memory, at->off = at->w + rule->count;
    at->above = at->off + rule->count, at->left = at->above + rule->count;
    double sum = 0;
    for (size_t j = rule->count; j-- > 0;) {
        at->above[j] = sum += rule->weight[j];
        at->w[j] = exp(rule->log_w[j]);
        at->off[j] = centre > 0 ? expm1(rule->log_w[j]) : at->w[j];
    }
    return GSL_SUCCESS;
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

static double node_at(const struct lem_noise_table *t, size_t row, long panel) {
    return LEM_NOISE_STEP * ((double)(t->first + panel) + 0.5 + t->node[row] / 2);
}

/* Row by row; the first row, of the largest x, says where the table is split. */
static int tabulate(struct lem_noise_table *t, const lem_noise_rule *rule) {
    nodes at;
    const int status = nodes_init(&at, rule, t->centre);
    t->split = (long)t->count;
    for (size_t k = 0; k < LEM_NOISE_ROWS && !status; k++)
        for (size_t j = 0; j < t->count; j++) {
            const double x = node_at(t, k, (long)j);
            const means m = means_at(&at, x);
            if (k == 0 && m.below >= 0.3 && (long)j < t->split)
                t->split = (long)j;
            if (k == 0)
                t->rough[j] = m.below < 0.3 ? -log1p(-m.below) : -log(m.left);
            t->below[k * t->count + j] = (long)j < t->split ? m.below / exp(x) : m.left;
            t->one[k * t->count + j] = m.one;
            t->two[k * t->count + j] = m.two;
        }
    free(at.memory);
    return status;
}

double lem_noise_table_rough(const struct lem_noise_table *t, long panel) {
    if (panel < 0)
        return t->rough[0] * exp(LEM_NOISE_STEP * (double)panel);
    return t->rough[panel < (long)t->count ? panel : (long)t->count - 1];
}

lem_noise_table *lem_noise_table_alloc(lem_noise noise) {
    lem_noise_rule rule;
    if (lem_noise_rule_init(noise, &rule))
        return NULL;
    lem_noise_table *t = lem_allocate(1, sizeof *t);
    if (t) {
        *t = (lem_noise_table){.first = (long)floor(rule.lowest / LEM_NOISE_STEP),
                               .none = rule.none,
                               .centre = small(&rule) ? 1 : 0};
        t->count = (size_t)((long)ceil(rule.highest / LEM_NOISE_STEP) - t->first);
        place_nodes(t);
        t->below = lem_allocate((3 * LEM_NOISE_ROWS + 1) * t->count, sizeof *t->below);
        t->one = t->below ? t->below + LEM_NOISE_ROWS * t->count : NULL;
        t->two = t->below ? t->one + LEM_NOISE_ROWS * t->count : NULL;
        t->rough = t->below ? t->two + LEM_NOISE_ROWS * t->count : NULL;
        if (!t->below || tabulate(t, &rule)) {
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
