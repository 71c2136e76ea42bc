#include "walk/sde_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("avx512f");
}

const lem_sde_kernel lem_sde_kernel_avx512 = {"avx512", runs_here, additive, euler, milstein};
