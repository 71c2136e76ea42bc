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
    {"fit", "fit MODEL FILE.csv [OPTION...]",
     "fit a scaling law to your own table, with errors and a certificate",
     "models:\n"
     "  chinchilla   L(N, D) = E + A N^-alpha + B D^-beta: robust (Huber) fit of log loss; columns N, loss,\n"
     "               and D or C = 6 N D; also the compute-optimal N, D and tokens per parameter\n"
     "  power        loss = E + A n^-alpha: least squares; columns n, loss\n"
     "\n"
     "The table: commas, semicolons or tabs; the first line names the columns; # begins a comment. Values "
     "that\n"
     "are no numbers, not finite or (N, D, C, n, loss of chinchilla) not positive are refused with their "
     "line.\n"
     "\n"
     "What is printed names the columns that were read. A table with both D and C is fitted to D; "
     "operations\n"
     "that are not 6 N D, and N or D that look like millions, are noted on stderr. The time is that of "
     "rows:\n"
     "chinchilla tries 27 starts on all of them and fits each resample, so that a hundred thousand rows "
     "take\n"
     "a quarter of a minute, and the bootstrap many times that (--bootstrap 0, or a part of the rows).\n"
     "\n"
     "options:\n"
     "  --columns KEY=HEADER,...   which columns to read, by header or number: --columns 'N=Model "
     "Size,C=3,loss=L'\n"
     "  --bootstrap R              resamples of the rows for errors and 95% intervals (1000; 0: none)\n"
     "  --seed S                   of the resamples (1); the same seed gives the same digits\n"
     "  --figure FILE              also draw data and fit, FILE.svg or FILE.png (needs gnuplot); exit status "
     "3\n"
     "                             when it cannot be written\n"
     "  --threads N                as many as there are cores\n"
     "  --json                     everything, with 17 digits\n"
     "  --delta X                  chinchilla: Huber's threshold (1e-3); inf: least squares; 0: absolute "
     "deviations\n"
     "  --drop-largest M           chinchilla: leave out rows with a loss not below the M-th largest (0)\n"
     "  --budget C                 chinchilla: operations of the optimum (the largest of the rows)\n"
     "  --weights equal|relative   power: which errors are alike (relative)\n"
     "\n"
     "example:\n"
     "  lemmata fit chinchilla runs.csv --columns N=params,D=tokens,loss=loss --budget 1e24\n",
     lem_command_fit},
    {"list", "list", "the recorded studies, with the counts of their verdicts", NULL, lem_command_list},
    {"claims", "claims [STUDY]", "the claims of one study, or of all: id, verdict, statement", NULL,
     lem_command_claims},
    {"show", "show CLAIM", "all about a claim, and how to cite it",
     "Statement, source, the place in the code that checks it, verdict, measured and expected, falsifiers,\n"
     "false-alarm rate, floor of the sample size, formulas behind it, and a BibTeX entry.\n",
     lem_command_show},
    {"weave", "weave [--check] PAGE|DIR...", "fill the markers of markdown pages from the records, and lint",
     "Between <!--value key--> and <!--/--> a page shows what the records say. With --check nothing is\n"
     "written; every marker that is not current is shown. A typed number in a sentence is a fault.\n"
     "\n"
     "markers within a line, never at its start:\n"
     "  <!--value [study:]key [percent] [plain] [.3g]-->   a value, with the digits its error allows\n"
     "  <!--claim id [measured|expected|statistic|false-alarm|verdict|statement]-->\n"
     "  <!--verdicts [study]-->                            how many claims hold\n"
     "  <!--benchmark name [value|limit|ratio|limit_name]-->, <!--benchmark machine-->\n"
     "  <!--typed-->                                       numbers typed on purpose\n"
     "markers alone on a line, with blank lines around:\n"
     "  <!--claims [study]-->  <!--figure [study:]name-->  <!--code path [function]-->\n"
     "  <!--studies-->  <!--ledger-->  <!--typed-->\n"
     "\n"
     "No fault is a number in a heading, code, formula or link; in a name (x86, GPL-3.0, recall@10); after "
     "a\n"
     "word that numbers things (Theorem 10.5, arXiv 1011.1595, gcc 12); a citation's year (Achlioptas "
     "2003);\n"
     "or anything below a heading References or Sources.\n",
     lem_command_weave},
    {"record", "record --into DIR RESULTS...", "make records, figures and pages from full-scale results",
     "RESULTS are folders of results.json and figures/; DIR is the folder of the pages (notebooks-md).\n"
     "Writes DIR/results/<study>.json and DIR/figures/<study>/, then weaves the pages of DIR and the README\n"
     "beside it. Refused: results made with --only, a --scale other than 1 or a random seed, with failed\n"
     "or skipped claims, or without their figures.\n"
     "\n"
     "  --benchmarks FILE   also take the figures of a run of the benchmarks into DIR/results; FILE is "
     "Meson's\n"
     "                      log of it, build/meson-logs/benchmarklog.json after ninja -C build benchmark\n",
     lem_command_record},
    {0}};
