/* Rates on one core: fills of 16 Ki values against numpy's and GSL's generators, and the kernels against the
 * scalar definition. */
#include "bench.h"
#include "rng/gsl_adaptor.h"
#include "rng/kernel.h"

#include <string.h>

enum { N = 16384, FILLS = 40, REPEATS = 41, NUMPY_ROUNDS = 5 };

static double out[N];
static uint64_t integers[N];
static lem_stream stream;

static const char *const numpy_script = "import time\n"
                                        "import numpy as np\n"
                                        "out = np.empty(16384)\n"
                                        "generator = np.random.default_rng(1)\n"
                                        "def rate(fill):\n"
                                        "    seconds = []\n"
                                        "    for repeat in range(12):\n"
                                        "        start = time.perf_counter()\n"
                                        "        for i in range(40): fill()\n"
                                        "        seconds.append((time.perf_counter() - start) / 40)\n"
                                        "    return 16384e-6 / sorted(seconds[1:])[5]\n"
                                        "print(rate(lambda: generator.standard_normal(out=out)), "
                                        "rate(lambda: np.random.standard_normal(16384)),\n"
                                        "      np.__version__)\n";

/* False where this python has no numpy. Rates in millions a second. */
static bool numpy_rates(const char *python, double *generator, double *legacy, char version[32]) {
    char command[2048];
    (void)snprintf(command, sizeof command, "%s -c '%s' 2>/dev/null", python, numpy_script);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return false;
    int fields = fscanf(pipe, "%lf %lf %31s", generator, legacy, version);
    return pclose(pipe) == 0 && fields == 3;
}

static const char *python_with_numpy(void) {
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    double generator, legacy;
    char version[32];
    for (size_t i = 0; i < sizeof pythons / sizeof pythons[0]; i++)
        if (numpy_rates(pythons[i], &generator, &legacy, version))
            return pythons[i];
    return NULL;
}

typedef struct {
    const lem_rng_kernel *kernel;
    gsl_rng *generator;
} setting;

static void check(int status) {
    if (status) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        exit(1);
    }
}

static void normals(void *context) {
    const setting *use = context;
    check(lem_stream_init(&stream, 1, 2, 3, 4));
    for (int i = 0; i < FILLS; i++)
        check(lem_normal_fill_by(use->kernel, &stream, N, out));
}

static void uniforms(void *context) {
    const setting *use = context;
    check(lem_stream_init(&stream, 1, 2, 3, 4));
    for (int i = 0; i < FILLS; i++)
        check(lem_uniform_fill_by(use->kernel, &stream, N, out));
}

static void signs(void *context) {
    const setting *use = context;
    check(lem_stream_init(&stream, 1, 2, 3, 4));
    for (int i = 0; i < FILLS; i++)
        check(lem_sign_fill_by(use->kernel, &stream, N, out));
}

static void whole_numbers(void *context) {
    const setting *use = context;
    check(lem_stream_init(&stream, 1, 2, 3, 4));
    for (int i = 0; i < FILLS; i++)
        check(lem_integer_fill_by(use->kernel, &stream, 1000, N, integers));
}

static void gsl_uniforms(void *context) {
    const setting *use = context;
    for (int i = 0; i < FILLS; i++)
        for (size_t j = 0; j < N; j++)
            out[j] = gsl_rng_uniform(use->generator);
}

static void gsl_whole_numbers(void *context) {
    const setting *use = context;
    for (int i = 0; i < FILLS; i++)
        for (size_t j = 0; j < N; j++)
            integers[j] = gsl_rng_uniform_int(use->generator, 1000);
}

/* Millions of values a second. */
static double rate(const bench_case *timed) {
    return 1e-6 * N * FILLS / timed->seconds;
}

static void bench_numpy(setting *best) {
    const char *python = python_with_numpy();
    if (!python) {
        bench_skip("rng.normals.numpy_generator", "no python3 with numpy");
        bench_skip("rng.normals.numpy_legacy", "no python3 with numpy");
        return;
    }
    double ours[NUMPY_ROUNDS], generator[NUMPY_ROUNDS], legacy[NUMPY_ROUNDS];
    char version[32], name[80];
    for (size_t i = 0; i < NUMPY_ROUNDS; i++) {
        bench_case timed = {normals, best, 0};
        bench_interleave(&timed, 1, 11);
        ours[i] = rate(&timed);
        if (!numpy_rates(python, &generator[i], &legacy[i], version))
            generator[i] = legacy[i] = NAN; /* makes the line a skip */
    }
    double value = bench_median(ours, NUMPY_ROUNDS);
    (void)snprintf(name, sizeof name, "numpy %s Generator.standard_normal(out=)", version);
    bench_print("rng.normals.numpy_generator", value, "M/s", name, bench_median(generator, NUMPY_ROUNDS));
    (void)snprintf(name, sizeof name, "numpy %s random.standard_normal (legacy)", version);
    bench_print("rng.normals.numpy_legacy", value, "M/s", name, bench_median(legacy, NUMPY_ROUNDS));
}

static void bench_gsl(setting *best) {
    lem_stream start;
    check(lem_stream_init(&start, 1, 2, 3, 5));
    setting twister = {.generator = gsl_rng_alloc(gsl_rng_mt19937)},
            philox = {.generator = lem_gsl_rng_alloc(&start)};
    bench_case timed[] = {{uniforms, best, 0},
                          {gsl_uniforms, &twister, 0},
                          {gsl_uniforms, &philox, 0},
                          {whole_numbers, best, 0},
                          {gsl_whole_numbers, &twister, 0}};
    bench_interleave(timed, 5, REPEATS);
    bench_print("rng.uniforms.mt19937", rate(&timed[0]), "M/s", "GSL mt19937 gsl_rng_uniform",
                rate(&timed[1]));
    bench_print("rng.gsl_adaptor.mt19937", rate(&timed[2]), "M/s", "GSL mt19937 gsl_rng_uniform",
                rate(&timed[1]));
    bench_print("rng.integers.mt19937", rate(&timed[3]), "M/s", "GSL mt19937 gsl_rng_uniform_int",
                rate(&timed[4]));
    gsl_rng_free(twister.generator);
    gsl_rng_free(philox.generator);
}

static void bench_kernels(void) {
    static const struct {
        const char *name;
        void (*run)(void *);
    } kinds[] = {{"normals", normals}, {"uniforms", uniforms}, {"signs", signs}, {"integers", whole_numbers}};
    setting scalar = {.kernel = &lem_rng_kernel_scalar};
    for (size_t k = 1; lem_rng_kernels[k]; k++) {
        setting fast = {.kernel = lem_rng_kernels[k]};
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            char name[80];
            (void)snprintf(name, sizeof name, "rng.%s.%s", kinds[i].name, fast.kernel->name);
            if (!fast.kernel->runs_here()) {
                bench_skip(name, "not on this processor");
                continue;
            }
            bench_case timed[] = {{kinds[i].run, &fast, 0}, {kinds[i].run, &scalar, 0}};
            bench_interleave(timed, 2, REPEATS);
            bench_print(name, rate(&timed[0]), "M/s", "scalar definition", rate(&timed[1]));
        }
    }
}

int main(void) {
    setting best = {.kernel = lem_rng_best_kernel()};
    bench_numpy(&best);
    bench_gsl(&best);
    bench_kernels();
    return 0;
}
