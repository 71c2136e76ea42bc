#include "study/idx.h"
#include "tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A temporary directory with one file in it, made anew by each case. */
static char directory[64], path[96];

static void begin(void) {
    (void)snprintf(directory, sizeof directory, "%s/lemmata-idx-XXXXXX", P_tmpdir);
    if (!mkdtemp(directory))
        lem_tap_bail_out("no temporary directory");
    (void)snprintf(path, sizeof path, "%s/images.gz", directory);
}

static void end(void) {
    (void)unlink(path);
    (void)rmdir(directory);
}

static void write_gzip(const unsigned char *bytes, size_t n) {
    gzFile file = gzopen(path, "wb");
    if (!file || gzwrite(file, bytes, (unsigned)n) != (int)n || gzclose(file) != Z_OK)
        lem_tap_bail_out("cannot write %s", path);
}

static void write_plain(const unsigned char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        lem_tap_bail_out("cannot write %s", path);
}

static size_t read_plain(unsigned char *bytes, size_t n) {
    FILE *file = fopen(path, "rb");
    if (!file)
        lem_tap_bail_out("cannot read %s", path);
    const size_t got = fread(bytes, 1, n, file);
    (void)fclose(file);
    return got;
}

/* 2 images of 3 x 4 bytes. */
enum { HEAD = 16, SIZE = 24 };
static const unsigned char header[HEAD] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};

static void fill(unsigned char bytes[HEAD + SIZE]) {
    memcpy(bytes, header, HEAD);
    for (int i = 0; i < SIZE; i++)
        bytes[HEAD + i] = (unsigned char)(251 * i + 7);
}

static void expect_refusal(const char *words) {
    lem_idx idx;
    LEM_CHECK_ERROR(lem_idx_read(path, 3, &idx), words);
    LEM_CHECK(idx.data == NULL && idx.size == 0, "nothing is left behind after \"%s\"", words);
}

static void test_reads_back(void) {
    begin();
    unsigned char bytes[HEAD + SIZE];
    fill(bytes);
    write_gzip(bytes, sizeof bytes);
    lem_idx idx;
    LEM_CHECK(lem_idx_read(path, 3, &idx) == GSL_SUCCESS, "%s", lem_last_error());
    LEM_CHECK(idx.n_dims == 3 && idx.dims[0] == 2 && idx.dims[1] == 3 && idx.dims[2] == 4 && idx.size == SIZE,
              "%zu x %zu x %zu", idx.dims[0], idx.dims[1], idx.dims[2]);
    LEM_CHECK(idx.data && memcmp(idx.data, bytes + HEAD, SIZE) == 0, "the bytes come back");
    lem_idx_free(&idx);
    LEM_CHECK(idx.data == NULL, "freed");
    end();
}

static void test_labels(void) {
    begin();
    const unsigned char bytes[] = {0, 0, 8, 1, 0, 0, 0, 3, 9, 0, 255};
    write_gzip(bytes, sizeof bytes);
    lem_idx idx;
    LEM_CHECK(lem_idx_read(path, 1, &idx) == GSL_SUCCESS, "%s", lem_last_error());
    LEM_CHECK(idx.size == 3 && idx.data && idx.data[2] == 255, "three labels");
    lem_idx_free(&idx);
    expect_refusal("images.gz|1 dimensions|must be 3");
    end();
}

static void test_absent(void) {
    begin();
    expect_refusal("images.gz|No such file");
    (void)snprintf(path, sizeof path, "%s", directory);
    expect_refusal("directory");
    end();
}

static void test_foreign(void) {
    begin();
    unsigned char bytes[HEAD + SIZE];
    fill(bytes);
    write_plain(bytes, sizeof bytes);
    expect_refusal("images.gz|not a gzip file");
    write_plain(bytes, 0);
    expect_refusal("not a gzip file");
    write_gzip((const unsigned char *)"hello, world, this is no data set", 33);
    expect_refusal("images.gz|magic|68 65|00 00");
    bytes[2] = 0x0d; /* float */
    write_gzip(bytes, sizeof bytes);
    expect_refusal("0x0d|0x08");
    end();
}

static void test_dimensions(void) {
    begin();
    unsigned char bytes[HEAD + SIZE];
    fill(bytes);
    bytes[11] = 0;
    write_gzip(bytes, sizeof bytes);
    expect_refusal("dimension 2 is 0|>= 1");
    memset(bytes + 4, 0xff, 12); /* a product far above 2^64 must not wrap round to something small */
    write_gzip(bytes, sizeof bytes);
    expect_refusal("4294967295|2^31");
    end();
}

/* Every possible cut of the compressed file and of its contents is refused, and never as success. */
static void test_cut_off(void) {
    begin();
    unsigned char bytes[HEAD + SIZE], packed[256];
    fill(bytes);
    for (size_t n = 0; n < sizeof bytes; n++) {
        write_gzip(bytes, n);
        expect_refusal(n < 4 ? "ends after|magic" : n < HEAD ? "ends after|dimensions" : "ends after|data");
    }
    write_gzip(bytes, sizeof bytes);
    const size_t size = read_plain(packed, sizeof packed);
    for (size_t n = 0; n < size; n++) {
        write_plain(packed, n);
        expect_refusal(n < 2 ? "not a gzip file" : "images.gz");
    }
    end();
}

static void test_longer(void) {
    begin();
    unsigned char bytes[HEAD + SIZE + 1] = {0};
    fill(bytes);
    write_gzip(bytes, sizeof bytes);
    expect_refusal("longer than its header says");
    end();
}

/* A flipped bit of the deflate stream, checksum or length is noticed, unless it is one of the padding bits
 * that decode to the same bytes. The 10 bytes of the gzip header before them hold time stamp and system,
 * which no checksum covers. */
static void test_damaged(void) {
    begin();
    unsigned char bytes[HEAD + SIZE], packed[256];
    fill(bytes);
    write_gzip(bytes, sizeof bytes);
    const size_t size = read_plain(packed, sizeof packed);
    size_t unnoticed = 0;
    for (size_t bit = 80; bit < 8 * size; bit++) {
        const unsigned char flip = (unsigned char)(1u << (bit % 8));
        packed[bit / 8] ^= flip;
        write_plain(packed, size);
        lem_idx idx;
        if (lem_idx_read(path, 3, &idx) == GSL_SUCCESS) {
            unnoticed++;
            LEM_CHECK(idx.size == SIZE && memcmp(idx.data, bytes + HEAD, SIZE) == 0,
                      "bit %zu changes the data", bit);
        } else {
            LEM_CHECK(strstr(lem_last_error(), path) != NULL, "names the file: \"%s\"", lem_last_error());
        }
        lem_idx_free(&idx);
        packed[bit / 8] ^= flip;
    }
    LEM_CHECK(unnoticed < 8, "%zu flipped bits went unnoticed: at most 7 pad the last byte", unnoticed);
    end();
}

static void test_bad_arguments(void) {
    lem_idx idx;
    LEM_CHECK_ERROR(lem_idx_read(NULL, 3, &idx), "path|null");
    LEM_CHECK_ERROR(lem_idx_read("x", 3, NULL), "idx|null");
    LEM_CHECK_ERROR(lem_idx_read("x", 0, &idx), "n_dims = 0|1 to 4");
    LEM_CHECK_ERROR(lem_idx_read("x", 5, &idx), "n_dims = 5|1 to 4");
    lem_idx_free(NULL);
}

static const lem_tap_case cases[] = {
    {"images come back", test_reads_back},
    {"labels, and the number of dimensions", test_labels},
    {"an absent file", test_absent},
    {"foreign files", test_foreign},
    {"dimensions out of range", test_dimensions},
    {"cut-off files", test_cut_off},
    {"a file longer than its header says", test_longer},
    {"damaged bytes", test_damaged},
    {"bad arguments", test_bad_arguments},
};
LEM_TAP_MAIN(cases)
