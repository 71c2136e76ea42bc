#include "cli/cli.h"
#include "cli/near.h"
#include "linalg/linalg.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

int lem_cli_fail(int exit_status, const char *format, ...) {
    va_list args;
    (void)fputs("lemmata: ", stderr);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
    return exit_status;
}

/* --- standard output ---------------------------------------------------------------------------------- */

static FILE *set_output_aside(void) {
    int copy = dup(STDOUT_FILENO);
    if (copy < 0)
        return NULL;
    FILE *out = fdopen(copy, "w");
    return out && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? out : NULL;
}

/* A full disk shows at the last flush. */
static int finish_output(FILE *out, int exit_status) {
    bool failed = ferror(out) != 0;
    errno = 0;
    failed = fclose(out) != 0 || failed;
    if (!failed)
        return exit_status;
    return lem_cli_fail(LEM_EXIT_WRITE, "writing to standard output failed: %s",
                        errno ? strerror(errno) : "output is incomplete");
}

/* --- help --------------------------------------------------------------------------------------------- */

static int print_help(lem_cli *cli) {
    (void)fputs("usage: lemmata [--records DIR] COMMAND ...\n"
                "\n"
                "The formulas of the library, and the claims of its studies with their evidence.\n"
                "\n"
                "commands:\n",
                cli->out);
    for (const lem_command *c = lem_commands; c->name; c++)
        (void)fprintf(cli->out, "  %-34s %s\n", c->usage, c->summary);
    (void)fputs(
        "\n"
        "options:\n"
        "  --records DIR                      read the records of the studies from DIR\n"
        "  --version                          version, compiler, GSL, BLAS and its core, gnuplot\n"
        "  --help                             this text; after a command, that command's\n"
        "\n"
        "Records are looked for in --records, then $LEMMATA_RECORDS, the source tree this program was\n"
        "built in, and the installed ones.\n"
        "Exit status: 0; 1 failure; 2 bad command line; 3 output could not be written.\n",
        cli->out);
    return LEM_EXIT_OK;
}

static int print_command_help(lem_cli *cli, const lem_command *command) {
    (void)fprintf(cli->out, "usage: lemmata %s\n\n%s.\n", command->usage, command->summary);
    if (command->help)
        (void)fprintf(cli->out, "\n%s", command->help);
    return LEM_EXIT_OK;
}

/* --- options and commands ----------------------------------------------------------------------------- */

static void print_allowed(const lem_option *options, size_t n) {
    (void)fputs("allowed:", stderr);
    for (size_t i = 0; i < n; i++)
        (void)fprintf(stderr, " %s%s", options[i].name, options[i].value ? " VALUE" : "");
    (void)fputs(" --help\n", stderr);
}

static const lem_option *match_option(const char *word, const lem_option *options, size_t n,
                                      const char **attached) {
    size_t length = strcspn(word, "=");
    *attached = word[length] ? word + length + 1 : NULL;
    for (size_t i = 0; i < n; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, word, length) == 0)
            return &options[i];
    return NULL;
}

int lem_cli_options(const char *command, int argc, char **argv, const lem_option *options, size_t n) {
    int words = 0;
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        const char *attached;
        if (only_words || argv[i][0] != '-' || argv[i][1] != '-') {
            argv[words++] = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_words = true;
            continue;
        }
        const lem_option *option = match_option(argv[i], options, n, &attached);
        if (!option || (option->flag && attached)) {
            (void)lem_cli_fail(0, option ? "%s: %s takes no value" : "%s: unknown option %s", command,
                               argv[i]);
            print_allowed(options, n);
            return -1;
        }
        if (option->flag) {
            *option->flag = true;
            continue;
        }
        if (!attached && i + 1 == argc) {
            (void)lem_cli_fail(0, "%s: %s needs a value", command, argv[i]);
            return -1;
        }
        *option->value = attached ? attached : argv[++i];
    }
    return words;
}

static const lem_command *find_command(const char *name) {
    for (const lem_command *c = lem_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static int unknown_command(const char *name) {
    (void)lem_cli_fail(0, "unknown %s %s", *name == '-' ? "option" : "command", name);
    for (const lem_command *c = lem_commands; c->name; c++)
        if (*name != '-' && lem_is_near(name, c->name))
            (void)fprintf(stderr, "did you mean %s?\n", c->name);
    (void)fputs("allowed:", stderr);
    for (const lem_command *c = lem_commands; c->name; c++)
        (void)fprintf(stderr, " %s", c->name);
    (void)fputs(" --records DIR --version --help\n", stderr);
    return LEM_EXIT_USAGE;
}

static bool asks_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int run(lem_cli *cli, int argc, char **argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return print_help(cli);
        if (strcmp(argv[i], "--version") == 0)
            return lem_print_version(cli);
        if (strncmp(argv[i], "--records=", 10) == 0)
            cli->records = argv[i] + 10;
        else if (strcmp(argv[i], "--records") == 0 && i + 1 < argc)
            cli->records = argv[++i];
        else if (strcmp(argv[i], "--records") == 0)
            return lem_cli_fail(LEM_EXIT_USAGE, "--records needs a directory");
        else
            return unknown_command(argv[i]);
    }
    if (i == argc) {
        (void)lem_cli_fail(0, "a command is missing; lemmata --help lists them");
        return LEM_EXIT_USAGE;
    }
    const lem_command *command = find_command(argv[i]);
    if (!command && strcmp(argv[i], "help") == 0 && i + 1 < argc && find_command(argv[i + 1]))
        return print_command_help(cli, find_command(argv[i + 1]));
    if (!command && strcmp(argv[i], "help") == 0)
        return print_help(cli);
    if (!command)
        return unknown_command(argv[i]);
    argc -= i + 1;
    argv += i + 1;
    return asks_help(argc, argv) ? print_command_help(cli, command) : command->run(cli, argc, argv);
}

int lem_cli_main(int argc, char **argv) {
    lem_cli cli = {0};
    cli.out = set_output_aside();
    if (!cli.out)
        return lem_cli_fail(LEM_EXIT_WRITE, "standard output is not open: %s", strerror(errno));
    (void)gsl_set_error_handler_off();
    lem_blas_single_thread();
    int exit_status = run(&cli, argc, argv);
    return finish_output(cli.out, exit_status);
}
