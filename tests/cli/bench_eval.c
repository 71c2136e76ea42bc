/* How long `lemmata eval` takes from the shell's point of view: start, evaluate, print, end. */
#include "bench.h"

#include <fcntl.h>
#include <stdbool.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 51 };

extern char **environ;

typedef struct {
    const char *program;
    const char *arguments[8];
    bool failed;
} call;

static void run(void *context) {
    call *c = context;
    char *argv[10] = {(char *)c->program};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int status = 1;
    for (size_t i = 0; i < 8; i++)
        argv[i + 1] = (char *)c->arguments[i];
    (void)posix_spawn_file_actions_init(&quiet);
    (void)posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    bool started = posix_spawn(&child, c->program, &quiet, NULL, argv, environ) == 0;
    c->failed = !started || waitpid(child, &status, 0) != child || status != 0 || c->failed;
    (void)posix_spawn_file_actions_destroy(&quiet);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"eval.closed_form", "eval.bisection", "eval.quadrature"};
    if (argc != 2)
        return 2;
    call calls[] = {
        {argv[1], {"eval", "jl_norm_tail_chernoff", "n=8", "eps=0.5", "side=upper"}, false},
        {argv[1], {"eval", "jl_min_dim", "N=1e6", "eps=0.1", "delta=1e-6", "method=exact"}, false},
        {argv[1], {"eval", "jl_inner_tail", "n=256", "eps=0.5", "rho=0.3"}, false},
    };
    bench_case timed[3];
    for (size_t i = 0; i < 3; i++)
        timed[i] = (bench_case){run, &calls[i], 0};
    bench_interleave(timed, 3, REPEATS);
    for (size_t i = 0; i < 3; i++) {
        if (calls[i].failed)
            bench_skip(names[i], "the program failed");
        else
            bench_print(names[i], 1e3 * timed[i].seconds, "ms", "goal: under 50 ms", 50);
    }
    return 0;
}
