/* linear-attention-expansions: polynomials in the place of exp(q . k), their exact errors, and what linear
 * attention loses. Each section is a file of its own, one part of the page
 * notebooks-md/linear-attention-expansions.md. */
#include "study.h"

static const lem_section sections[] = {
    {"features", "features of a polynomial kernel", lin_features},
    {"errors", "Taylor polynomials and powers", lin_errors},
    {"positivity", "signs and monotony", lin_positivity},
    {"better", "better polynomials of the same degree", lin_better},
    {"attention", "as attention, against random features", lin_attention},
    {"rank", "ranks", lin_rank},
    {"entropy", "concentration", lin_entropy},
    {"norms", "dropped norms and double softmax", lin_norms},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "linear-attention-expansions",
                           .title = "Polynomials in the place of exp(q . k): errors, rank, concentration",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
