/* Internal: what attention functions ask of their arguments. */
#ifndef LEM_ATTENTION_CHECK_H
#define LEM_ATTENTION_CHECK_H

#include "attention/options.h"

#include <gsl/gsl_matrix.h>

/* `options`, or what a null pointer stands for. */
lem_attention_options lem_options_or_plain(const lem_attention_options *options);

/* Q n x d and K m x d: finite, of the same width; the options fit them, and no query is cut off from all
 * keys (GSL_EINVAL, with the row named). */
int lem_check_attention(const gsl_matrix *q, const char *q_name, const gsl_matrix *k, const char *k_name,
                        const lem_attention_options *options);

/* The same without a look at the entries of Q and K. */
int lem_check_attention_shapes(const gsl_matrix *q, const char *q_name, const gsl_matrix *k,
                               const char *k_name, const lem_attention_options *options);

/* V m x d_v finite with a row for each key, O n x d_v, O apart from Q, K and V. */
int lem_check_values(const gsl_matrix *q, const char *q_name, const gsl_matrix *k, const char *k_name,
                     const gsl_matrix *v, const gsl_matrix *o);

/* The number of leading keys that query i may see at all, of m. */
static inline size_t lem_seen_keys(const lem_attention_options *options, size_t i, size_t m) {
    return options->causal && i + 1 < m ? i + 1 : m;
}

static inline const unsigned char *lem_visible_row(const lem_attention_options *options, size_t i) {
    return options->visible ? options->visible + i * options->visible_tda : NULL;
}

#endif
