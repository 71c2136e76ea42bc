#include "walk/sde_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("avx2");
}

const lem_sde_kernel lem_sde_kernel_avx2 = {"avx2", runs_here, additive, euler, milstein};
