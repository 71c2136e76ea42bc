#include "stat/gof.h"
#include "stat/distribution.h"

#include <math.h>

static int check_cells(size_t cells, const uint64_t *counts, const double *probabilities,
                       const lem_chisq_result *result, double *trials) {
    if (!counts || !probabilities || !result)
        return LEM_ERROR(GSL_EFAULT, "%s is null",
                         !counts          ? "counts"
                         : !probabilities ? "probabilities"
                                          : "result");
    if (cells < 2)
        return LEM_ERROR(GSL_EINVAL, "cells = %zu: must be >= 2", cells);
    double sum = 0;
    *trials = 0;
    for (size_t i = 0; i < cells; i++) {
        if (!(probabilities[i] >= 0 && probabilities[i] <= 1))
            return LEM_ERROR(GSL_EINVAL, "probabilities[%zu] = %g: must be in [0, 1]", i, probabilities[i]);
        sum += probabilities[i];
        *trials += (double)counts[i];
    }
    if (!(fabs(sum - 1) <= 1e-9))
        return LEM_ERROR(GSL_EINVAL, "probabilities sum to %.12g: must be 1 within 1e-9", sum);
    return GSL_SUCCESS;
}

int lem_chisq_test(size_t cells, const uint64_t *counts, const double *probabilities,
                   lem_chisq_result *result) {
    double trials = 0;
    int status = check_cells(cells, counts, probabilities, result, &trials);
    if (status)
        return status;
    /* The pool being filled, and the last full one, which takes what is left over. */
    double seen = 0, expected = 0, last_seen = 0, last_expected = 0, statistic = 0;
    size_t pools = 0;
    int impossible = 0;
    for (size_t i = 0; i < cells; i++) {
        impossible |= probabilities[i] == 0 && counts[i] > 0;
        seen += (double)counts[i];
        expected += trials * probabilities[i];
        if (expected < LEM_CHISQ_LEAST)
            continue;
        if (pools++ > 0)
            statistic += (last_seen - last_expected) * (last_seen - last_expected) / last_expected;
        last_seen = seen;
        last_expected = expected;
        seen = expected = 0;
    }
    if (pools < 2)
        return LEM_ERROR(GSL_EINVAL, "%g counts: at least two cells must expect %d or more after pooling",
                         trials, LEM_CHISQ_LEAST);
    last_seen += seen;
    last_expected += expected;
    statistic += (last_seen - last_expected) * (last_seen - last_expected) / last_expected;
    double df = (double)(pools - 1);
    if (impossible)
        statistic = INFINITY;
    *result = (lem_chisq_result){statistic, df, lem_chisq_cdf(statistic, df, LEM_UPPER), pools};
    return GSL_SUCCESS;
}
