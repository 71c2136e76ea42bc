/* attention-scale: which inverse temperature makes softmax easiest to train? The rule "maximise the mean size
 * of the gradient" is worked out in an article with an annealed average. Exact averages at every finite n
 * show that its maximum is not there, and what there is instead. Each section is a file of its own, one part
 * of the page notebooks-md/attention-scale.md. */
#include "study.h"

static const lem_section sections[] = {
    {"matrix", "the Jacobian and its norms", ascale_matrix},
    {"annealed", "the annealed optimum and its fits", ascale_annealed},
    {"exact", "exact means at finite n", ascale_exact},
    {"limits", "sharp and long limits", ascale_limits},
    {"cosine", "cosines of random directions", ascale_cosine},
    {"typical", "optima of draws and of geometric means", ascale_typical},
    {"tails", "other laws of the scores", ascale_tails},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "attention-scale",
                           .title = "The attention scale by gradient maximisation: an annealed peak",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
