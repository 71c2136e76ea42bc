#include "study/idx.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TYPE_UNSIGNED_BYTE = 0x08 };
static const size_t MAX_SIZE = (size_t)1 << 31;

/* zlib reads a file that is not gzip as it stands; such a file is foreign to us, so look first. */
static int check_gzip(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return LEM_ERROR(GSL_EFAILED, "%s: %s", path, strerror(errno));
    unsigned char magic[2] = {0, 0};
    const size_t got = fread(magic, 1, sizeof magic, file);
    const bool failed = ferror(file) != 0;
    const int reason = errno;
    (void)fclose(file);
    if (failed)
        return LEM_ERROR(GSL_EFAILED, "%s: %s", path, strerror(reason));
    if (got < sizeof magic || magic[0] != 0x1f || magic[1] != 0x8b)
        return LEM_ERROR(GSL_EINVAL, "%s: not a gzip file", path);
    return GSL_SUCCESS;
}

/* Read exactly size bytes. */
static int read_bytes(gzFile file, const char *path, const char *what, unsigned char *out, size_t size) {
    size_t done = 0;
    while (done < size) {
        const size_t step = size - done < (1u << 24) ? size - done : (1u << 24);
        const int got = gzread(file, out + done, (unsigned)step);
        int code = Z_OK;
        const char *reason = gzerror(file, &code);
        if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
            return LEM_ERROR(GSL_EINVAL, "%s: damaged or cut-off gzip stream in the %s (%s)", path, what,
                             reason);
        if (got == 0)
            return LEM_ERROR(GSL_EBADLEN, "%s: ends after %zu of the %zu bytes of its %s", path, done, size,
                             what);
        done += (size_t)got;
    }
    return GSL_SUCCESS;
}

/* Nothing may follow the data; reading on to the end also verifies the gzip checksum. */
static int check_end(gzFile file, const char *path) {
    unsigned char extra;
    const int got = gzread(file, &extra, 1);
    int code = Z_OK;
    const char *reason = gzerror(file, &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
        return LEM_ERROR(GSL_EINVAL, "%s: damaged or cut-off gzip stream at its end (%s)", path, reason);
    if (got > 0)
        return LEM_ERROR(GSL_EBADLEN, "%s: longer than its header says", path);
    return GSL_SUCCESS;
}

static int read_header(gzFile file, const char *path, size_t n_dims, lem_idx *idx) {
    unsigned char head[4 + 4 * LEM_IDX_MAX_DIMS];
    int status = read_bytes(file, path, "magic number", head, 4);
    if (status)
        return status;
    if (head[0] != 0 || head[1] != 0)
        return LEM_ERROR(GSL_EINVAL, "%s: no IDX magic number (starts with %02x %02x, must be 00 00)", path,
                         head[0], head[1]);
    if (head[2] != TYPE_UNSIGNED_BYTE)
        return LEM_ERROR(GSL_EINVAL, "%s: IDX element type 0x%02x, must be 0x08 (unsigned byte)", path,
                         head[2]);
    if (head[3] != n_dims)
        return LEM_ERROR(GSL_EINVAL, "%s: IDX file of %d dimensions, must be %zu", path, head[3], n_dims);
    status = read_bytes(file, path, "dimensions", head + 4, 4 * n_dims);
    if (status)
        return status;
    idx->n_dims = n_dims;
    idx->size = 1;
    for (size_t d = 0; d < n_dims; d++) {
        const unsigned char *b = head + 4 + 4 * d;
        idx->dims[d] = (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | (size_t)b[3];
        if (idx->dims[d] == 0 || idx->dims[d] > MAX_SIZE / idx->size)
            return LEM_ERROR(GSL_EINVAL,
                             "%s: dimension %zu is %zu: must be >= 1, and all together <= 2^31 bytes", path,
                             d + 1, idx->dims[d]);
        idx->size *= idx->dims[d];
    }
    return GSL_SUCCESS;
}

static int read_open(gzFile file, const char *path, size_t n_dims, lem_idx *idx) {
    int status = read_header(file, path, n_dims, idx);
    if (status)
        return status;
    idx->data = malloc(idx->size);
    if (!idx->data)
        return LEM_ERROR(GSL_ENOMEM, "%s: no memory for %zu bytes", path, idx->size);
    status = read_bytes(file, path, "data", idx->data, idx->size);
    return status ? status : check_end(file, path);
}

int lem_idx_read(const char *path, size_t n_dims, lem_idx *idx) {
    if (!path || !idx)
        return LEM_ERROR(GSL_EFAULT, "%s is a null pointer", path ? "idx" : "path");
    *idx = (lem_idx){0};
    if (n_dims < 1 || n_dims > LEM_IDX_MAX_DIMS)
        return LEM_ERROR(GSL_EINVAL, "n_dims = %zu: must be 1 to %d", n_dims, LEM_IDX_MAX_DIMS);
    int status = check_gzip(path);
    if (status)
        return status;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return LEM_ERROR(GSL_EFAILED, "%s: cannot be opened (%s)", path, strerror(errno));
    status = read_open(file, path, n_dims, idx);
    (void)gzclose(file);
    if (status)
        lem_idx_free(idx);
    return status;
}

void lem_idx_free(lem_idx *idx) {
    if (!idx)
        return;
    free(idx->data);
    *idx = (lem_idx){0};
}
