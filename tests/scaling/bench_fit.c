/* Bootstrap resamples of the Chinchilla fit a second, on one thread, against scipy's; and the minimisers
 * compared: the evaluations of objective and gradient that GSL's BFGS and liblbfgs take from the 27 starts to
 * where rounding stops them. */
#include "bench.h"
#include "scaling/chinchilla_fit.h"
#include "scaling/chinchilla_starts.h"
#include "scaling/chinchilla_twin.h"

#include <gsl/gsl_errno.h>
#include <string.h>
#ifdef HAVE_LBFGS
#include <lbfgs.h>
#endif

enum { ROWS = LEM_CHINCHILLA_TWIN_ROWS, RESAMPLES = 200, Q = LEM_CHINCHILLA_PARAMETERS };

static double N[ROWS], D[ROWS], loss[ROWS], replicates[RESAMPLES * LEM_RESAMPLE_SIZE];
static const lem_chinchilla_data data = {ROWS, N, D, loss};
static lem_chinchilla_fitted fit;

static void stop(void) {
    (void)fprintf(stderr, "%s\n", lem_last_error());
    exit(1);
}

static void run_bootstrap(void *context) {
    (void)context;
    if (lem_chinchilla_bootstrap(&data, 1e-3, &fit.law, RESAMPLES, 1, 1, replicates, NULL))
        stop();
}

/* The geometric mean, over the starts, of the size of the gradient where each ends; and the evaluations a
 * start. */
typedef struct {
    double evaluations, gradient;
} effort;

static effort with_gsl(const lem_chinchilla_problem *p) {
    effort e = {0, 0};
    lem_chinchilla_minimiser m;
    if (lem_chinchilla_minimiser_init(&m))
        stop();
    for (size_t k = 0; k < LEM_CHINCHILLA_STARTS; k++) {
        double q[Q];
        lem_chinchilla_slope slope;
        lem_chinchilla_start(p, k, q);
        int status = lem_chinchilla_minimiser_set(&m, p, 1, q, 0.05);
        for (int i = 0; i < 1000 && !status; i++)
            status = lem_chinchilla_minimiser_step(&m);
        lem_chinchilla_minimiser_at(&m, q);
        lem_chinchilla_slope_at(p, q, &slope, NULL);
        e.evaluations += (double)m.evaluations / LEM_CHINCHILLA_STARTS;
        e.gradient += log(slope.size) / LEM_CHINCHILLA_STARTS;
    }
    lem_chinchilla_minimiser_clear(&m);
    e.gradient = exp(e.gradient);
    return e;
}

#ifdef HAVE_LBFGS
static size_t evaluations;

static lbfgsfloatval_t evaluate(void *problem, const lbfgsfloatval_t *q, lbfgsfloatval_t *gradient,
                                const int n, const lbfgsfloatval_t step) {
    (void)step;
    lem_chinchilla_slope slope;
    lem_chinchilla_slope_at(problem, q, &slope, NULL);
    memcpy(gradient, slope.gradient, (size_t)n * sizeof *gradient);
    evaluations++;
    return slope.value;
}

static effort with_lbfgs(lem_chinchilla_problem *p) {
    effort e = {0, 0};
    evaluations = 0;
    for (size_t k = 0; k < LEM_CHINCHILLA_STARTS; k++) {
        double q[Q], value;
        lem_chinchilla_slope slope;
        lbfgs_parameter_t how;
        lbfgs_parameter_init(&how);
        how.epsilon = 1e-14;
        how.max_iterations = 1000;
        lem_chinchilla_start(p, k, q);
        (void)lbfgs(Q, q, &value, evaluate, NULL, p, &how);
        lem_chinchilla_slope_at(p, q, &slope, NULL);
        e.gradient += log(slope.size) / LEM_CHINCHILLA_STARTS;
    }
    e.evaluations = (double)evaluations / LEM_CHINCHILLA_STARTS;
    e.gradient = exp(e.gradient);
    return e;
}
#endif

static void compare(void) {
#ifdef HAVE_LBFGS
    lem_chinchilla_problem p;
    if (lem_chinchilla_problem_init(&p, &data, 1e-3))
        stop();
    const effort gsl = with_gsl(&p), lbfgs = with_lbfgs(&p);
    bench_print("scaling.minimiser.evaluations", gsl.evaluations, "evaluations a start, GSL's BFGS",
                "liblbfgs, likewise", lbfgs.evaluations);
    bench_print("scaling.minimiser.gradient", gsl.gradient, "gradient at the end, GSL's BFGS",
                "liblbfgs, likewise", lbfgs.gradient);
    lem_chinchilla_problem_clear(&p);
#else
    (void)with_gsl;
    bench_skip("scaling.minimiser.evaluations",
               "liblbfgs is not installed (Debian: apt install liblbfgs-dev)");
    bench_skip("scaling.minimiser.gradient", "liblbfgs is not installed (Debian: apt install liblbfgs-dev)");
#endif
}

int main(void) {
    lem_chinchilla law;
    lem_stream stream;
    (void)gsl_set_error_handler_off();
    if (lem_chinchilla_published(LEM_BESIROGLU, &law) || lem_chinchilla_twin_grid(N, D) ||
        lem_stream_init(&stream, 1, lem_stream_id("bench"), lem_stream_id("twin"), 0) ||
        lem_chinchilla_twin_losses(&stream, &law, (lem_chinchilla_noise){0.004, 0.003}, ROWS, N, D, loss) ||
        lem_chinchilla_fit(&data, 1e-3, &fit))
        stop();
    bench_case timed = {run_bootstrap, NULL, 0};
    bench_interleave(&timed, 1, 11);
    bench_print("scaling.chinchilla.bootstrap", RESAMPLES / timed.seconds, "resamples/s",
                "scipy's BFGS, 10 ms a resample and core", 100);
    compare();
    return 0;
}
