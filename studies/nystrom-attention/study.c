/* nystrom-attention: what attention through landmarks really computes. When is it exact, what does the
 * six-step pseudo-inverse do, and where does its error come from? Each section is a file of its own, one part
 * of the page notebooks-md/nystrom-attention.md. */
#include "study.h"

static const lem_section sections[] = {
    {"exactness", "when landmarks give exact attention", nys_exactness},
    {"signs", "row sums and signs", nys_signs},
    {"iteration", "the iteration as a spectral filter", nys_iteration},
    {"singular", "rounding along a null space", nys_singular},
    {"steps", "error against the number of steps", nys_steps},
    {"landmarks", "error against the number of landmarks", nys_landmarks},
    {"iid", "landmarks of unrelated rows", nys_iid},
    {"padding", "padding that is not masked", nys_padding},
    {"flat", "the limit of shrinking landmarks", nys_flat},
    {"maps", "the matrices themselves", nys_maps},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "nystrom-attention",
                           .title = "Attention through landmarks: what the Nystrom form computes",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
