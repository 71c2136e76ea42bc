#include "toy.h"

/* lem_toy(x) is told of here, but not defined. */
double lem_toy(double x);

static double lem_toy_helper(double x) {
    return lem_toy(x);
}

double
lem_toy(double x) {
    /* a ``` fence within */
    if (x > 0) {
        return x;
    }
    return -x;
}

double lem_other(double x) {
    return x;
}
