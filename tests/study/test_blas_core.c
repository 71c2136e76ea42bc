#include "study/blas_core.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>

static void test_better_core(void) {
    LEM_CHECK(strcmp(lem_blas_better_core("Prescott", true, true), "SkylakeX") == 0, "AVX-512");
    LEM_CHECK(strcmp(lem_blas_better_core("Prescott", true, false), "Haswell") == 0, "AVX2");
    LEM_CHECK(!lem_blas_better_core("Prescott", false, false), "a true Prescott keeps its kernels");
    LEM_CHECK(!lem_blas_better_core("Prescott", false, true), "AVX-512 without AVX2 is no processor we know");
    const char *const known[] = {"Nehalem",  "Sandybridge", "Haswell", "Zen",
                                 "SkylakeX", "Cooperlake",  "ARMV8",   ""};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        LEM_CHECK(!lem_blas_better_core(known[i], true, true), "%s is kept", known[i]);
}

/* Must come back: a start anew would begin these tests again, without end. */
static void test_users_choice_is_kept(void) {
    char *argv[] = {"test", NULL};
    LEM_CHECK(setenv("OPENBLAS_CORETYPE", "Nehalem", 1) == 0, "setenv");
    lem_blas_choose_core(argv);
    LEM_CHECK(strcmp(getenv("OPENBLAS_CORETYPE"), "Nehalem") == 0, "the user's choice stands");
}

static const lem_tap_case cases[] = {
    {"the better core", test_better_core},
    {"the user's choice is kept", test_users_choice_is_kept},
};
LEM_TAP_MAIN(cases)
