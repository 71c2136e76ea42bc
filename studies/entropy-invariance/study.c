/* entropy-invariance: does a scale proportional to log n keep the entropy of attention where it was? Exact
 * mean-field and exact finite-n entropies for keys on a sphere, the origin of the constant 0.24, and the
 * scale that really holds the entropy. Each section is a file of its own, one part of the page
 * notebooks-md/entropy-invariance.md. */
#include "study.h"

static const lem_section sections[] = {
    {"meanfield", "the mean field and the constant 0.24", entinv_meanfield},
    {"constant", "the scale of constant entropy in the mean field", entinv_constant},
    {"quenched", "exact entropies of finitely many keys", entinv_quenched},
    {"validity", "where the mean field ends", entinv_validity},
    {"invariance", "which rule holds the entropy", entinv_invariance},
    {"use", "what to use", entinv_use},
    {"jensen", "a lower bound", entinv_jensen},
    {"planted", "one relevant key", entinv_planted},
    {"frozen", "Gaussian scores in the frozen phase", entinv_frozen},
};

int main(int argc, char **argv) {
    return lem_study_main(&((lem_study_spec){.name = "entropy-invariance",
                                             .title = "Does the log n scale keep the entropy of attention?",
                                             .sections = sections,
                                             .n_sections = COUNT(sections)}),
                          argc, argv);
}
