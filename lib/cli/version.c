#include "base/version.h"
#include "cli/cli.h"
#include "linalg/linalg.h"

#include <gsl/gsl_version.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

static void print_gnuplot(FILE *out) {
    char line[128] = "";
    FILE *pipe = popen("gnuplot -d --version 2>/dev/null", "re");
    bool found = pipe && fgets(line, sizeof line, pipe) && strncmp(line, "gnuplot", 7) == 0;
    if (pipe)
        found = pclose(pipe) == 0 && found;
    line[strcspn(line, "\n")] = '\0';
    (void)fprintf(out, "%s\n", found ? line : "gnuplot not found: figures cannot be drawn");
}

int lem_print_version(lem_cli *cli) {
    (void)fprintf(cli->out, "lemmata %s\ncompiler %s\nGSL %s\nBLAS %s\n", LEM_VERSION, COMPILER, gsl_version,
                  lem_blas_description());
    print_gnuplot(cli->out);
    return LEM_EXIT_OK;
}
