#include <sleef.h>

#define LANES 2
#ifdef __x86_64__
#include <emmintrin.h>
#define EXP(x) ((vec)Sleef_cinz_expd2_u10sse2((__m128d)(x)))
#define MAX(x, y) ((vec)_mm_max_pd((__m128d)(x), (__m128d)(y)))
#define SQRT(x) ((vec)_mm_sqrt_pd((__m128d)(x)))
#else
#include <math.h>
#define EXP(x) ((vec){Sleef_cinz_expd1_u10purec((x)[0]), Sleef_cinz_expd1_u10purec((x)[1])})
#define MAX(x, y) ((vec){(x)[0] > (y)[0] ? (x)[0] : (y)[0], (x)[1] > (y)[1] ? (x)[1] : (y)[1]})
#define SQRT(x) ((vec){sqrt((x)[0]), sqrt((x)[1])})
#endif
#include "attention/softmax_template.h"

static bool runs_here(void) {
    return true;
}

const lem_softmax_kernel lem_softmax_kernel_base = {"base", runs_here, max,    exp_sum, sum,
                                                    dot,    add,       spread, radial};
