/* The program lemmata: its commands and what they share.
 *
 * Standard output: descriptor 1 is set aside for our own output and then points at stderr, because libRmath
 * warns by printf on stdout. Exit status: 0; 1 when the answer is a failure (a NaN, a page that is not
 * current, an unreadable record); 2 for a bad command line, with what is allowed; 3 when writing failed. */
#ifndef LEM_CLI_CLI_H
#define LEM_CLI_CLI_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { LEM_EXIT_OK = 0, LEM_EXIT_FAILED = 1, LEM_EXIT_USAGE = 2, LEM_EXIT_WRITE = 3 };

typedef struct {
    FILE *out;           /* our standard output */
    const char *records; /* --records DIR, or NULL */
} lem_cli;

typedef struct {
    const char *name;
    const char *usage;   /* "eval NAME k=v ... [--json]" */
    const char *summary; /* one line */
    const char *help;    /* what `lemmata NAME --help` adds; ends with a newline */
    int (*run)(lem_cli *cli, int argc, char **argv); /* argv: what follows the command's name */
} lem_command;

extern const lem_command lem_commands[]; /* ended by a NULL name */

/* The whole main(). */
int lem_cli_main(int argc, char **argv);

/* "lemmata: ..." on stderr; returns the exit status given. */
int lem_cli_fail(int exit_status, const char *format, ...) LEM_PRINTF(2, 3);

/* Options of a command: moves the words of argv that are not options to its front and returns their number,
 * or -1 after a message when an option is unknown. "--" ends the options. */
typedef struct {
    const char *name;   /* "--json" */
    bool *flag;         /* set when it is seen, or */
    const char **value; /* takes the next word, or what follows "=" */
} lem_option;
int lem_cli_options(const char *command, int argc, char **argv, const lem_option *options, size_t n);

int lem_command_eval(lem_cli *cli, int argc, char **argv);
int lem_command_fit(lem_cli *cli, int argc, char **argv);
int lem_command_formulas(lem_cli *cli, int argc, char **argv);
int lem_command_list(lem_cli *cli, int argc, char **argv);
int lem_command_claims(lem_cli *cli, int argc, char **argv);
int lem_command_show(lem_cli *cli, int argc, char **argv);
int lem_command_weave(lem_cli *cli, int argc, char **argv);
int lem_command_record(lem_cli *cli, int argc, char **argv);
int lem_print_version(lem_cli *cli);

#endif
