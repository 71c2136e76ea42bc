#define LANES 2
#include "projection/fwht_template.h"

static bool runs_here(void) {
    return true;
}

const lem_fwht_kernel lem_fwht_kernel_base = {"base", runs_here, transform};
