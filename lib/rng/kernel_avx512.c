/* Eight blocks to a vector, two vectors in flight. See kernel.h for what makes the bits equal. */
#include "rng/kernel.h"

#include <immintrin.h>
#include <sleef.h>

static bool runs_here(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

/* --- Philox: one 32-bit counter word in the low half of each 64-bit lane; what is above it is noise, which
 * neither the products (of low halves) nor the low halves of exclusive ors see. */

typedef struct {
    __m512i c0, c1, c2, c3;
} state;

enum { XOR3 = 0x96 };

static inline __attribute__((always_inline)) state round_of(state s, __m512i k0, __m512i k1) {
    const __m512i m0 = _mm512_set1_epi64(0xD2511F53), m1 = _mm512_set1_epi64(0xCD9E8D57);
    __m512i p0 = _mm512_mul_epu32(s.c0, m0), p1 = _mm512_mul_epu32(s.c2, m1);
    return (state){
        .c0 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p1, 32), s.c1, k0, XOR3),
        .c1 = p1,
        .c2 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p0, 32), s.c3, k1, XOR3),
        .c3 = p0,
    };
}

/* The words of the eight blocks of a state. Its lanes hold blocks 0, 4, 1, 5, 2, 6, 3, 7, so that
 * interleaving within 128 bits puts the words in order. */
static inline __attribute__((always_inline)) void store_words(state s, uint64_t *words) {
    const __mmask16 odd = 0xAAAA;
    __m512i w0 = _mm512_mask_blend_epi32(odd, s.c0, _mm512_slli_epi64(s.c1, 32));
    __m512i w1 = _mm512_mask_blend_epi32(odd, s.c2, _mm512_slli_epi64(s.c3, 32));
    _mm512_storeu_si512(words, _mm512_unpacklo_epi64(w0, w1));
    _mm512_storeu_si512(words + 8, _mm512_unpackhi_epi64(w0, w1));
}

static void words_of_blocks(const lem_rng_place *place, uint32_t first, size_t blocks, uint64_t *words) {
    const __m512i chunk = _mm512_set1_epi64(place->chunk), purpose = _mm512_set1_epi64(place->purpose),
                  study = _mm512_set1_epi64(place->study);
    __m512i block = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7));
    for (size_t b = 0; b < blocks; b += 16) {
        state s = {block, chunk, purpose, study};
        state t = {_mm512_add_epi64(block, _mm512_set1_epi64(8)), chunk, purpose, study};
        uint32_t k0 = place->key[0], k1 = place->key[1];
        for (int r = 0; r < 10; r++) {
            const __m512i v0 = _mm512_set1_epi64(k0), v1 = _mm512_set1_epi64(k1);
            s = round_of(s, v0, v1);
            t = round_of(t, v0, v1);
            k0 += UINT32_C(0x9E3779B9);
            k1 += UINT32_C(0xBB67AE85);
        }
        store_words(s, words + 2 * b);
        store_words(t, words + 2 * b + 16);
        block = _mm512_add_epi64(block, _mm512_set1_epi64(16));
    }
}

static inline __attribute__((always_inline)) __m512d unit(__m512i w) {
    return _mm512_mul_pd(_mm512_cvtepu64_pd(_mm512_srli_epi64(w, 11)), _mm512_set1_pd(0x1p-53)); /* exact */
}

static void uniform(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i += 8)
        _mm512_storeu_pd(out + i, unit(_mm512_loadu_si512(words + i)));
}

static void normal(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i += 16) {
        __m512i a = _mm512_loadu_si512(words + i), b = _mm512_loadu_si512(words + i + 8);
        __m512d u = _mm512_add_pd(unit(_mm512_unpacklo_epi64(a, b)), _mm512_set1_pd(0x1p-53));
        __m512d t = unit(_mm512_unpackhi_epi64(a, b));
        __m512d r = _mm512_sqrt_pd(_mm512_mul_pd(_mm512_set1_pd(-2), Sleef_cinz_logd8_u35avx512fnofma(u)));
        Sleef___m512d_2 angle =
            Sleef_cinz_sincospid8_u35avx512fnofma(_mm512_add_pd(t, t)); /* x: sine, y: cosine */
        __m512d cosine = _mm512_mul_pd(r, angle.y), sine = _mm512_mul_pd(r, angle.x);
        _mm512_storeu_pd(out + i, _mm512_unpacklo_pd(cosine, sine));
        _mm512_storeu_pd(out + i + 8, _mm512_unpackhi_pd(cosine, sine));
    }
}

static void sign(const uint64_t *words, size_t blocks, double *out) {
    const __m512d top = _mm512_set1_pd(-0.0), one = _mm512_set1_pd(1);
    for (size_t i = 0; i < 2 * blocks; i += 8) {
        __m512d w = _mm512_castsi512_pd(_mm512_loadu_si512(words + i));
        _mm512_storeu_pd(out + i, _mm512_or_pd(_mm512_and_pd(w, top), one));
    }
}

const lem_rng_kernel lem_rng_kernel_avx512 = {
    .name = "avx512",
    .runs_here = runs_here,
    .group = 16,
    .words = words_of_blocks,
    .uniform = uniform,
    .normal = normal,
    .sign = sign,
};
