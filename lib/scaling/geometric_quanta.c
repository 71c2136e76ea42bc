#include "scaling/geometric_quanta.h"
#include "scaling/gamma_ratio.h"
#include "scaling/quanta_check.h"

#include <math.h>

double lem_geometric_quanta_loss(double q, double D, double tau) {
    if (!(q > 0) || q > 0.9999)
        return LEM_ERROR_NAN(GSL_EDOM, "q = %g: must be positive and at most 0.9999", q);
    if (lem_quanta_check_samples(D) || lem_quanta_check_tau(tau, LEM_TAU_SUMS))
        return (double)NAN;
    const double log_q = log(q);
    /* Before `first` D p exceeds 2 tau + 1600: unlearned with a probability below e^-800. */
    const double first = fmax(0, floor(log((2 * tau + 1600) / (D * (1 - q))) / log_q));
    double sum = 0;
    for (double k = first;; k++) {
        const double p = (1 - q) * exp(k * log_q), learned = lem_gamma_below(tau, D * p);
        /* all further ones are less likely to be learned still */
        if (learned < 1e-18)
            return sum + exp(k * log_q);
        sum += p * lem_gamma_above(tau, D * p);
    }
}
