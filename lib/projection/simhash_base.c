#include "projection/simhash_template.h"

static bool runs_here(void) {
    return true;
}

const lem_simhash_kernel lem_simhash_kernel_base = {"base", runs_here, distances};
