/* What every kind of attention may be asked for. */
#ifndef LEM_ATTENTION_OPTIONS_H
#define LEM_ATTENTION_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from LEM_ATTENTION_PLAIN and set what differs; a null pointer to options means the same. */
typedef struct {
    double scale; /* of the logits: scale * (q . k); finite */
    bool causal;  /* query i sees the keys 0..i only; needs as many keys as queries */
    /* Query i sees key j where visible[i * visible_tda + j] is not 0; NULL: all. visible_tda = 0: one row for
     * all queries (padding). Together with causal both must allow. */
    const unsigned char *visible;
    size_t visible_tda;
    int threads; /* 0: as many as OpenMP gives; the bits do not depend on it */
} lem_attention_options;

#define LEM_ATTENTION_PLAIN ((lem_attention_options){.scale = 1})

#ifdef __cplusplus
}
#endif
#endif
