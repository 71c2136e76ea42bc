/* softmax-robustness: how much does noise on the scores move the output of attention, and how much
 * information can a softmax of bounded scores express? Each section is a file of its own, one part of the
 * page notebooks-md/softmax-robustness.md. */
#include "study.h"

static const lem_section sections[] = {
    {"factor", "the noise factor of each law", srob_factor},
    {"exact", "the exact integrals, by other routes", srob_exact},
    {"rate", "the leading order, and where it fails", srob_rate},
    {"ends", "from uniform to one-hot attention", srob_ends},
    {"tails", "what the tail of the noise decides", srob_tails},
    {"map", "the attention map, dependent noise, ensembles", srob_map},
    {"bounded", "bounded noise of any dependence", srob_bounded},
    {"floor", "the least entropy of bounded scores", srob_floor_section},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "softmax-robustness",
                           .title = "Noise on attention scores: when the output stays, and when it does not",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
