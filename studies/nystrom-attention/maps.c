/* S, and N with six steps and with the exact inverse, as pictures. */
#include "study.h"

enum { N = 48, M = 12 };

int nys_maps(lem_study *study) {
    static const char *const columns[] = {"key", "query", "n S", "n N, six steps", "n N, exact inverse"};
    lem_stream stream;
    lem_table *table;
    nys_data *data = nys_data_alloc(N, NYS_D);
    nys_parts *parts = nys_parts_alloc(N, NYS_D, M);
    gsl_matrix *six = gsl_matrix_alloc(N, N);
    int status = data && parts && six ? lem_study_stream(study, "maps", 0, &stream) : GSL_ENOMEM;
    if (!status && !(status = nys_draw(&stream, 8, data)) && !(status = nys_factor(data, parts)) &&
        !(status = nys_six(parts)) && !(status = lem_nystrom_product(parts->f, parts->z, parts->b, 1, six)) &&
        !(status = nys_inverse(parts)) &&
        !(status = lem_nystrom_product(parts->f, parts->z, parts->b, 1, data->other)))
        status = lem_study_table(study, "maps", columns, COUNT(columns), &table);
    for (size_t i = 0; i < N && !status; i++)
        for (size_t j = 0; j < N && !status; j++) {
            const double row[] = {(double)j, (double)i, N * gsl_matrix_get(data->s, i, j),
                                  N * gsl_matrix_get(six, i, j), N * gsl_matrix_get(data->other, i, j)};
            status = lem_table_row(table, row);
        }
    nys_data_free(data), nys_parts_free(parts), gsl_matrix_free(six);
    LEM_TRY(status);
    return lem_study_figure(study, "maps",
                            "Exact attention S and its approximations with six steps and with the exact "
                            "inverse, entries times n (n = 48, "
                            "m = 12, correlation length 8); blue is negative.",
                            "Six steps give a blurred copy of exact attention with a few negative entries; "
                            "the exact inverse gives large "
                            "negative ones");
}
