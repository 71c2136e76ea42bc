#include "study/blas_core.h"

#include "linalg/fortran.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *lem_blas_better_core(const char *core, bool avx2_fma, bool avx512) {
    if (strcmp(core, "Prescott") != 0 || !avx2_fma)
        return NULL;
    return avx512 ? "SkylakeX" : "Haswell";
}

void lem_blas_choose_core(char **argv) {
#if defined(__x86_64__) && defined(__linux__)
    const char *name = "OPENBLAS_CORETYPE";
    if (getenv(name))
        return;
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    bool avx2_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const char *core = lem_blas_better_core(openblas_get_corename(), avx2_fma, avx512);
    if (core && setenv(name, core, 1) == 0)
        (void)execv("/proc/self/exe", argv);
#else
    (void)argv;
#endif
}
