/* Internal: Hamming distances, one kernel per instruction set; arguments are not checked. */
#ifndef LEM_PROJECTION_SIMHASH_KERNEL_H
#define LEM_PROJECTION_SIMHASH_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;
    bool (*runs_here)(void);
    /* One query against a database of n hashes. */
    void (*distances)(const uint64_t *query, const uint64_t *database, size_t n, size_t words, uint32_t *out);
} lem_simhash_kernel;

extern const lem_simhash_kernel lem_simhash_kernel_base;
#ifdef __x86_64__
extern const lem_simhash_kernel lem_simhash_kernel_popcnt;
#endif

/* The kernels built in, slowest first, NULL at the end. */
extern const lem_simhash_kernel *const lem_simhash_kernels[];

/* The fastest one that this processor runs. Thread-safe. */
const lem_simhash_kernel *lem_simhash_best_kernel(void);

#endif
