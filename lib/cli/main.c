#include "cli/cli.h"

int main(int argc, char **argv) {
    return lem_cli_main(argc, argv);
}
