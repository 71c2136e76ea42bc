#include "tap/tap.h"
#include "walk/callback.h"

#include <math.h>

/* ctx[0] x + ctx[1] t; no value right of 5, none that is finite left of -5 */
static int plane(double x, double t, const void *ctx, double *value) {
    const double *c = ctx;
    if (x > 5)
        return GSL_EDOM;
    *value = x < -5 ? NAN : c[0] * x + c[1] * t;
    return GSL_SUCCESS;
}

static void test_value(void) {
    const double c[] = {2, -3};
    double value = 0;
    LEM_CHECK(lem_field_at(&(lem_field){plane, c}, "drift", 1.5, .5, &value) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(value, 1.5, 0);
}

static void test_refusals(void) {
    const double c[] = {2, -3}, huge[] = {1e308, 0};
    double value = 0;
    const lem_field field = {plane, c}, none = {NULL, NULL}, overflows = {plane, huge};
    LEM_CHECK_ERROR(lem_field_at(NULL, "drift", 0, 0, &value), "drift = null");
    LEM_CHECK_ERROR(lem_field_at(&none, "potential", 0, 0, &value), "potential = null");
    LEM_CHECK_ERROR(lem_field_at(&field, "drift", 0, 0, NULL), "drift|null|value");
    LEM_CHECK(lem_field_at(&field, "drift", 6, .25, &value) == GSL_EDOM, "its own status");
    LEM_CHECK_ERROR(lem_field_at(&field, "drift", 6, .25, &value), "drift(x = 6, t = 0.25)|error 1");
    LEM_CHECK_ERROR(lem_field_at(&field, "drift", -6, .25, &value), "drift(x = -6, t = 0.25) = nan|finite");
    LEM_CHECK_ERROR(lem_field_at(&overflows, "V", 3, 1, &value), "V(x = 3, t = 1) = inf|finite");
}

static const lem_tap_case cases[] = {
    {"the value is the function's", test_value},
    {"errors and NaN are reported with x and t", test_refusals},
};
LEM_TAP_MAIN(cases)
