/* The program's main with one command of its own, which makes libRmath warn: it warns by printf on
 * descriptor 1. */
#include "cli/cli.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static int warn(lem_cli *cli, int argc, char **argv) {
    (void)argc, (void)argv;
    (void)fprintf(cli->out, "before %d\n", isnan(bessel_i(-1, 1, 1)));
    (void)fputs("after\n", cli->out);
    return LEM_EXIT_OK;
}

const lem_command lem_commands[] = {{"warn", "warn", "make libRmath warn", NULL, warn}, {0}};

int main(int argc, char **argv) {
    return lem_cli_main(argc, argv);
}
