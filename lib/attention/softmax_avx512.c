#include <immintrin.h>
#include <sleef.h>

#define LANES 8
#define EXP(x) ((vec)Sleef_cinz_expd8_u10avx512fnofma((__m512d)(x)))
#define MAX(x, y) ((vec)_mm512_max_pd((__m512d)(x), (__m512d)(y)))
#define SQRT(x) ((vec)_mm512_sqrt_pd((__m512d)(x)))
#include "attention/softmax_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("avx512f");
}

const lem_softmax_kernel lem_softmax_kernel_avx512 = {"avx512", runs_here, max,    exp_sum, sum,
                                                      dot,      add,       spread, radial};
