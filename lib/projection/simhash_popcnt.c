#include "projection/simhash_template.h"

static bool runs_here(void) {
    return __builtin_cpu_supports("popcnt");
}

const lem_simhash_kernel lem_simhash_kernel_popcnt = {"popcnt", runs_here, distances};
