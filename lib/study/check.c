/* Checks: how they are made, and what lem_claim asks of one before it is run. The acceptance regions are in
 * region.c. */
#include "study/check.h"

#include <math.h>

/* --- constructors */

lem_check lem_identity(size_t n, const double *measured, const double *expected, const double *bound) {
    return (lem_check){.kind = LEM_KIND_IDENTITY,
                       .variant = LEM_IDENTITY_RELATIVE,
                       .n = n,
                       .measured = measured,
                       .expected = expected,
                       .bound = bound};
}

lem_check lem_identity_abs(size_t n, const double *measured, const double *expected, const double *bound) {
    lem_check check = lem_identity(n, measured, expected, bound);
    check.variant = LEM_IDENTITY_ABSOLUTE;
    return check;
}

lem_check lem_inequality(size_t n, const double *smaller, const double *larger, const double *slack) {
    return (lem_check){.kind = LEM_KIND_INEQUALITY,
                       .variant = LEM_EXACT,
                       .n = n,
                       .measured = smaller,
                       .expected = larger,
                       .bound = slack};
}

lem_check lem_inequality_strict(size_t n, const double *smaller, const double *larger, const double *slack) {
    lem_check check = lem_inequality(n, smaller, larger, slack);
    check.variant = LEM_EXACT_STRICT;
    return check;
}

lem_check lem_mean_at_most(size_t n, const lem_moments *moments, const double *bound) {
    return (lem_check){.kind = LEM_KIND_INEQUALITY,
                       .variant = LEM_MEAN_AT_MOST,
                       .n = n,
                       .moments = moments,
                       .expected = bound};
}

lem_check lem_mean_at_least(size_t n, const lem_moments *moments, const double *bound) {
    lem_check check = lem_mean_at_most(n, moments, bound);
    check.variant = LEM_MEAN_AT_LEAST;
    return check;
}

lem_check lem_probability_at_most(size_t n, const uint64_t *successes, const uint64_t *trials,
                                  const double *bound) {
    return (lem_check){.kind = LEM_KIND_INEQUALITY,
                       .variant = LEM_PROBABILITY_AT_MOST,
                       .n = n,
                       .successes = successes,
                       .trials = trials,
                       .expected = bound};
}

lem_check lem_probability_at_least(size_t n, const uint64_t *successes, const uint64_t *trials,
                                   const double *bound) {
    lem_check check = lem_probability_at_most(n, successes, trials, bound);
    check.variant = LEM_PROBABILITY_AT_LEAST;
    return check;
}

lem_check lem_expectation(size_t n, const lem_moments *moments, const double *expected) {
    return (lem_check){.kind = LEM_KIND_EXPECTATION,
                       .variant = LEM_MOMENTS_T,
                       .n = n,
                       .moments = moments,
                       .expected = expected};
}

lem_check lem_expectation_z(size_t n, const double *measured, const double *stderrs, const double *expected) {
    return (lem_check){.kind = LEM_KIND_EXPECTATION,
                       .variant = LEM_GIVEN_Z,
                       .n = n,
                       .measured = measured,
                       .bound = stderrs,
                       .expected = expected};
}

lem_check lem_probability(size_t n, const uint64_t *successes, const uint64_t *trials,
                          const double *expected) {
    return (lem_check){
        .kind = LEM_KIND_PROBABILITY, .n = n, .successes = successes, .trials = trials, .expected = expected};
}

lem_check lem_variance_normal(size_t n, const lem_moments *moments, const double *expected) {
    return (lem_check){.kind = LEM_KIND_VARIANCE,
                       .variant = LEM_VARIANCE_NORMAL,
                       .n = n,
                       .moments = moments,
                       .expected = expected};
}

lem_check lem_variance(size_t n, const lem_moments *moments, const double *expected) {
    lem_check check = lem_variance_normal(n, moments, expected);
    check.variant = LEM_VARIANCE_ANY;
    return check;
}

lem_check lem_distribution_ks(size_t n, const double *sorted, double (*cdf)(double x, const void *ctx),
                              const void *ctx) {
    return (lem_check){
        .kind = LEM_KIND_DISTRIBUTION, .variant = LEM_KS, .n = n, .measured = sorted, .cdf = cdf, .ctx = ctx};
}

lem_check lem_distribution_counts(size_t n, const uint64_t *counts, const double *probabilities) {
    return (lem_check){.kind = LEM_KIND_DISTRIBUTION,
                       .variant = LEM_COUNTS,
                       .n = n,
                       .successes = counts,
                       .expected = probabilities};
}

lem_check lem_exponent(size_t n, const double *x, const double *y, const double *stderrs,
                       const double *expected) {
    return (lem_check){
        .kind = LEM_KIND_EXPONENT, .n = n, .x = x, .measured = y, .bound = stderrs, .expected = expected};
}

lem_check lem_optimum(size_t n, const double *lower, const double *upper, const double *expected) {
    return (lem_check){
        .kind = LEM_KIND_OPTIMUM, .n = n, .measured = lower, .bound = upper, .expected = expected};
}

lem_check lem_check_of(lem_check check, double samples) {
    check.samples = samples;
    return check;
}

/* --- what a check is made of */

bool lem_check_from_moments(const lem_check *c) {
    return c->kind == LEM_KIND_VARIANCE || (c->kind == LEM_KIND_EXPECTATION && c->variant == LEM_MOMENTS_T) ||
           (c->kind == LEM_KIND_INEQUALITY &&
            (c->variant == LEM_MEAN_AT_MOST || c->variant == LEM_MEAN_AT_LEAST));
}

bool lem_check_from_trials(const lem_check *c) {
    return c->kind == LEM_KIND_PROBABILITY ||
           (c->kind == LEM_KIND_INEQUALITY &&
            (c->variant == LEM_PROBABILITY_AT_MOST || c->variant == LEM_PROBABILITY_AT_LEAST));
}

bool lem_check_is_counts(const lem_check *c) {
    return c->kind == LEM_KIND_DISTRIBUTION && c->variant == LEM_COUNTS;
}

bool lem_check_is_ks(const lem_check *c) {
    return c->kind == LEM_KIND_DISTRIBUTION && c->variant == LEM_KS;
}

bool lem_check_is_exact_inequality(const lem_check *c) {
    return c->kind == LEM_KIND_INEQUALITY && (c->variant == LEM_EXACT || c->variant == LEM_EXACT_STRICT);
}

bool lem_check_is_stochastic(const lem_check *c) {
    return !(c->kind == LEM_KIND_IDENTITY || c->kind == LEM_KIND_OPTIMUM || lem_check_is_exact_inequality(c));
}

double lem_check_samples(const lem_check *c) {
    if (c->samples > 0)
        return c->samples;
    if (lem_check_is_ks(c))
        return (double)c->n;
    double total = 0, smallest = INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        if (lem_check_is_counts(c))
            total += (double)c->successes[i];
        else if (lem_check_from_moments(c))
            smallest = fmin(smallest, (double)c->moments[i].n);
        else if (lem_check_from_trials(c))
            smallest = fmin(smallest, (double)c->trials[i]);
        else
            return 0;
    }
    return lem_check_is_counts(c) ? total : smallest;
}

/* Checks that may stand for each other: one-sided checks of either direction are the same check with another
 * hypothesis; a strict inequality is not a plain one, nor an absolute error a relative one. */
static int family(const lem_check *c) {
    if (c->kind != LEM_KIND_INEQUALITY)
        return c->variant;
    return c->variant == LEM_MEAN_AT_LEAST          ? LEM_MEAN_AT_MOST
           : c->variant == LEM_PROBABILITY_AT_LEAST ? LEM_PROBABILITY_AT_MOST
                                                    : c->variant;
}

bool lem_check_same_kind(const lem_check *a, const lem_check *b) {
    return a->kind == b->kind && family(a) == family(b);
}

static double smallest_bound(const lem_check *c) {
    double smallest = INFINITY;
    for (size_t i = 0; c->bound && i < c->n; i++)
        smallest = fmin(smallest, c->bound[i]);
    return c->bound ? smallest : 0;
}

bool lem_check_is_tighter(const lem_check *falsifier, const lem_check *claim) {
    if (falsifier->kind != LEM_KIND_IDENTITY && !lem_check_is_exact_inequality(falsifier))
        return false;
    if (falsifier->n != claim->n || !falsifier->bound || !claim->bound)
        return smallest_bound(falsifier) < smallest_bound(claim);
    for (size_t i = 0; i < claim->n; i++)
        if (falsifier->bound[i] < claim->bound[i])
            return true;
    return false;
}

static bool same_doubles(const double *a, const double *b, size_t n) {
    if (a == b || !a || !b)
        return a == b;
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i]))
            return false;
    return true;
}

static bool same_integers(const uint64_t *a, const uint64_t *b, size_t n) {
    if (a == b || !a || !b)
        return a == b;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool same_moments(const lem_moments *a, const lem_moments *b, size_t n) {
    if (a == b || !a || !b)
        return a == b;
    for (size_t i = 0; i < n; i++)
        if (a[i].n != b[i].n || !(a[i].mean == b[i].mean) || !(a[i].m2 == b[i].m2) || !(a[i].m4 == b[i].m4))
            return false;
    return true;
}

bool lem_check_identical(const lem_check *a, const lem_check *b) {
    if (a->kind != b->kind || a->variant != b->variant || a->n != b->n || a->cdf != b->cdf)
        return false;
    size_t hypotheses = a->kind == LEM_KIND_EXPONENT ? 1 : a->n;
    return same_doubles(a->expected, b->expected, hypotheses) && same_doubles(a->x, b->x, a->n) &&
           same_doubles(a->measured, b->measured, a->n) && same_moments(a->moments, b->moments, a->n) &&
           same_integers(a->successes, b->successes, a->n) && same_integers(a->trials, b->trials, a->n) &&
           (!a->cdf || a->ctx == b->ctx);
}
