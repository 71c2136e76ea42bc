#include "walk/sde_template.h"

static bool runs_here(void) {
    return true;
}

const lem_sde_kernel lem_sde_kernel_base = {"base", runs_here, additive, euler, milstein};
