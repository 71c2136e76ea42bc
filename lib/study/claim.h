/* Claims: a statement, a check with a derived acceptance region, and falsifiers that the same check must
 * reject.
 *
 * A check is data plus hypothesis, made by one of the constructors below; lem_claim runs it and its
 * falsifiers, which are checks of the same kind, level and tolerance with another hypothesis (or the data of
 * a plausible wrong method). A claim passes when its check accepts and every falsifier is rejected. Arrays
 * are read during lem_claim and not kept.
 *
 * A check over several points is one claim: its false-alarm rate is shared out over the points by Bonferroni,
 * and the worst point is the one reported. A falsifier is rejected if any point is. */
#ifndef LEM_STUDY_CLAIM_H
#define LEM_STUDY_CLAIM_H

#include "stat/moments.h"

#include <stdbool.h>

typedef struct lem_study lem_study;

#define LEM_VERDICTS(X)                                                                                      \
    X(LEM_HOLDS, "holds")                                                                                    \
    X(LEM_HOLDS_WHEN, "holds-when")                                                                          \
    X(LEM_REFUTED, "refuted")
#define LEM_ENUM(name, text) name,
typedef enum { LEM_VERDICTS(LEM_ENUM) } lem_verdict;

#define LEM_CLAIM_KINDS(X)                                                                                   \
    X(LEM_KIND_IDENTITY, "identity")                                                                         \
    X(LEM_KIND_INEQUALITY, "inequality")                                                                     \
    X(LEM_KIND_EXPECTATION, "expectation")                                                                   \
    X(LEM_KIND_PROBABILITY, "probability")                                                                   \
    X(LEM_KIND_VARIANCE, "variance")                                                                         \
    X(LEM_KIND_DISTRIBUTION, "distribution")                                                                 \
    X(LEM_KIND_EXPONENT, "exponent")                                                                         \
    X(LEM_KIND_OPTIMUM, "optimum")                                                                           \
    X(LEM_KIND_REFUTATION, "refutation")
typedef enum { LEM_CLAIM_KINDS(LEM_ENUM) } lem_claim_kind;
#undef LEM_ENUM

typedef struct {
    const char *id; /* the spec's id, or that id plus ".suffix" */
    const char
        *statement;      /* one sentence, formulas in plain text: what the check accepts. Of a refuted claim
                          * this is what holds instead; what it refutes is its first falsifier's statement */
    const char *source;  /* "8679, eq. 5; Dasgupta & Gupta 2003" */
    lem_verdict verdict; /* about the published statement */
    const char *note;    /* holds-when: the regime; refuted: the correction; required for those two */
    double false_alarm;  /* of the whole claim; 0: the default, 1e-6. Recorded as 0 for checks without
                          * randomness    (identity, exact inequality, optimum; an optimum whose bracket is a
                          * confidence    interval states its rate here) */
    double floor;        /* stochastic checks: smallest sample size at which each falsifier is rejected with
                          * probability >= 1 - 1e-6; a run below it is refused. 0 for deterministic checks */
    const char *floor_reason; /* its derivation; required with floor */
} lem_claim_info;

/* Points of a check; each array has n entries. Private: use the constructors. */
typedef struct {
    lem_claim_kind kind;
    int variant;
    size_t n;
    const double *measured, *expected, *bound; /* meaning by kind */
    const lem_moments *moments;
    const double *x;
    const uint64_t *successes, *trials;
    double (*cdf)(double x, const void *ctx);
    const void *ctx;
    double samples; /* see lem_check_of */
} lem_check;

/* Tell the sample size behind a check that cannot see it (expectation_z, exponent, an optimum from samples):
 * the smallest of its points, to be compared with the claim's floor. */
lem_check lem_check_of(lem_check check, double samples);

/* identity: |measured[i] - expected[i]| <= bound[i] |expected[i]| (bound: the derived relative rounding or
 * truncation error). _abs: <= bound[i] instead. */
lem_check lem_identity(size_t n, const double *measured, const double *expected, const double *bound);
lem_check lem_identity_abs(size_t n, const double *measured, const double *expected, const double *bound);

/* inequality, exact: smaller[i] <= larger[i] (1 + slack[i] sign), where slack is the rounding error of
 * computing the two (relative to |larger|; NULL: none). Compare logarithms where values under- or overflow.
 * _strict: <. */
lem_check lem_inequality(size_t n, const double *smaller, const double *larger, const double *slack);
lem_check lem_inequality_strict(size_t n, const double *smaller, const double *larger, const double *slack);
/* inequality, from samples: rejected when the one-sided confidence bound of the mean (t) is beyond the bound.
 */
lem_check lem_mean_at_most(size_t n, const lem_moments *moments, const double *bound);
lem_check lem_mean_at_least(size_t n, const lem_moments *moments, const double *bound);
/* ... of a probability (exact binomial). */
lem_check lem_probability_at_most(size_t n, const uint64_t *successes, const uint64_t *trials,
                                  const double *bound);
lem_check lem_probability_at_least(size_t n, const uint64_t *successes, const uint64_t *trials,
                                   const double *bound);

/* expectation: E = expected[i], Student's t with n - 1 degrees of freedom. */
lem_check lem_expectation(size_t n, const lem_moments *moments, const double *expected);
/* ... of a measured value with a known or separately estimated standard error: z. */
lem_check lem_expectation_z(size_t n, const double *measured, const double *stderrs, const double *expected);

/* probability: P = expected[i], inside the exact (Clopper-Pearson) interval. */
lem_check lem_probability(size_t n, const uint64_t *successes, const uint64_t *trials,
                          const double *expected);

/* variance: of normal data, chi-square with n - 1 degrees of freedom; of other data, z with the standard
 * error from the sample's fourth moment. */
lem_check lem_variance_normal(size_t n, const lem_moments *moments, const double *expected);
lem_check lem_variance(size_t n, const lem_moments *moments, const double *expected);

/* distribution: Kolmogorov-Smirnov distance of a sorted sample to a continuous CDF (tail from lib/stat). */
lem_check lem_distribution_ks(size_t n, const double *sorted, double (*cdf)(double x, const void *ctx),
                              const void *ctx);
/* ... chi-square of counts against cell probabilities that sum to 1 (neighbouring cells are pooled until each
 * expects 10; a count in a cell of probability 0 rejects at once).
 */
lem_check lem_distribution_counts(size_t n, const uint64_t *counts, const double *probabilities);

/* exponent: y = a x^b; weighted log-log regression of n >= 3 points with standard errors stderrs of y; the
 * t-interval of b contains *expected. */
lem_check lem_exponent(size_t n, const double *x, const double *y, const double *stderrs,
                       const double *expected);

/* optimum: lower[i] <= expected[i] <= upper[i], the bracket (or confidence interval) of a located extremum.
 */
lem_check lem_optimum(size_t n, const double *lower, const double *upper, const double *expected);

typedef struct {
    const char *statement; /* what the wrong variant says */
    lem_check check;
} lem_falsifier;

/* Register and run a claim. For verdict refuted, the first falsifier is the published statement itself, and
 * the claim's kind is recorded as `refutation` with the kind of its check beside it. Refused with GSL_EINVAL
 * (and the run ends): no falsifier, a duplicate id, a falsifier of another kind, a missing note, false_alarm
 * outside (0, 0.1], a sample below the floor (or of unknown size, see lem_check_of), a stochastic check
 * without a floor and its reason, a falsifier with a tighter tolerance than the claim's or identical with its
 * check, NaN anywhere. A claim that fails is no error: it is recorded as failed. */
int lem_claim_at(lem_study *study, const char *file, int line, const lem_claim_info *info, lem_check check,
                 const lem_falsifier *falsifiers, size_t n_falsifiers);
#define lem_claim(study, ...) lem_claim_at((study), __FILE__, __LINE__, __VA_ARGS__)

/* Record a claim as skipped, with the reason (data that is not there). */
int lem_claim_skip(lem_study *study, const char *id, const char *statement, const char *reason);

/* The outcome of one check, for tests of the engine. `statistic` and `limit` are of the worst point: accepted
 * means statistic <= limit. */
typedef struct {
    bool accepted;
    double measured, expected, stderr_, statistic, limit;
    const char *statistic_name; /* "z", "t", "KS", "chi2", "error/bound", ... */
} lem_outcome;
int lem_check_run(const lem_check *check, double false_alarm, lem_outcome *outcome);

#endif
