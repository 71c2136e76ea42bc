#include "study/sha256.h"

#include "base/error.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

static void absorb(uint32_t state[8], const unsigned char block[64]) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t a = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        uint32_t first = s[7] + a + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        uint32_t b = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        uint32_t second = b + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The last block or two: what is left, the bit 1, zeros, the length in bits. */
static void finish(uint32_t state[8], const unsigned char *rest, size_t left, uint64_t total,
                   char text[LEM_SHA256_TEXT]) {
    unsigned char last[128] = {0};
    memcpy(last, rest, left);
    last[left] = 0x80;
    size_t end = left < 56 ? 64 : 128;
    for (size_t i = 0; i < 8; i++)
        last[end - 1 - i] = (unsigned char)(total * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += 64)
        absorb(state, last + at);
    for (size_t i = 0; i < 8; i++)
        (void)snprintf(text + 8 * i, 9, "%08x", state[i]);
}

void lem_sha256(const void *bytes, size_t count, char text[LEM_SHA256_TEXT]) {
    uint32_t state[8];
    const unsigned char *at = bytes;
    size_t left = count;
    memcpy(state, start, sizeof state);
    for (; left >= 64; left -= 64, at += 64)
        absorb(state, at);
    finish(state, at, left, count, text);
}

int lem_sha256_file(const char *path, char text[LEM_SHA256_TEXT]) {
    unsigned char piece[1 << 16];
    uint32_t state[8];
    uint64_t total = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return LEM_ERROR(GSL_EFAILED, "cannot read %s: %s", path, strerror(errno));
    memcpy(state, start, sizeof state);
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, file)) == sizeof piece) {
        total += got;
        for (size_t at = 0; at < got; at += 64)
            absorb(state, piece + at);
    }
    int failed = ferror(file), why = errno;
    (void)fclose(file);
    if (failed)
        return LEM_ERROR(GSL_EFAILED, "cannot read %s: %s", path, strerror(why));
    total += got;
    size_t at = 0;
    for (; got - at >= 64; at += 64)
        absorb(state, piece + at);
    finish(state, piece + at, got - at, total, text);
    return GSL_SUCCESS;
}
