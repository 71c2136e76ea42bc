/* Internal: included once by each kernel file, which is compiled for its instruction set: what
 * __builtin_popcountll and the vectoriser make of it is the whole difference. */
#include "projection/simhash_kernel.h"

/* `words` is a constant where this is called for common hash lengths, so that the loop unrolls. */
static inline void scan(const uint64_t *query, const uint64_t *database, size_t n, size_t words,
                        uint32_t *out) {
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = 0;
        for (size_t j = 0; j < words; j++)
            sum += (uint64_t)__builtin_popcountll(query[j] ^ database[i * words + j]);
        out[i] = (uint32_t)sum;
    }
}

static void distances(const uint64_t *query, const uint64_t *database, size_t n, size_t words,
                      uint32_t *out) {
    switch (words) {
    case 1:
        scan(query, database, n, 1, out);
        return;
    case 2:
        scan(query, database, n, 2, out);
        return;
    case 4:
        scan(query, database, n, 4, out);
        return;
    case 8:
        scan(query, database, n, 8, out);
        return;
    default:
        scan(query, database, n, words, out);
    }
}
