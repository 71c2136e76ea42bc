/* The gzip-compressed IDX files of the MNIST family: unsigned bytes with 1 to 4 dimensions. */
#ifndef LEM_STUDY_IDX_H
#define LEM_STUDY_IDX_H

#include "base/error.h"

#include <stddef.h>

enum { LEM_IDX_MAX_DIMS = 4 };

/* data holds dims[0] x dims[1] x ... bytes, the last index running fastest. */
typedef struct {
    size_t n_dims, dims[LEM_IDX_MAX_DIMS];
    size_t size; /* bytes in data, the product of dims */
    unsigned char *data;
} lem_idx;

/* Read a whole file of n_dims dimensions into idx, to be released by lem_idx_free. On error idx is empty, and
 * the sentence names the file and what is wrong with it:
 *   absent or unreadable                               GSL_EFAILED
 *   not gzip; no IDX magic; another element type or number of dimensions; a dimension of 0 or more than 2^31
 *   bytes in all; shorter or longer than the header says; a damaged or cut-off gzip stream (its checksum is
 *   verified)                                          GSL_EBADLEN or GSL_EINVAL
 *   no memory                                          GSL_ENOMEM */
int lem_idx_read(const char *path, size_t n_dims, lem_idx *idx);

void lem_idx_free(lem_idx *idx);

#endif
