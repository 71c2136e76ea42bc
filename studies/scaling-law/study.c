/* scaling-law: neural scaling laws from quanta. A network learns discrete pieces of knowledge whose
 * frequencies fall like Zipf's law; what losses follow when it has room for n of them, when it sees D
 * samples, when both are limited? And does the theory agree with published training runs? Each section is a
 * file of its own, one part of the page notebooks-md/scaling-law.md. */
#include "study.h"
#include "fits.h"

static const lem_section sections[] = {
    {"capacity", "room for n quanta", sl_capacity},
    {"samples", "expected losses of D samples", sl_samples},
    {"simulation", "the sampling itself", sl_simulation},
    {"emergence", "one task, and many passes", sl_emergence},
    {"budget", "quanta and samples at a fixed product", sl_budget},
    {"alternatives", "other frequencies, another cost", sl_alternatives},
    {"offset", "a power law with an offset", sl_offset},
    {"optimum", "the compute-optimal split in closed form", sl_optimum},
    {"twin", "fits of synthetic runs", sl_twin},
    {"published", "fits of published runs", sl_published},
};

int main(int argc, char **argv) {
    return lem_study_main(
        &((lem_study_spec){.name = "scaling-law",
                           .title = "Scaling laws from quanta, and the fits that are made of them",
                           .sections = sections,
                           .n_sections = COUNT(sections)}),
        argc, argv);
}
