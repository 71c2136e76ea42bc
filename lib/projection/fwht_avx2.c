#define LANES 4
#include "projection/fwht_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("avx2");
}

const lem_fwht_kernel lem_fwht_kernel_avx2 = {"avx2", runs_here, transform};
