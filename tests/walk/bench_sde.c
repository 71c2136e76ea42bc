/* Path-steps a second of the OU process by Euler-Maruyama, on one core: against the rate at which the normals
 * it uses are filled, and against the same loop in numpy. */
#include "bench.h"
#include "walk/sde.h"

enum { PATHS = 100000, STEPS = 16, REPEATS = 41, NUMPY_ROUNDS = 5 };

static double x[PATHS], z[LEM_SDE_BLOCK];

/* The scheme in numpy on all paths at once: as one writes it, and with every array allocated once, all
 * operations in place. */
static const char *const numpy_script =
    "import time\n"
    "import numpy as np\n"
    "n, steps, h, k, a = 100000, 16, 1 / 16, 1.0, 1.0\n"
    "generator = np.random.default_rng(1)\n"
    "z, p = np.empty(n), np.empty(n)\n"
    "def plain():\n"
    "    x = np.ones(n)\n"
    "    for i in range(steps):\n"
    "        x = x - k * x * h + np.sqrt(a * h) * generator.standard_normal(n)\n"
    "def in_place(x=np.empty(n)):\n"
    "    x.fill(1.0)\n"
    "    for i in range(steps):\n"
    "        generator.standard_normal(out=z)\n"
    "        np.multiply(x, -k * h, out=p)\n"
    "        z.__imul__((a * h) ** 0.5)\n"
    "        x.__iadd__(p)\n"
    "        x.__iadd__(z)\n"
    "def rate(run):\n"
    "    seconds = []\n"
    "    for repeat in range(12):\n"
    "        start = time.perf_counter()\n"
    "        run()\n"
    "        seconds.append(time.perf_counter() - start)\n"
    "    return n * steps * 1e-6 / sorted(seconds[1:])[5]\n"
    "print(rate(plain), rate(in_place), np.__version__)\n";

/* False where this python has no numpy. Millions of path-steps a second. */
static int numpy_rates(const char *python, double *plain, double *in_place, char version[32]) {
    char command[2048];
    (void)snprintf(command, sizeof command, "OMP_NUM_THREADS=1 %s -c '%s' 2>/dev/null", python, numpy_script);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return 0;
    const int fields = fscanf(pipe, "%lf %lf %31s", plain, in_place, version);
    return pclose(pipe) == 0 && fields == 3;
}

static const char *python_with_numpy(void) {
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    double plain, in_place;
    char version[32];
    for (size_t i = 0; i < sizeof pythons / sizeof pythons[0]; i++)
        if (numpy_rates(pythons[i], &plain, &in_place, version))
            return pythons[i];
    return NULL;
}

static void check(int status) {
    if (status) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        exit(1);
    }
}

static int pull(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)t;
    const double k = *(const double *)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = -k * at[i];
    return GSL_SUCCESS;
}

static int pull_scalar(double at, double t, const void *ctx, double *out) {
    (void)t;
    *out = -*(const double *)ctx * at;
    return GSL_SUCCESS;
}

static void simulate(void *context) {
    lem_stream stream;
    check(lem_stream_init(&stream, 1, 2, 3, 4));
    for (size_t i = 0; i < PATHS; i++)
        x[i] = 1;
    check(
        lem_euler_maruyama(&stream, context, (lem_sde_times){0, 1, STEPS}, PATHS, x, (lem_sde_observer){0}));
}

static void normals(void *context) {
    (void)context;
    lem_stream stream;
    check(lem_stream_init(&stream, 1, 2, 3, 4));
    for (size_t i = 0; i < STEPS * PATHS; i += LEM_SDE_BLOCK)
        check(lem_normal_fill(&stream, LEM_SDE_BLOCK, z));
}

/* Millions a second. */
static double rate(const bench_case *timed) {
    return 1e-6 * PATHS * STEPS / timed->seconds;
}

static void bench_numpy(lem_sde *sde) {
    const char *python = python_with_numpy();
    if (!python) {
        bench_skip("walk.sde.numpy", "no python3 with numpy");
        bench_skip("walk.sde.numpy_in_place", "no python3 with numpy");
        return;
    }
    double ours[NUMPY_ROUNDS], plain[NUMPY_ROUNDS], in_place[NUMPY_ROUNDS];
    char version[32], name[80];
    for (size_t i = 0; i < NUMPY_ROUNDS; i++) {
        bench_case timed = {simulate, sde, 0};
        bench_interleave(&timed, 1, 11);
        ours[i] = rate(&timed);
        if (!numpy_rates(python, &plain[i], &in_place[i], version))
            plain[i] = in_place[i] = NAN; /* makes the lines skips */
    }
    const double value = bench_median(ours, NUMPY_ROUNDS);
    (void)snprintf(name, sizeof name, "numpy %s, the scheme as an expression", version);
    bench_print("walk.sde.numpy", value, "M path-steps/s", name, bench_median(plain, NUMPY_ROUNDS));
    (void)snprintf(name, sizeof name, "numpy %s, the scheme in place", version);
    bench_print("walk.sde.numpy_in_place", value, "M path-steps/s", name,
                bench_median(in_place, NUMPY_ROUNDS));
}

int main(void) {
    static const double k = 1;
    const lem_field scalar = {pull_scalar, &k};
    lem_sde sde = {.drift = {pull, &k}, .alpha = 1},
            by_scalar = {.drift = lem_block_of_field(&scalar), .alpha = 1};
    bench_case timed[] = {{simulate, &sde, 0}, {simulate, &by_scalar, 0}, {normals, NULL, 0}};
    bench_interleave(timed, 3, REPEATS);
    bench_print("walk.sde.normals", rate(&timed[0]), "M path-steps/s", "filling the normals it uses",
                rate(&timed[2]));
    bench_print("walk.sde.scalar_drift", rate(&timed[1]), "M path-steps/s", "filling the normals it uses",
                rate(&timed[2]));
    bench_numpy(&sde);
    return 0;
}
