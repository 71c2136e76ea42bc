/* path-integral: a random walk, a stochastic differential equation and a parabolic equation are one object,
 * linked by a path integral. Which of the links hold, exactly or to which order? Each section is a file of
 * its own, one part of the page notebooks-md/path-integral.md. */
#include "study.h"

#include "stochastic.h"

static const lem_section sections[] = {
    {"walk", "the walk and the Fokker-Planck equation", pi_walk},
    {"gauge", "from a drift to a potential", pi_gauge},
    {"slices", "short-time kernels", pi_slices},
    {"quadratic", "quadratic actions", pi_quadratic},
    {"spectra", "ground states and rates", pi_spectra},
    {"series", "perturbation theory", pi_series},
    {"one-law", "walk, equation and path integral give one law", pi_one_law},
    {"bridges", "Feynman-Kac on Brownian bridges", pi_bridges},
    {"mean-path", "the most probable and the mean path", pi_mean_path},
    {"stock", "geometric Brownian motion", pi_stock},
    {"schemes", "orders of schemes", pi_schemes},
    {"levels", "multilevel Monte Carlo", pi_levels},
    {"first-passage", "survival below a barrier", pi_first_passage},
    {"price", "a European call", pi_price},
    {"orders", "orders of convergence", pi_orders},
};

int main(int argc, char **argv) {
    return lem_study_main(&((lem_study_spec){.name = "path-integral",
                                             .title = "Random walks, diffusions and path integrals",
                                             .sections = sections,
                                             .n_sections = COUNT(sections)}),
                          argc, argv);
}
