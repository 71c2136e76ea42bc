/* Four blocks to a vector, two vectors in flight. See kernel.h for what makes the bits equal. */
#include "rng/kernel.h"

#include <immintrin.h>
#include <sleef.h>

static bool runs_here(void) {
    return __builtin_cpu_supports("avx2");
}

/* --- Philox: one 32-bit counter word in the low half of each 64-bit lane; what is above it is noise, which
 * neither the products (of low halves) nor the low halves of exclusive ors see. */

typedef struct {
    __m256i c0, c1, c2, c3;
} state;

static inline __attribute__((always_inline)) state round_of(state s, __m256i k0, __m256i k1) {
    const __m256i m0 = _mm256_set1_epi64x(0xD2511F53), m1 = _mm256_set1_epi64x(0xCD9E8D57);
    __m256i p0 = _mm256_mul_epu32(s.c0, m0), p1 = _mm256_mul_epu32(s.c2, m1);
    return (state){
        .c0 = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(s.c1, k0)),
        .c1 = p1,
        .c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(s.c3, k1)),
        .c3 = p0,
    };
}

/* The words of the four blocks of a state. Its lanes hold blocks 0, 2, 1, 3, so that interleaving within
 * 128 bits puts the words in order. */
static inline __attribute__((always_inline)) void store_words(state s, uint64_t *words) {
    __m256i w0 = _mm256_blend_epi32(s.c0, _mm256_slli_epi64(s.c1, 32), 0xAA);
    __m256i w1 = _mm256_blend_epi32(s.c2, _mm256_slli_epi64(s.c3, 32), 0xAA);
    _mm256_storeu_si256((__m256i *)words, _mm256_unpacklo_epi64(w0, w1));
    _mm256_storeu_si256((__m256i *)(words + 4), _mm256_unpackhi_epi64(w0, w1));
}

static void words_of_blocks(const lem_rng_place *place, uint32_t first, size_t blocks, uint64_t *words) {
    const __m256i chunk = _mm256_set1_epi64x(place->chunk), purpose = _mm256_set1_epi64x(place->purpose),
                  study = _mm256_set1_epi64x(place->study);
    __m256i k0[10], k1[10]; /* of the rounds; sixteen registers do not hold them, loads are free */
    for (uint32_t r = 0; r < 10; r++) {
        k0[r] = _mm256_set1_epi64x(place->key[0] + r * UINT32_C(0x9E3779B9));
        k1[r] = _mm256_set1_epi64x(place->key[1] + r * UINT32_C(0xBB67AE85));
    }
    __m256i block = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 2, 1, 3));
    for (size_t b = 0; b < blocks; b += 8) {
        state s = {block, chunk, purpose, study};
        state t = {_mm256_add_epi64(block, _mm256_set1_epi64x(4)), chunk, purpose, study};
        for (int r = 0; r < 10; r++) {
            s = round_of(s, k0[r], k1[r]);
            t = round_of(t, k0[r], k1[r]);
        }
        store_words(s, words + 2 * b);
        store_words(t, words + 2 * b + 8);
        block = _mm256_add_epi64(block, _mm256_set1_epi64x(8));
    }
}

/* (w >> 11) 2^-53. The high 32 bits of w become the last bits of a double in [2^20, 2^21), the next 21 bits
 * those of a double in [1/2, 1); every sum is exact. */
static inline __attribute__((always_inline)) __m256d unit(__m256i w) {
    __m256i high = _mm256_or_si256(_mm256_srli_epi64(w, 32), _mm256_castpd_si256(_mm256_set1_pd(0x1p20)));
    __m256i low = _mm256_and_si256(_mm256_srli_epi64(w, 11), _mm256_set1_epi64x(0x1FFFFF));
    low = _mm256_or_si256(low, _mm256_castpd_si256(_mm256_set1_pd(0.5)));
    return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(0x1p20 + 0.5)),
                         _mm256_castsi256_pd(low));
}

static void uniform(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i += 4)
        _mm256_storeu_pd(out + i, unit(_mm256_loadu_si256((const __m256i *)(words + i))));
}

static void normal(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i += 8) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(words + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(words + i + 4));
        __m256d u = _mm256_add_pd(unit(_mm256_unpacklo_epi64(a, b)), _mm256_set1_pd(0x1p-53));
        __m256d t = unit(_mm256_unpackhi_epi64(a, b));
        __m256d r = _mm256_sqrt_pd(_mm256_mul_pd(_mm256_set1_pd(-2), Sleef_cinz_logd4_u35avx(u)));
        Sleef___m256d_2 angle = Sleef_cinz_sincospid4_u35avx(_mm256_add_pd(t, t)); /* x: sine, y: cosine */
        __m256d cosine = _mm256_mul_pd(r, angle.y), sine = _mm256_mul_pd(r, angle.x);
        _mm256_storeu_pd(out + i, _mm256_unpacklo_pd(cosine, sine));
        _mm256_storeu_pd(out + i + 4, _mm256_unpackhi_pd(cosine, sine));
    }
}

static void sign(const uint64_t *words, size_t blocks, double *out) {
    const __m256d top = _mm256_set1_pd(-0.0), one = _mm256_set1_pd(1);
    for (size_t i = 0; i < 2 * blocks; i += 4) {
        __m256d w = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(words + i)));
        _mm256_storeu_pd(out + i, _mm256_or_pd(_mm256_and_pd(w, top), one));
    }
}

const lem_rng_kernel lem_rng_kernel_avx2 = {
    .name = "avx2",
    .runs_here = runs_here,
    .group = 8,
    .words = words_of_blocks,
    .uniform = uniform,
    .normal = normal,
    .sign = sign,
};
