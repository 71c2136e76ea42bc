#include "attention/quenched_total.h"

#include <gsl/gsl_math.h>
#include <math.h>

double lem_quenched_power(double n, double below, double k) {
    const double miss = below / n;
    if (miss >= 1)
        return 0;
    if (miss > 1e-8)
        return exp((n - k) * log1p(-miss));
    return exp(-below * (1 - k / n) * (1 + miss / 2 + miss * miss / 3));
}

static void add(lem_neumaier *t, double x) {
    const double next = t->sum + x;
    t->lost += fabs(t->sum) >= fabs(x) ? (t->sum - next) + x : (x - next) + t->sum;
    t->sum = next;
}

double lem_quenched_add(lem_quenched_total *total, const lem_quenched_means *m) {
    const double p = lem_quenched_power(total->n, m->below, 1), one = m->one * p;
    const double pair = lem_quenched_power(total->n, m->below, 2);
    const double first = total->square_of_log ? m->log : m->score;
    add(&total->one, one);
    add(&total->two, m->two * p);
    add(&total->entropy, -(m->log + M_EULER * m->one) * p); /* not the sum less gamma: it may be near 0 */
    add(&total->score, m->score * p);
    add(&total->distinct, m->one * m->one * pair);
    add(&total->variance, (m->square * m->one - first * first) * pair);
    return one;
}

static double value(lem_neumaier t) {
    return LEM_QUENCHED_STEP * (t.sum + t.lost);
}

void lem_quenched_finish(const lem_quenched_total *total, double alpha, lem_quenched *out) {
    const double pairs = 1 - 1 / total->n;
    out->norm_check = value(total->one);
    out->sum_p2 = value(total->two) / total->n;
    out->distinct = pairs * value(total->distinct);
    out->trace = alpha * out->distinct;
    out->mean_score = value(total->score);
    out->variance = pairs * value(total->variance) / (total->square_of_log ? alpha * alpha : 1);
    out->entropy = value(total->entropy);
    out->log_z = out->entropy + alpha * out->mean_score;
}
