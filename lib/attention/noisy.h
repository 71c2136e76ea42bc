/* Attention whose scores carry independent noise: how far its output moves, exactly.
 *
 * p in the simplex, values v, o = sum p_i v_i, u_i = v_i - o; q_i = p_i W_i/sum_j p_j W_j, W_i = e^noise
 * independent with one law, o~ = sum q_i v_i. With f_i(t) = E e^(-t p_i W), a_i = p_i E[W e^(-t p_i W)]/f_i,
 * b_i = p_i^2 E[W^2 e^(-t p_i W)]/f_i, P = prod f_i (write 1/Z^k as an integral of t^(k-1) e^(-tZ)):
 *
 *     1              = int P sum a_i dt                                              the certificate
 *     E o~ - o       = int P sum u_i a_i dt
 *     E (o~ - o)^2   = int t P [sum u_i^2 (b_i - a_i^2) + (sum u_i a_i)^2] dt
 *     E sum q_i^2    = int t P sum b_i dt
 *
 * by the trapezoidal rule in log t with step 11/64, off by less than 1e-20 (the integrands are analytic for
 * |arg t| < pi/2, with |f_i(t)| <= f_i(|t| cos arg t): gaussian.c), over all t where P differs from its ends
 * by more than 1e-19. Values count relative to that of the heaviest token, and b_i - a_i^2 is found as a sum
 * of squares, so that the error keeps its digits where one token has nearly all the weight.
 *
 * Source: claims srob.exact, srob.delta-law and srob.two-token; kexue.fm 9593 for the question. */
#ifndef LEM_ATTENTION_NOISY_H
#define LEM_ATTENTION_NOISY_H

#include "attention/noise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A law of noise made ready, to be used for many p and v: some 10 to 300 ms. Gaussian sigma <= 8, uniform h
 * <= 20, Laplace b <= 2 (any b: the moments of q are finite where those of W are not), dropout r < 1. NULL on
 * error: GSL_EDOM, GSL_EINVAL (the law), GSL_ENOMEM. */
typedef struct lem_noise_table lem_noise_table;
LEM_API lem_noise_table *lem_noise_table_alloc(lem_noise noise);
LEM_API void lem_noise_table_free(lem_noise_table *table);

typedef struct {
    double bias;        /* E o~ - o */
    double mse;         /* E (o~ - o)^2 */
    double sum_squares; /* E sum q_i^2 */
    double norm;        /* the certificate, 1 */
} lem_noisy_moments;

/* p, v: [n], n >= 1; p >= 0 with sum 1 up to 1e-9 (p is divided by its sum), v finite. For vector values add
 * up the components. Dropout: given that a token is left; P(none is left) = r^n is divided out. Relative
 * accuracy of mse 1e-12, however small the noise (Laplace noise of b >= 0.4: where the two heaviest tokens
 * are within a factor e^40), of bias 1e-12 times the root of mse. GSL_EFAULT, GSL_EINVAL (n = 0, v), GSL_EDOM
 * (p), GSL_EOVRFLW (the square of v), GSL_ENOMEM, GSL_EFAILED when the certificate is off by more than 1e-11.
 * Some 5 us for each token. Thread-safe: the table is only read. */
LEM_API int lem_noisy_attention_moments(const lem_noise_table *table, size_t n, const double *p,
                                        const double *v, lem_noisy_moments *out);

/* The same for one call with Gaussian noise, 0 <= sigma <= 8; NaN on error. */
LEM_API double lem_noisy_attention_bias(size_t n, const double *p, const double *v, double sigma);
LEM_API double lem_noisy_attention_mse(size_t n, const double *p, const double *v, double sigma);

/* What is left to leading order in nu: bias -nu sum p_i^2 u_i, mse nu sum p_i^2 u_i^2. With mu3 = E(W/E W -
 * 1)^3 the next order multiplies the mse by 1 + correction,
 *
 *     correction = -2 (mu3/nu) sum p_i^3 u_i^2/sum p_i^2 u_i^2
 *                  + 3 nu [sum p_i^2 + 2 (sum p_i^2 u_i)^2/sum p_i^2 u_i^2]
 *
 * up to terms of fourth order in p: it should be small where the law is to be used. For Gaussian noise mu3/nu
 * = nu^2 + 3 nu: the law wants nu^2, not nu, below the participation number. */
typedef struct {
    double bias, mse, correction; /* correction 0 where the mse is */
    double participation;         /* 1/sum p_i^2 */
} lem_noisy_delta;

/* noise with a finite third moment of W: Gaussian sigma <= 8, uniform, Laplace b < 1/3, dropout; else
 * GSL_EDOM. Others as above. */
LEM_API int lem_noisy_attention_delta(lem_noise noise, size_t n, const double *p, const double *v,
                                      lem_noisy_delta *out);

/* Two tokens of weight 1/2 and values 1 and 0, Gaussian noise: E tanh^2(sigma Z/sqrt 2)/4, rising to 1/4.
 * sigma >= 0; NaN and GSL_EDOM otherwise. By the trapezoidal rule (noisy_tie.c). */
LEM_API double lem_tie_mse_gauss(double sigma);

/* If every |noise| <= h, of whatever dependence, the total variation between p and q is at most tanh(h/2),
 * and the output moves by at most that times the diameter of the values. Attained by raising tokens of total
 * weight 1/(1 + e^h) by h and lowering the others by h. h >= 0, infinity allowed. Source: claim
 * srob.bounded-noise. */
LEM_API double lem_tv_bound_bounded_noise(double h);

#ifdef __cplusplus
}
#endif
#endif
