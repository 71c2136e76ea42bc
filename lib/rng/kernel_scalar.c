/* The definition of every draw, one block at a time (rng/stream.h gives the formulas). */
#include "rng/kernel.h"

#include <math.h>
#include <Random123/philox.h>
#include <sleef.h>

static bool always(void) {
    return true;
}

static void words_of_blocks(const lem_rng_place *place, uint32_t first, size_t blocks, uint64_t *words) {
    philox4x32_key_t key = {{place->key[0], place->key[1]}};
    for (size_t b = 0; b < blocks; b++) {
        philox4x32_ctr_t counter = {{first + (uint32_t)b, place->chunk, place->purpose, place->study}};
        philox4x32_ctr_t random = philox4x32_R(10, counter, key);
        words[2 * b] = (uint64_t)random.v[1] << 32 | random.v[0];
        words[2 * b + 1] = (uint64_t)random.v[3] << 32 | random.v[2];
    }
}

static double unit(uint64_t word) {
    return (double)(word >> 11) * 0x1p-53;
}

static void uniform(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i++)
        out[i] = unit(words[i]);
}

static void normal(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i += 2) {
        double u = (double)((words[i] >> 11) + 1) * 0x1p-53, t = unit(words[i + 1]);
        double r = sqrt(-2 * Sleef_cinz_logd1_u35purec(u));
        Sleef_double_2 angle = Sleef_cinz_sincospid1_u35purec(2 * t); /* x: sine, y: cosine */
        out[i] = r * angle.y;
        out[i + 1] = r * angle.x;
    }
}

static void sign(const uint64_t *words, size_t blocks, double *out) {
    for (size_t i = 0; i < 2 * blocks; i++)
        out[i] = 1 - 2 * (double)(words[i] >> 63);
}

const lem_rng_kernel lem_rng_kernel_scalar = {
    .name = "scalar",
    .runs_here = always,
    .group = 1,
    .words = words_of_blocks,
    .uniform = uniform,
    .normal = normal,
    .sign = sign,
};
