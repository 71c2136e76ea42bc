/* Every kernel that this processor runs against the scalar definition, bit for bit. */
#include "rng/kernel.h"
#include "sample.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef int fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out);

static const struct {
    const char *name;
    fill_by *fill;
} kinds[] = {{"uniform", lem_uniform_fill_by}, {"normal", lem_normal_fill_by}, {"sign", lem_sign_fill_by}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const lem_rng_kernel *const scalar = &lem_rng_kernel_scalar;

/* The fast kernels that can run here, as a NULL-terminated list. */
static const lem_rng_kernel **fast_kernels(void) {
    static const lem_rng_kernel *list[8];
    size_t n = 0;
    for (size_t k = 1; lem_rng_kernels[k]; k++)
        if (lem_rng_kernels[k]->runs_here())
            list[n++] = lem_rng_kernels[k];
    list[n] = NULL;
    return list;
}

#define SKIP_WITHOUT_FAST_KERNELS()                                                                          \
    if (!fast_kernels()[0])                                                                                  \
    LEM_SKIP("this processor runs the scalar kernel only")

static lem_stream arbitrary_stream(uint64_t *state) {
    return stream_at(arbitrary(state) >> 1, (uint32_t)arbitrary(state), (uint32_t)arbitrary(state),
                     (uint32_t)arbitrary(state));
}

/* One fill by both, into buffers at an offset from alignment, with a guard on both sides. */
static void compare(const lem_rng_kernel *kernel, size_t kind, lem_stream stream, size_t n, size_t offset) {
    enum { GUARD = 8 };
    size_t room = n + 2 * GUARD + offset;
    double *a = malloc(room * sizeof *a), *b = malloc(room * sizeof *b);
    if (LEM_CHECK(a && b, "no memory")) {
        for (size_t i = 0; i < room; i++)
            a[i] = b[i] = 1e300 + (double)i;
        lem_stream sa = stream, sb = stream;
        int ra = kinds[kind].fill(kernel, &sa, n, a + GUARD + offset);
        int rb = kinds[kind].fill(scalar, &sb, n, b + GUARD + offset);
        LEM_CHECK(ra == GSL_SUCCESS && rb == GSL_SUCCESS, "%s", lem_last_error());
        LEM_CHECK(memcmp(a, b, room * sizeof *a) == 0, "%s %s differs or overruns: n = %zu from item %llu",
                  kernel->name, kinds[kind].name, n, (unsigned long long)stream.item);
        LEM_CHECK(sa.item == sb.item && sa.kind == sb.kind, "streams end alike");
    }
    free(a);
    free(b);
}

static void test_short_fills(void) {
    SKIP_WITHOUT_FAST_KERNELS();
    uint64_t state = 1;
    for (const lem_rng_kernel **k = fast_kernels(); *k; k++)
        for (size_t kind = 0; kind < N_KINDS; kind++)
            for (size_t n = 0; n <= 70; n++)
                for (size_t start = 0; start < 4; start++) {
                    lem_stream stream = arbitrary_stream(&state);
                    double skipped[3];
                    LEM_CHECK(kinds[kind].fill(scalar, &stream, start, skipped) == 0, "%s", lem_last_error());
                    compare(*k, kind, stream, n, arbitrary(&state) % 8);
                }
}

static void test_long_fills(void) {
    SKIP_WITHOUT_FAST_KERNELS();
    uint64_t state = 2;
    size_t repeats = scaled(20) + 1;
    for (const lem_rng_kernel **k = fast_kernels(); *k; k++)
        for (size_t kind = 0; kind < N_KINDS; kind++)
            for (size_t r = 0; r < repeats; r++) {
                lem_stream stream = arbitrary_stream(&state);
                stream.item = arbitrary(&state) % (LEM_RNG_ITEMS - 20000);
                compare(*k, kind, stream, arbitrary(&state) % 20000, r % 8);
            }
}

/* Padding of the last group runs past the last block: it must not show. */
static void test_last_blocks(void) {
    SKIP_WITHOUT_FAST_KERNELS();
    uint64_t state = 3;
    for (const lem_rng_kernel **k = fast_kernels(); *k; k++)
        for (size_t kind = 0; kind < N_KINDS; kind++)
            for (size_t left = 1; left <= 150; left++) {
                lem_stream stream = arbitrary_stream(&state);
                double none = 0;
                LEM_CHECK(kinds[kind].fill(scalar, &stream, 1, &none) == 0, "%s", lem_last_error());
                stream.item = LEM_RNG_ITEMS - left;
                compare(*k, kind, stream, left, 0);
            }
}

static void test_split_fills(void) {
    enum { TOTAL = 3000 };
    uint64_t state = 4;
    double whole[TOTAL], parts[TOTAL];
    for (size_t k = 0; lem_rng_kernels[k]; k++) {
        if (!lem_rng_kernels[k]->runs_here())
            continue;
        for (size_t kind = 0; kind < N_KINDS; kind++)
            for (size_t repeat = 0; repeat < 10; repeat++) {
                lem_stream one = arbitrary_stream(&state), many = one;
                LEM_CHECK(kinds[kind].fill(scalar, &one, TOTAL, whole) == 0, "%s", lem_last_error());
                for (size_t done = 0; done < TOTAL;) {
                    size_t n = arbitrary(&state) % (repeat % 2 ? 400 : 6);
                    n = n < TOTAL - done ? n : TOTAL - done;
                    LEM_CHECK(kinds[kind].fill(lem_rng_kernels[k], &many, n, parts + done) == 0, "%s",
                              lem_last_error());
                    done += n;
                }
                LEM_CHECK(memcmp(whole, parts, sizeof whole) == 0, "%s %s: split fills differ",
                          lem_rng_kernels[k]->name, kinds[kind].name);
                LEM_CHECK(one.item == many.item, "streams end alike");
            }
    }
}

static void test_integers(void) {
    static const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(6148914691236517206), UINT64_C(1) << 63};
    enum { ROOM = 400 };
    SKIP_WITHOUT_FAST_KERNELS();
    uint64_t state = 5, a[ROOM], b[ROOM];
    for (const lem_rng_kernel **k = fast_kernels(); *k; k++)
        for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
            for (size_t n = 0; n < ROOM; n += n < 70 ? 1 : 37) {
                lem_stream sa = arbitrary_stream(&state);
                (void)lem_integer_fill_by(scalar, &sa, bounds[i], n % 3, a);
                lem_stream sb = sa;
                memset(a, 1, sizeof a);
                memset(b, 1, sizeof b);
                LEM_CHECK(lem_integer_fill_by(*k, &sa, bounds[i], n, a) == 0, "%s", lem_last_error());
                LEM_CHECK(lem_integer_fill_by(scalar, &sb, bounds[i], n, b) == 0, "%s", lem_last_error());
                LEM_CHECK(memcmp(a, b, sizeof a) == 0 && sa.item == sb.item,
                          "%s differs: bound %llu, n = %zu", (*k)->name, (unsigned long long)bounds[i], n);
            }
}

/* Words at the edges: all zero, all one, quarters of the circle, one step beside each; as both halves. */
static const uint64_t edges[] = {
    0,
    1,
    (1 << 11) - 1,
    1 << 11,
    UINT64_C(0x00000000FFFFFFFF),
    UINT64_C(0x0000000100000000),
    UINT64_C(0x1FFFFFFFFFFFFFFF),
    UINT64_C(0x2000000000000000),
    UINT64_C(0x3FFFFFFFFFFFFFFF),
    UINT64_C(0x4000000000000000),
    UINT64_C(0x7FFFFFFFFFFFFFFF),
    UINT64_C(0x8000000000000000),
    UINT64_C(0xC000000000000000),
    UINT64_C(0xFFFFFFFFFFFFF7FF),
    UINT64_C(0xFFFFFFFFFFFFF800),
    UINT64_C(0xFFFFFFFFFFFFFFFF),
};
enum { N_EDGES = sizeof edges / sizeof edges[0], EDGE_BLOCKS = N_EDGES * N_EDGES };

static void all_pairs_of_edges(uint64_t *words) {
    for (size_t i = 0; i < N_EDGES; i++)
        for (size_t j = 0; j < N_EDGES; j++) {
            words[2 * (i * N_EDGES + j)] = edges[i];
            words[2 * (i * N_EDGES + j) + 1] = edges[j];
        }
}

/* 256 blocks: a multiple of every group. */
static void test_extreme_words_alike(void) {
    SKIP_WITHOUT_FAST_KERNELS();
    uint64_t words[2 * EDGE_BLOCKS];
    double a[2 * EDGE_BLOCKS], b[2 * EDGE_BLOCKS];
    all_pairs_of_edges(words);
    for (const lem_rng_kernel **k = fast_kernels(); *k; k++) {
        lem_rng_transform *fast[] = {(*k)->uniform, (*k)->normal, (*k)->sign};
        lem_rng_transform *slow[] = {scalar->uniform, scalar->normal, scalar->sign};
        for (size_t kind = 0; kind < N_KINDS; kind++) {
            fast[kind](words, EDGE_BLOCKS, a);
            slow[kind](words, EDGE_BLOCKS, b);
            LEM_CHECK(memcmp(a, b, sizeof a) == 0, "%s %s differs at extreme words", (*k)->name,
                      kinds[kind].name);
        }
    }
}

static void test_extreme_words_are_finite(void) {
    uint64_t words[2 * EDGE_BLOCKS];
    double x[2 * EDGE_BLOCKS];
    all_pairs_of_edges(words);
    scalar->normal(words, EDGE_BLOCKS, x);
    for (size_t i = 0; i < 2 * EDGE_BLOCKS; i++)
        LEM_CHECK(isfinite(x[i]) && fabs(x[i]) <= 8.5717, "normal %g of words %llx, %llx", x[i],
                  (unsigned long long)words[i & ~(size_t)1], (unsigned long long)words[i | 1]);
    scalar->uniform(words, EDGE_BLOCKS, x);
    for (size_t i = 0; i < 2 * EDGE_BLOCKS; i++)
        LEM_CHECK(x[i] >= 0 && x[i] < 1, "uniform %g", x[i]);
}

/* The limits by hand: u = 2^-53 gives r = sqrt(106 log 2), u = 1 gives r = 0; quarters of the circle are
 * exact. */
static void test_limit_values(void) {
    const double radius = 8.571674348652905;
    const uint64_t zero = 0, ones = ~zero, quarter = UINT64_C(1) << 62;
    static const struct {
        int quarters;
        double cosine, sine;
    } circle[] = {{0, 1, 0}, {1, 0, 1}, {2, -1, 0}, {3, 0, -1}};
    for (size_t i = 0; i < 4; i++) {
        uint64_t words[2] = {zero, (uint64_t)circle[i].quarters * quarter};
        double x[2];
        scalar->normal(words, 1, x);
        /* 8 machine epsilons, relative, as the header states */
        LEM_CHECK_NEAR(x[0], radius * circle[i].cosine, 8 * DBL_EPSILON * radius * fabs(circle[i].cosine));
        LEM_CHECK_NEAR(x[1], radius * circle[i].sine, 8 * DBL_EPSILON * radius * fabs(circle[i].sine));
        words[0] = ones;
        scalar->normal(words, 1, x);
        LEM_CHECK(x[0] == 0 && x[1] == 0, "all ones: %g, %g", x[0], x[1]);
    }
    double u[2];
    scalar->uniform((const uint64_t[]){zero, ones}, 1, u);
    LEM_CHECK(u[0] == 0 && u[1] == 1 - 0x1p-53, "uniforms %a, %a", u[0], u[1]);
    scalar->sign((const uint64_t[]){zero, ones}, 1, u);
    LEM_CHECK(u[0] == 1 && u[1] == -1, "signs %g, %g", u[0], u[1]);
    scalar->sign((const uint64_t[]){ones >> 1, ones << 63}, 1, u);
    LEM_CHECK(u[0] == 1 && u[1] == -1, "the top bit decides: %g, %g", u[0], u[1]);
}

/* sin(2 pi k / 2^53) for whole k in [0, 2^53), from an exactly reduced angle. */
static long double sine_of_turn(uint64_t k) {
    const uint64_t turn = UINT64_C(1) << 53, half = turn / 2, quarter = turn / 4;
    const long double two_pi = 6.283185307179586476925286766559005768L;
    long double sign = k >= half ? -1 : 1;
    k = k >= half ? k - half : k;
    k = k > quarter ? half - k : k; /* now in the first quarter */
    long double value = k > quarter / 2 ? cosl(two_pi * ((long double)(quarter - k) * 0x1p-53L))
                                        : sinl(two_pi * ((long double)k * 0x1p-53L));
    return sign * value;
}

/* The relative error that the header states, against 64-bit significands. */
static void test_accuracy_of_normals(void) {
    volatile long double small = 0x1p-60L;
    if (1 + small == 1)
        LEM_SKIP("long double is no wider than double here");
    const uint64_t turn = UINT64_C(1) << 53;
    uint64_t state = 6;
    size_t repeats = scaled(200000) + EDGE_BLOCKS;
    double worst = 0;
    uint64_t edge_words[2 * EDGE_BLOCKS];
    all_pairs_of_edges(edge_words);
    for (size_t i = 0; i < repeats; i++) {
        uint64_t words[2] = {arbitrary(&state), arbitrary(&state)};
        if (i < EDGE_BLOCKS)
            memcpy(words, edge_words + 2 * i, sizeof words);
        else if (i % 2)
            words[0] >>= arbitrary(&state) % 64; /* far tails */
        else if (i % 4)
            words[0] = ~(words[0] >> arbitrary(&state) % 64); /* the centre */
        double x[2];
        scalar->normal(words, 1, x);
        uint64_t t = words[1] >> 11;
        long double r = sqrtl(-2 * logl((long double)((words[0] >> 11) + 1) * 0x1p-53L));
        long double exact[2] = {r * sine_of_turn((t + turn / 4) % turn), r * sine_of_turn(t)};
        for (int half = 0; half < 2; half++) {
            double error = exact[half] == 0 ? fabs(x[half]) : (double)fabsl(x[half] / exact[half] - 1);
            worst = fmax(worst, error);
            LEM_CHECK(error <= 8 * DBL_EPSILON, "words %llx, %llx: normal %.17g, exact %.17Lg",
                      (unsigned long long)words[0], (unsigned long long)words[1], x[half], exact[half]);
        }
    }
    lem_tap_diag("largest relative error of %zu normals: %.2f machine epsilons", 2 * repeats,
                 worst / DBL_EPSILON);
}

static void test_choice(void) {
    const lem_rng_kernel *best = lem_rng_best_kernel();
    LEM_CHECK(best == lem_rng_best_kernel(), "the choice stays");
    LEM_CHECK(best->runs_here(), "%s runs here", best->name);
    LEM_CHECK(scalar->runs_here() && lem_rng_kernels[0] == scalar, "the scalar kernel is always there");
    for (size_t k = 0; lem_rng_kernels[k]; k++) {
        LEM_CHECK(LEM_RNG_BATCH % lem_rng_kernels[k]->group == 0, "groups of %s fill a batch",
                  lem_rng_kernels[k]->name);
        lem_tap_diag("kernel %s: %s", lem_rng_kernels[k]->name,
                     lem_rng_kernels[k] == best        ? "in use"
                     : lem_rng_kernels[k]->runs_here() ? "runs here"
                                                       : "not on this processor");
    }
}

static const lem_tap_case cases[] = {
    {"the choice of a kernel", test_choice},
    {"fills of 0 to 70 items, from even and odd items", test_short_fills},
    {"long fills", test_long_fills},
    {"the last blocks of a stream", test_last_blocks},
    {"split fills", test_split_fills},
    {"integers", test_integers},
    {"extreme words, all kernels alike", test_extreme_words_alike},
    {"extreme words give finite normals", test_extreme_words_are_finite},
    {"limit values", test_limit_values},
    {"accuracy of normals", test_accuracy_of_normals},
};
LEM_TAP_MAIN(cases)
