#define LANES 8
#include "projection/fwht_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("avx512f");
}

const lem_fwht_kernel lem_fwht_kernel_avx512 = {"avx512", runs_here, transform};
