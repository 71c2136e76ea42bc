/* BLAS inside the chunks of lem_mc, whatever OPENBLAS_NUM_THREADS says: the program runs itself again,
 * because OpenBLAS reads the variable when it is loaded. */
#include "linalg/linalg.h"
#include "stat/mc.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 96 };

static int gemm_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
    for (size_t i = 0; i < count; i++) {
        int status = lem_normal_fill(stream, SIDE * SIDE, a);
        if (!status)
            status = lem_normal_fill(stream, SIDE * SIDE, b);
        if (status)
            return status;
        gsl_matrix_view va = gsl_matrix_view_array(a, SIDE, SIDE), vb = gsl_matrix_view_array(b, SIDE, SIDE),
                        vc = gsl_matrix_view_array(c, SIDE, SIDE);
        status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &va.matrix, &vb.matrix, 0, &vc.matrix, 1);
        if (!status)
            status = lem_moments_add_array(&out->moments[0], SIDE * SIDE, c);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

static int print_digest(int threads) {
    lem_blas_single_thread();
    lem_moments m;
    lem_mc_plan plan = {.seed = 3, .samples = 20, .chunk_size = 3, .n_moments = 1, .threads = threads};
    plan.chunk = gemm_chunk;
    lem_mc_result out = {.moments = &m};
    if (lem_mc_run(&plan, &out)) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        return 1;
    }
    (void)printf("%llu %a %a %a %a %a %a\n", (unsigned long long)m.n, m.mean, m.m2, m.m3, m.m4, m.min, m.max);
    return 0;
}

static bool run_self(const char *blas_threads, const char *threads, char *digest, size_t size) {
    char self[4096], command[4300];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return false;
    self[length] = '\0';
    (void)snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=%s exec '%s' --digest %s", blas_threads,
                   self, threads);
    FILE *in = popen(command, "r");
    bool read = in && fgets(digest, (int)size, in) != NULL;
    return in && pclose(in) == 0 && read;
}

static void test_blas_threads(void) {
    static const char *const blas[] = {"1", "2", "4"}, *const threads[] = {"1", "2", "7"};
    char first[400] = "", digest[400];
    for (int b = 0; b < 3; b++)
        for (int t = 0; t < 3; t++) {
            LEM_CHECK(run_self(blas[b], threads[t], digest, sizeof digest), "no answer");
            if (!first[0])
                (void)snprintf(first, sizeof first, "%s", digest);
            LEM_CHECK(strcmp(first, digest) == 0, "OPENBLAS_NUM_THREADS=%s, %s threads: %s not %s", blas[b],
                      threads[t], digest, first);
        }
}

static const lem_tap_case cases[] = {
    {"the same bits whatever OPENBLAS_NUM_THREADS says", test_blas_threads},
};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--digest") == 0)
        return print_digest(atoi(argv[2]));
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
