/* performer-variance: random features for softmax attention. What are the exact means and variances of the
 * estimators behind Performer and its successors, where do they fail, and what do orthogonality, stratified
 * lengths and shifts buy? Each section is a file of its own, one part of the page
 * notebooks-md/performer-variance.md. */
#include "study.h"

static const lem_section sections[] = {
    {"kernel", "one kernel value by independent projections", perf_kernel},
    {"blowup", "heavy tails, and features with a lighter one", perf_blowup},
    {"orthogonal", "orthogonal and simplex blocks", perf_orthogonal},
    {"radius", "lengths of projections", perf_radius},
    {"attention", "errors and costs of attention", perf_attention},
    {"shifts", "stabilisers and invariances", perf_shifts},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "performer-variance",
                           .title = "Random features for softmax attention: exact variances",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
