#include "cli/cli.h"

const lem_command lem_commands[] = {
    {"eval", "eval NAME k=v ... [--json]", "evaluate a formula of the library, to 17 digits",
     "NAME is one of `lemmata formulas`; `lemmata formulas NAME` shows its arguments, their domains and\n"
     "defaults. A value is a real (0.3, 1e-9; inf where the domain says so), a whole number (64, 1e5),\n"
     "true or false, a word of a fixed list (side=upper), or reals separated by commas (x=3,1,4).\n"
     "A formula with several results prints them on one line.\n"
     "\n"
     "  --json   the values with the formula's line of documentation, arguments, accuracy, source, claims\n"
     "\n"
     "example:\n"
     "  lemmata eval jl_min_dim N=1000 eps=0.1 delta=0.001 method=exact\n",
     lem_command_eval},
    {"formulas", "formulas [PATTERN] [--json]", "list the formulas; with a name, all about it",
     "PATTERN is a part of a name, or of the line that says what the formula computes.\n"
     "\n"
     "  --json   an array with everything known of each formula\n",
     lem_command_formulas},
    {0}};
