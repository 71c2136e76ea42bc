/* The Bessel functions of the sphere against Arb balls, on random arguments. */
#include "attention/sphere.h"
#include "projection/oracle.h"

#include <arb_hypgeom.h>
#include <math.h>

/* 0F1(; d/2 + shift; x^2/4) */
static void mgf(arb_t result, const double *args, ulong shift, slong prec) {
    arb_t a, z;
    arb_init(a), arb_init(z);
    arb_set_d(a, args[1] / 2);
    arb_add_ui(a, a, shift, prec);
    arb_set_d(z, args[0] / 2);
    arb_sqr(z, z, prec);
    arb_hypgeom_0f1(result, a, z, 0, prec);
    arb_clear(a), arb_clear(z);
}

static void ball_log_mgf(arb_t result, const double *args, slong prec) {
    mgf(result, args, 0, prec);
    arb_log(result, result, prec);
}

/* (x/d) M_{d+2}/M_d */
static void ball_resultant(arb_t result, const double *args, slong prec) {
    arb_t m;
    arb_init(m);
    mgf(m, args, 0, prec);
    mgf(result, args, 1, prec);
    arb_div(result, result, m, prec);
    arb_set_d(m, args[0]);
    arb_mul(result, result, m, prec);
    arb_set_d(m, args[1]);
    arb_div(result, result, m, prec);
    arb_clear(m);
}

static void ball_kl(arb_t result, const double *args, slong prec) {
    arb_t m, x;
    arb_init(m), arb_init(x);
    ball_log_mgf(m, args, prec);
    ball_resultant(result, args, prec);
    arb_set_d(x, args[0]);
    arb_mul(result, result, x, prec);
    arb_sub(result, result, m, prec);
    arb_clear(m), arb_clear(x);
}

static void check_at(double x, double d) {
    const double args[] = {x, d};
    CHECK_BALL(lem_log_mgf_cosine(x, d), ball_log_mgf, args, CLOSED);
    CHECK_BALL(lem_vmf_mean_resultant(x, d), ball_resultant, args, CLOSED);
    CHECK_BALL(lem_vmf_kl_uniform(x, d), ball_kl, args, CLOSED);
}

static void test_everywhere(void) {
    for (size_t i = 0; i < repetitions(2000); i++)
        check_at(random_log(1e-9, 3000), random_log(2, 3000));
    for (size_t i = 0; i < repetitions(20); i++)
        check_at(random_log(3000, 3e6), random_log(2, 300));
}

/* Both sides of the border R = 28, where either way is at its worst; few dimensions. */
static void test_border(void) {
    for (size_t i = 0; i < repetitions(2000); i++)
        check_at(random_between(18, 35), random_log(2, 60));
    for (size_t i = 0; i < repetitions(200); i++)
        check_at(random_between(.5, 40), floor(random_between(2, 12)));
}

static const lem_tap_case cases[] = {{"everywhere", test_everywhere}, {"border", test_border}};
LEM_TAP_MAIN(cases)
