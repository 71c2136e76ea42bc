/* All pairs: how many dimensions does the union bound ask for, how many does the exact law, and how close is
 * the union bound to the truth for the extreme configurations? */
#include "study.h"

static const double EPSILONS[] = {.1, .2, .3, .5, .7, .9};
static const double SIZES[] = {10, 100, 1e3, 1e4, 1e5, 1e6, 1e9};
enum { N_RULES = COUNT(EPSILONS) * COUNT(SIZES) };

static double rule_eps(size_t i) {
    return EPSILONS[i / COUNT(SIZES)];
}
static double rule_size(size_t i) {
    return SIZES[i % COUNT(SIZES)];
}

/* --- the rules ---------------------------------------------------------------------------------------------
 */

static int rule_claims(lem_study *study) {
    double exact[N_RULES], exists[N_RULES], su24[N_RULES], su16[N_RULES], twelve[N_RULES], eight[N_RULES];
    double coefficient[N_RULES], limit[N_RULES], small_eps[N_RULES];
    for (size_t i = 0; i < N_RULES; i++) {
        const double size = rule_size(i), eps = rule_eps(i), per = log(size) / (eps * eps);
        exact[i] = lem_jl_min_dim(size, eps, 1 / size, LEM_MIN_DIM_EXACT);
        exists[i] = lem_jl_min_dim(size, eps, 1 - 1 / size, LEM_MIN_DIM_EXACT);
        su24[i] = 24 * per, su16[i] = 16 * per, twelve[i] = 12 * per, eight[i] = 8 * per;
        coefficient[i] = (exact[i] - 1) / per; /* n - 1 does not yet reach delta */
        limit[i] = 6 * eps * eps / (eps - log1p(eps));
        small_eps[i] = 12;
    }
    const lem_falsifier f24[] = {
        {"n > 12 log N/eps^2 suffices", lem_inequality(N_RULES, exact, twelve, NULL)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "jl.distance",
                          .statement = "n > 24 log N/eps^2 dimensions keep all pairs within 1 +- eps with "
                                       "probability >= 1 - 1/N: the exact union bound asks for fewer",
                          .source = "kexue.fm 8679, JL lemma",
                          .verdict = LEM_HOLDS},
        lem_inequality(N_RULES, exact, su24, NULL), f24, 1));
    const lem_falsifier f16[] = {
        {"n > 8 log N/eps^2 suffices", lem_inequality(N_RULES, exists, eight, NULL)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "jl.distance.existence",
                          .statement =
                              "n > 16 log N/eps^2 dimensions keep all pairs with probability >= 1/N, "
                              "so such a map exists",
                          .source = "kexue.fm 8679, JL lemma",
                          .verdict = LEM_HOLDS},
        lem_inequality(N_RULES, exists, su16, NULL), f16, 1));
    const lem_falsifier flimit[] = {{"the coefficient stays below 12 at every eps",
                                     lem_inequality_strict(N_RULES, coefficient, small_eps, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "jl.distance.coefficient",
                                       .statement =
                                           "the exact n eps^2/log N (delta = 1/N) stays below 6 "
                                           "eps^2/(eps-log(1+eps)), which tends to 12 only as eps -> 0",
                                       .source = "our addition to kexue.fm 8679",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(N_RULES, coefficient, limit, NULL), flimit, 1);
}

/* The dimension is minimal: the union bound meets delta at n, and misses it at n - 1. */
static int minimal_claim(lem_study *study) {
    double smaller[2 * N_RULES], larger[2 * N_RULES], slack[2 * N_RULES], wrong[N_RULES], delta[N_RULES];
    for (size_t i = 0; i < N_RULES; i++) {
        const double size = rule_size(i), eps = rule_eps(i);
        const double n = lem_jl_min_dim(size, eps, 1 / size, LEM_MIN_DIM_EXACT);
        delta[i] = -log(size);
        smaller[i] = lem_jl_union_bound_log(size, n, eps), larger[i] = delta[i];
        smaller[N_RULES + i] = delta[i], larger[N_RULES + i] = lem_jl_union_bound_log(size, n - 1, eps);
        slack[i] = slack[N_RULES + i] = 256 * 2.22e-16 * (1 + n * eps / (1 - eps));
        /* N p <= 1/N is N(N-1)/2 p <= (N-1)/(2N) */
        const double few = lem_jl_min_dim(size, eps, (size - 1) / (2 * size), LEM_MIN_DIM_EXACT);
        wrong[i] = lem_jl_union_bound_log(size, few, eps);
    }
    const lem_falsifier falsifiers[] = {
        {"N instead of N(N-1)/2 pairs in the union bound", lem_inequality(N_RULES, wrong, delta, slack)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.distance.minimal",
                          .statement =
                              "the exact dimension is the smallest n whose union bound N(N-1)/2 (Q_up + "
                              "Q_down) is <= 1/N",
                          .source = "our addition to kexue.fm 8679",
                          .verdict = LEM_HOLDS},
        lem_inequality(2 * N_RULES, smaller, larger, slack), falsifiers, 1);
}

static int rule_values(lem_study *study) {
    static const struct {
        double size, eps;
        const char *name;
    } rows[] = {{10, .1, "10-0.1"},
                {100, .5, "100-0.5"},
                {1000, .1, "1000-0.1"},
                {1e4, .3, "1e4-0.3"},
                {1e6, .5, "1e6-0.5"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double size = rows[i].size, eps = rows[i].eps, delta = 1 / size;
        const double exact = lem_jl_min_dim(size, eps, delta, LEM_MIN_DIM_EXACT);
        const double su24 = lem_jl_min_dim(size, eps, delta, LEM_MIN_DIM_SU24);
        const struct {
            const char *column;
            double value;
            int digits;
        } cells[] = {{"su24", ceil(su24), 9},
                     {"chernoff", lem_jl_min_dim(size, eps, delta, LEM_MIN_DIM_CHERNOFF), 9},
                     {"exact", exact, 9},
                     {"waste", su24 / exact, 3},
                     {"su16", ceil(lem_jl_min_dim(size, eps, delta, LEM_MIN_DIM_SU16)), 9},
                     {"dg4", ceil(lem_jl_min_dim(size, eps, delta, LEM_MIN_DIM_DG4)), 9},
                     {"existence", lem_jl_min_dim(size, eps, 1 - delta, LEM_MIN_DIM_EXACT), 9},
                     {"coefficient", exact * eps * eps / log(size), 4}};
        for (size_t c = 0; c < COUNT(cells); c++) {
            char key[64];
            (void)snprintf(key, sizeof key, "min-dim.%s.%s", cells[c].column, rows[i].name);
            LEM_TRY(lem_value_exact(study, key, cells[c].value, cells[c].digits, ""));
        }
    }
    return GSL_SUCCESS;
}

/* --- extreme configurations --------------------------------------------------------------------------------
 */

enum { SIMPLEX = 64, PAIRS = SIMPLEX * (SIMPLEX - 1) / 2, TRIAL_CHUNK = 64 };
static const double SIMPLEX_EPS = .5;

typedef struct {
    size_t doubles, n;
} trial_ctx;

/* Are all pairs of the simplex e_1..e_N kept? The images are the columns of A. */
static int simplex_fails(const gsl_matrix *gram) {
    for (size_t i = 0; i < SIMPLEX; i++)
        for (size_t j = 0; j < i; j++) {
            const double squared =
                gsl_matrix_get(gram, i, i) + gsl_matrix_get(gram, j, j) - 2 * gsl_matrix_get(gram, i, j);
            if (fabs(squared / 2 - 1) >= SIMPLEX_EPS)
                return 1;
        }
    return 0;
}

static int simplex_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *context) {
    (void)first;
    const size_t n = ((const trial_ctx *)context)->n;
    double *draws = workspace;
    gsl_matrix_view a = gsl_matrix_view_array(draws, n, SIMPLEX);
    gsl_matrix_view gram = gsl_matrix_view_array(draws + n * SIMPLEX, SIMPLEX, SIMPLEX);
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(lem_normal_fill(stream, n * SIMPLEX, draws));
        LEM_TRY(lem_gram(LEM_TRANS, 1 / (double)n, &a.matrix, &gram.matrix));
        out->counts[0] += (uint64_t)simplex_fails(&gram.matrix);
    }
    return GSL_SUCCESS;
}

/* Collinear points t_i u share one direction: all pairs fail together, when ||Au||^2 does. */
static int collinear_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                           lem_mc_result *out, const void *context) {
    (void)first;
    const size_t n = ((const trial_ctx *)context)->n;
    double *draws = workspace;
    LEM_TRY(lem_normal_fill(stream, n * count, draws));
    for (size_t i = 0; i < count; i++) {
        double squared = 0;
        for (size_t k = 0; k < n; k++)
            squared += draws[i * n + k] * draws[i * n + k];
        out->counts[0] += fabs(squared / (double)n - 1) >= SIMPLEX_EPS;
    }
    return GSL_SUCCESS;
}

static int failures(lem_study *study, lem_mc_chunk chunk, const char *name, size_t n, size_t trials,
                    uint64_t *failed) {
    const trial_ctx ctx = {.doubles = n * SIMPLEX + SIMPLEX * SIMPLEX + n * TRIAL_CHUNK, .n = n};
    lem_mc_result mc = {.counts = failed};
    char purpose[64];
    (void)snprintf(purpose, sizeof purpose, "%s-%zu", name, n);
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = trials,
                                      .chunk_size = TRIAL_CHUNK,
                                      .n_counts = 1,
                                      .chunk = chunk,
                                      .ctx = &ctx,
                                      .workspace_alloc = jl_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

/* The points where the union bound means something, and where it is met. */
enum { N_SIMPLEX = 2 };
static const size_t SIMPLEX_N[N_SIMPLEX] = {150, 193};

static int union_claims(lem_study *study) {
    uint64_t failed[N_SIMPLEX], trials[N_SIMPLEX], collinear[N_SIMPLEX];
    double bound[N_SIMPLEX], too_few[N_SIMPLEX], most[N_SIMPLEX];
    for (size_t i = 0; i < N_SIMPLEX; i++) {
        const double n = (double)SIMPLEX_N[i], p = jl_two_sided(n, SIMPLEX_EPS);
        bound[i] = PAIRS * p, too_few[i] = SIMPLEX * p, most[i] = .65 * PAIRS * p;
    }
    /* the measured rate .107 at n = 150 is the truth this power is for */
    const double floor = jl_floor_probability(.1, bound[0] * SIMPLEX / PAIRS, N_SIMPLEX);
    for (size_t i = 0; i < N_SIMPLEX; i++) {
        trials[i] = lem_study_samples(study, 8000, (size_t)fmax(floor, 800));
        LEM_TRY(failures(study, simplex_chunk, "simplex", SIMPLEX_N[i], trials[i], &failed[i]));
        LEM_TRY(failures(study, collinear_chunk, "collinear", SIMPLEX_N[i], trials[i], &collinear[i]));
        char key[64];
        (void)snprintf(key, sizeof key, "simplex.union.%zu", SIMPLEX_N[i]);
        LEM_TRY(lem_value_exact(study, key, bound[i], 4, ""));
        (void)snprintf(key, sizeof key, "simplex.measured.%zu", SIMPLEX_N[i]);
        LEM_TRY(jl_value_rate(study, key, failed[i], trials[i]));
    }
    const lem_falsifier few[] = {{"the union runs over N, not N(N-1)/2, pairs",
                                  lem_probability_at_most(N_SIMPLEX, failed, trials, too_few)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "jl.distance.union-bound",
                          .statement =
                              "P(some pair of the simplex, N = 64, eps = 0.5, is off) <= N(N-1)/2 (Q_up + "
                              "Q_down) at n = 150 and 193",
                          .source = "kexue.fm 8679",
                          .verdict = LEM_HOLDS,
                          .floor = floor,
                          .floor_reason = "binomial, 0.1 (measured 0.107) against 0.0046 at n = 150"},
        lem_probability_at_most(N_SIMPLEX, failed, trials, bound), few, 1));
    const lem_falsifier same[] = {{"collinear points come as close to the union bound",
                                   lem_probability_at_least(N_SIMPLEX, collinear, trials, most)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.distance.tight",
            .statement = "for the simplex the union bound is met within a third once it is below 0.15: "
                         "P(some pair off) >= 0.65 N(N-1)/2 (Q_up + Q_down), n = 150 and 193",
            .source = "our addition to kexue.fm 8679",
            .verdict = LEM_HOLDS,
            .floor = 800,
            .floor_reason =
                "collinear points fail with p = 7e-5 at n = 150: more than 15 of 800 trials do with "
                "probability < 1e-30, and 15 are rejected against 75 expected"},
        lem_probability_at_least(N_SIMPLEX, failed, trials, most), same, 1);
}

static int collinear_claim(lem_study *study) {
    const size_t n = 20;
    const double p = jl_two_sided((double)n, SIMPLEX_EPS), pairs = fmin(1, PAIRS * p);
    const double floor = 100;
    const uint64_t trials = lem_study_samples(study, 20000, (size_t)floor);
    uint64_t failed;
    LEM_TRY(failures(study, collinear_chunk, "collinear-exact", n, trials, &failed));
    const lem_falsifier falsifiers[] = {
        {"the union bound (here 1) is the failure rate of every configuration",
         lem_probability(1, &failed, &trials, &pairs)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.distance.collinear",
            .statement = "for points on a line all pairs fail together: P(some pair off) = Q_up + Q_down "
                         "exactly (n = 20, eps = 0.5), however many points",
            .source = "our addition to kexue.fm 8679",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "one success among 100 trials rejects P = 1; its probability is 1 - 0.11^100"},
        lem_probability(1, &failed, &trials, &p), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

static int rule_curves(lem_table *table, double eps) {
    for (int i = 8; i <= 72; i++) {
        const double size = pow(10, i / 8.0), per = log(size) / (eps * eps);
        const double row[] = {size,
                              24,
                              6 / (1 - M_LN2),
                              lem_jl_min_dim(size, eps, 1 / size, LEM_MIN_DIM_CHERNOFF) / per,
                              lem_jl_min_dim(size, eps, 1 / size, LEM_MIN_DIM_EXACT) / per,
                              lem_jl_min_dim(size, eps, 1 / size, LEM_MIN_DIM_DG4) / per,
                              6 * eps * eps / (eps - log1p(eps))};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int failure_points(lem_study *study, lem_table *table, lem_mc_chunk chunk, const char *name,
                          size_t from, size_t to, size_t step) {
    for (size_t n = from; n <= to; n += step) {
        const size_t trials = lem_study_samples(study, 1500, 200);
        uint64_t failed;
        lem_interval bars;
        LEM_TRY(failures(study, chunk, name, n, trials, &failed));
        LEM_TRY(lem_clopper_pearson(failed, trials, 0.01, LEM_TWO_SIDED, &bars));
        const double row[] = {(double)n, (double)failed / (double)trials, bars.lower, bars.upper, NAN, NAN,
                              NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int failure_curves(lem_table *table) {
    for (int n = 10; n <= 220; n += 2) {
        const double p = jl_two_sided(n, SIMPLEX_EPS);
        const double row[] = {n, fmin(PAIRS * p, 10), -expm1(PAIRS * log1p(-p)), p, NAN, NAN, NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"N | n",
                                          "24 | measured or union bound",
                                          "19.55 | low end or independent pairs",
                                          "Chernoff | high end or collinear",
                                          "exact",
                                          "Dasgupta-Gupta",
                                          "limit of large N"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "min-dim", columns, COUNT(columns), &table));
    LEM_TRY(rule_curves(table, .1));
    LEM_TRY(rule_curves(table, .5));
    LEM_TRY(failure_curves(table));
    LEM_TRY(failure_points(study, table, simplex_chunk, "simplex-figure", 80, 200, 15));
    LEM_TRY(failure_points(study, table, collinear_chunk, "collinear-figure", 10, 60, 10));
    return lem_study_figure(
        study, "min-dim",
        "Left and middle: dimensions in units of log N/eps^2, by rule, for eps = 0.1 and 0.5; dotted: the "
        "limit of Chernoff's and the exact dimension for large N. Right: how often some pair of 64 points is "
        "off by more than eps = 0.5 (99% bars), for a simplex and for collinear points, against the union "
        "bound, independent pairs (dotted), and the tail of a single pair.",
        "The common rule of 24 log N over eps squared asks for about twice the exact dimension; the union "
        "bound is met by "
        "the simplex once it is below 0.15, while collinear points fail two thousand times less often");
}

int jl_distances(lem_study *study) {
    LEM_TRY(rule_values(study));
    LEM_TRY(rule_claims(study));
    LEM_TRY(minimal_claim(study));
    LEM_TRY(union_claims(study));
    LEM_TRY(collinear_claim(study));
    return figure(study);
}
