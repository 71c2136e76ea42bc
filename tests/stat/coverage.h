/* Coverage by simulation: how often R repeats of an interval hold the truth, against exact binomial limits.
 */
#ifndef TESTS_STAT_COVERAGE_H
#define TESTS_STAT_COVERAGE_H

#include "stat/distribution.h"
#include "stat/mc.h"
#include "tap/tap.h"

/* A test with this rate on each side of each count is wrong about a right library once in 5e8 counts. */
#define COVERAGE_ALARM 1e-9

/* hits of trials, each with probability p exactly: inside the limits that a Binomial(trials, p) leaves on
 * either side with probability at most COVERAGE_ALARM. */
static inline void check_count(const char *what, uint64_t hits, uint64_t trials, double p) {
    double low = lem_binomial_quantile(COVERAGE_ALARM, trials, p, LEM_LOWER);
    double high = lem_binomial_quantile(COVERAGE_ALARM, trials, p, LEM_UPPER);
    LEM_CHECK((double)hits >= low && (double)hits <= high, "%s: %llu of %llu, limits %g ... %g for p = %.9g",
              what, (unsigned long long)hits, (unsigned long long)trials, low, high, p);
}

/* Run chunk over `repeats` samples and give its counts. */
static inline void count_hits(const char *purpose, size_t repeats, lem_mc_chunk chunk, const void *ctx,
                              size_t n_counts, uint64_t *counts) {
    lem_mc_plan plan = {.seed = 20260102,
                        .study = lem_stream_id("test-stat"),
                        .purpose = lem_stream_id(purpose),
                        .samples = repeats,
                        .chunk_size = 100,
                        .n_counts = n_counts,
                        .chunk = chunk,
                        .ctx = ctx};
    lem_mc_result out = {.counts = counts};
    LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
}

#endif
