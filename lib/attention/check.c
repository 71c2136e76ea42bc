#include "attention/check.h"
#include "linalg/check.h"

#include <math.h>

lem_attention_options lem_options_or_plain(const lem_attention_options *options) {
    return options ? *options : LEM_ATTENTION_PLAIN;
}

static bool sees_nothing(const lem_attention_options *options, size_t i, size_t m) {
    const unsigned char *visible = lem_visible_row(options, i);
    const size_t seen = lem_seen_keys(options, i, m);
    for (size_t j = 0; j < seen; j++)
        if (visible[j])
            return false;
    return true;
}

static int check_options(const lem_attention_options *options, size_t n, size_t m) {
    if (!isfinite(options->scale))
        return LEM_ERROR(GSL_EINVAL, "scale = %g: must be finite", options->scale);
    if (options->threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", options->threads);
    if (options->causal && n != m)
        return LEM_ERROR(GSL_EBADLEN, "causal with %zu queries and %zu keys: must be equally many", n, m);
    if (!options->visible)
        return GSL_SUCCESS;
    if (options->visible_tda != 0 && options->visible_tda < m)
        return LEM_ERROR(GSL_EBADLEN, "visible_tda = %zu: must be 0 or >= %zu, the number of keys",
                         options->visible_tda, m);
    for (size_t i = 0; i < n; i++)
        if (sees_nothing(options, i, m))
            return LEM_ERROR(GSL_EINVAL, "row %zu is fully masked: each query must see a key", i);
    return GSL_SUCCESS;
}

int lem_check_attention(const gsl_matrix *q, const char *q_name, const gsl_matrix *k, const char *k_name,
                        const lem_attention_options *options) {
    int status;
    if ((status = lem_check_input(q, q_name)) || (status = lem_check_input(k, k_name)))
        return status;
    return lem_check_attention_shapes(q, q_name, k, k_name, options);
}

int lem_check_attention_shapes(const gsl_matrix *q, const char *q_name, const gsl_matrix *k,
                               const char *k_name, const lem_attention_options *options) {
    int status;
    if ((status = lem_check_output(q, q_name)) || (status = lem_check_output(k, k_name)))
        return status;
    if (q->size2 != k->size2)
        return LEM_ERROR(GSL_EBADLEN, "%s is %zu x %zu and %s is %zu x %zu: must have as many columns",
                         q_name, q->size1, q->size2, k_name, k->size1, k->size2);
    return check_options(options, q->size1, k->size1);
}

int lem_check_values(const gsl_matrix *q, const char *q_name, const gsl_matrix *k, const char *k_name,
                     const gsl_matrix *v, const gsl_matrix *o) {
    int status;
    if ((status = lem_check_input(v, "V")) || (status = lem_check_output(o, "O")))
        return status;
    if (v->size1 != k->size1)
        return LEM_ERROR(GSL_EBADLEN, "V has %zu rows and %s %zu: must have as many", v->size1, k_name,
                         k->size1);
    if ((status = lem_check_shape(o, "O", q->size1, v->size2)) ||
        (status = lem_check_apart(q, q_name, o, "O")) || (status = lem_check_apart(k, k_name, o, "O")) ||
        (status = lem_check_apart(v, "V", o, "O")))
        return status;
    return GSL_SUCCESS;
}
