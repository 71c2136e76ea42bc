#include "cli/registry.h"

/* Declared here, not in a header of the topic: the registry is the only one that needs them. (The file holds
 * nothing else, so that a test can bring a list of its own.) */

extern const lem_formula_table lem_attention_formulas;
extern const lem_formula_table lem_nystrom_formulas;
extern const lem_formula_table lem_performer_formulas;
extern const lem_formula_table lem_expansions_formulas;
extern const lem_formula_table lem_entropy_invariance_formulas;
extern const lem_formula_table lem_softmax_robustness_formulas;
extern const lem_formula_table lem_softmax_scale_formulas;
extern const lem_formula_table lem_projection_formulas;
extern const lem_formula_table lem_walk_formulas;
extern const lem_formula_table lem_scaling_formulas;
extern const lem_formula_table lem_sde_formulas;
extern const lem_formula_table lem_scaling_fit_formulas;

/* clang-format off */
const lem_formula_table *const lem_formula_tables[] = {
    &lem_attention_formulas,
    &lem_nystrom_formulas,
    &lem_performer_formulas,
    &lem_expansions_formulas,
    &lem_entropy_invariance_formulas,
    &lem_softmax_robustness_formulas,
    &lem_softmax_scale_formulas,
    &lem_projection_formulas,
    &lem_walk_formulas,
    &lem_scaling_formulas,
    &lem_sde_formulas,
    &lem_scaling_fit_formulas,
    NULL,
};
/* clang-format on */
