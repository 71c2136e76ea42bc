#include "projection/simhash_bits.h"

#include "linalg/check.h"
#include "projection/simhash_kernel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

const lem_simhash_kernel *const lem_simhash_kernels[] = {
    &lem_simhash_kernel_base,
#ifdef __x86_64__
    &lem_simhash_kernel_popcnt,
#endif
    NULL,
};

const lem_simhash_kernel *lem_simhash_best_kernel(void) {
    static _Atomic(const lem_simhash_kernel *) best = NULL;
    const lem_simhash_kernel *found = atomic_load_explicit(&best, memory_order_acquire);
    if (found)
        return found;
    for (size_t i = 0; lem_simhash_kernels[i]; i++)
        if (lem_simhash_kernels[i]->runs_here())
            found = lem_simhash_kernels[i];
    atomic_store_explicit(&best, found, memory_order_release);
    return found;
}

size_t lem_simhash_words(size_t n) {
    return n / 64 + (n % 64 != 0);
}

static void pack_row(const double *y, size_t n, uint64_t *hash) {
    memset(hash, 0, lem_simhash_words(n) * sizeof *hash);
    for (size_t j = 0; j < n; j++)
        hash[j / 64] |= (uint64_t)(y[j] < 0) << (j % 64);
}

int lem_simhash_pack(const gsl_matrix *y, uint64_t *hashes) {
    int status = lem_check_input(y, "Y");
    if (status)
        return status;
    if (!hashes)
        return LEM_ERROR(GSL_EFAULT, "hashes = null: must have room for %zu words",
                         y->size1 * lem_simhash_words(y->size2));
    for (size_t i = 0; i < y->size1; i++)
        pack_row(y->data + i * y->tda, y->size2, hashes + i * lem_simhash_words(y->size2));
    return GSL_SUCCESS;
}

size_t lem_simhash_distance(const uint64_t *a, const uint64_t *b, size_t words) {
    size_t sum = 0;
    for (size_t j = 0; j < words; j++)
        sum += (size_t)__builtin_popcountll(a[j] ^ b[j]);
    return sum;
}

int lem_simhash_distances(const uint64_t *queries, size_t n_queries, const uint64_t *database,
                          size_t n_database, size_t words, uint32_t *distances, int threads) {
    if (!queries || !database || !distances)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be an array",
                         !queries    ? "queries"
                         : !database ? "database"
                                     : "distances");
    if (words == 0 || words >> 26)
        return LEM_ERROR(GSL_EBADLEN, "words = %zu: must be >= 1 and < 2^26, distances are 32 bits", words);
    if (threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", threads);
    const lem_simhash_kernel *kernel = lem_simhash_best_kernel();
    const int team = lem_team_size(threads, n_queries);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
#endif
    for (size_t i = 0; i < n_queries; i++)
        kernel->distances(queries + i * words, database, n_database, words, distances + i * n_database);
    (void)team;
    return GSL_SUCCESS;
}

static bool check_count(size_t k, size_t n) {
    if (n < 1)
        return LEM_ERROR(GSL_EDOM, "n = %zu: must be >= 1", n), false;
    if (k > n)
        return LEM_ERROR(GSL_EDOM, "k = %zu: must be <= n = %zu", k, n), false;
    return true;
}

double lem_simhash_angle(size_t k, size_t n) {
    return check_count(k, n) ? M_PI * ((double)k / (double)n) : NAN;
}

double lem_simhash_cosine(size_t k, size_t n) {
    if (!check_count(k, n))
        return NAN;
    if (k > n - k) /* cos(pi - x) = -cos x: from the nearer end, so that K and n - K are exact opposites */
        return -lem_simhash_cosine(n - k, n);
    return 2 * k == n ? 0 : cos(M_PI * ((double)k / (double)n));
}
