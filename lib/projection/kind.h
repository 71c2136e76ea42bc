/* The families of random projections. */
#ifndef LEM_PROJECTION_KIND_H
#define LEM_PROJECTION_KIND_H

#ifdef __cplusplus
extern "C" {
#endif

/* A random n x m matrix A with E ||A u||^2 = ||u||^2 for every u. */
typedef enum {
    /* Entries N(0, 1/n). */
    LEM_PROJECTION_GAUSSIAN,
    /* Entries +-1/sqrt(n) (Achlioptas 2003). */
    LEM_PROJECTION_RADEMACHER,
    /* Entries +-sqrt(s/n) with probability 1/(2s) each, else 0 (Achlioptas 2003 with s = 3; Li, Hastie &
     * Church 2006). */
    LEM_PROJECTION_SPARSE,
    /* sqrt(m/n) times the first n rows of a Haar-orthogonal m x m matrix; n <= m. */
    LEM_PROJECTION_HAAR,
    /* Subsampled randomised Hadamard transform: random signs, Walsh-Hadamard, n of the m rows without
     * replacement; m a power of two, n <= m (Tropp 2011, arXiv 1011.1595). */
    LEM_PROJECTION_SRHT,
    /* The same with the next power of two M >= m in place of m, for vectors padded with M - m zeros; n <= m.
     */
    LEM_PROJECTION_SRHT_PADDED
} lem_projection_kind;

#ifdef __cplusplus
}
#endif
#endif
