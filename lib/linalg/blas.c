#include "linalg/linalg.h"
#include "linalg/fortran.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char description[256];
static char library[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* OpenBLAS writes its answers into one static buffer, so they are asked for once. */
static void describe(void) {
    char config[128];
    (void)snprintf(config, sizeof config, "%s", openblas_get_config());
    const char *core = openblas_get_corename();
    if (strstr(config, core))
        (void)snprintf(description, sizeof description, "%s", config);
    else
        (void)snprintf(description, sizeof description, "%s %s", config, core);
    for (size_t n = strlen(description); n > 0 && description[n - 1] == ' '; n--)
        description[n - 1] = '\0';

    Dl_info info;
    void (*const dgemm)(void) = (void (*)(void))dgemm_;
    void *address;
    memcpy(&address, &dgemm, sizeof address);
    if (dladdr(address, &info) && info.dli_fname)
        (void)snprintf(library, sizeof library, "%s", info.dli_fname);
}

const char *lem_blas_description(void) {
    (void)pthread_once(&once, describe);
    return description;
}

const char *lem_blas_library(void) {
    (void)pthread_once(&once, describe);
    return library;
}

void lem_blas_single_thread(void) {
    openblas_set_num_threads(1);
}
