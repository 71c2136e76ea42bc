/* jl-projection: random projections end to end. How exact are the Johnson-Lindenstrauss bounds, which random
 * matrices do better, and which of the usual applications (sign hashing, randomized SVD, 8.33 log N embedding
 * sizes) really follow? Each section is a file of its own, one part of the page
 * notebooks-md/jl-projection.md. */
#include "study.h"

static const lem_section sections[] = {
    {"norms", "the length of one projected vector", jl_norms},
    {"distances", "all pairs of a set of points", jl_distances},
    {"families", "other random matrices", jl_families},
    {"angles", "inner products and angles", jl_angles},
    {"signs", "sign hashing and estimators of a cosine", jl_signs},
    {"rsvd", "sketches of a matrix", jl_rsvd},
    {"entropy", "the entropy rule of embedding size", jl_entropy},
    {"freezing", "where the entropy freezes", jl_freezing},
    {"images", "real images", jl_images},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "jl-projection",
                           .title = "Random projections: the Johnson-Lindenstrauss lemma end to end",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
