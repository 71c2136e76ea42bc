/* What lem_claim asks of a check, besides running it. */
#ifndef LEM_STUDY_CHECK_H
#define LEM_STUDY_CHECK_H

#include "study/claim.h"

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
