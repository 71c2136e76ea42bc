#include <immintrin.h>
#include <sleef.h>

#define LANES 4
#define EXP(x) ((vec)Sleef_cinz_expd4_u10avx((__m256d)(x)))
#define MAX(x, y) ((vec)_mm256_max_pd((__m256d)(x), (__m256d)(y)))
#define SQRT(x) ((vec)_mm256_sqrt_pd((__m256d)(x)))
#include "attention/softmax_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("avx2");
}

const lem_softmax_kernel lem_softmax_kernel_avx2 = {"avx2", runs_here, max,    exp_sum, sum,
                                                    dot,    add,       spread, radial};
