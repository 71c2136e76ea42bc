/* What lem_claim asks of a check besides running it, and what region.c, which runs it, needs to know. */
#ifndef LEM_STUDY_CHECK_H
#define LEM_STUDY_CHECK_H

#include "study/claim.h"

/* The variants of a kind. */
enum { LEM_IDENTITY_RELATIVE, LEM_IDENTITY_ABSOLUTE };
enum {
    LEM_EXACT,
    LEM_EXACT_STRICT,
    LEM_MEAN_AT_MOST,
    LEM_MEAN_AT_LEAST,
    LEM_PROBABILITY_AT_MOST,
    LEM_PROBABILITY_AT_LEAST
};
enum { LEM_MOMENTS_T, LEM_GIVEN_Z };
enum { LEM_VARIANCE_NORMAL, LEM_VARIANCE_ANY };
enum { LEM_KS, LEM_COUNTS };

/* What a check is made of. */
bool lem_check_from_moments(const lem_check *check);
bool lem_check_from_trials(const lem_check *check);
bool lem_check_is_counts(const lem_check *check);
bool lem_check_is_ks(const lem_check *check);
bool lem_check_is_exact_inequality(const lem_check *check);

/* Its outcome depends on chance: a false-alarm rate and a floor are due. */
bool lem_check_is_stochastic(const lem_check *check);

/* The smallest sample of its points; 0 when the check does not know (lem_check_of tells it). */
double lem_check_samples(const lem_check *check);

bool lem_check_same_kind(const lem_check *a, const lem_check *b);

/* A falsifier with a smaller tolerance than its claim's could be rejected for that alone. */
bool lem_check_is_tighter(const lem_check *falsifier, const lem_check *claim);

/* The same hypothesis about the same data. */
bool lem_check_identical(const lem_check *a, const lem_check *b);

#endif
