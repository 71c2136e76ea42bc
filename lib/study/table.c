/* data/<name>.tsv: the numbers behind a figure. */
#include "study/files.h"
#include "study/ranks.h"
#include "study/runtime.h"

#include "base/version.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_table(lem_table *table) {
    free(table->path);
    free(table->name);
    free(table);
}

static int new_table(lem_study *study, const char *name, size_t n_columns, lem_table **out) {
    lem_table *table = calloc(1, sizeof *table);
    if (!table)
        return LEM_ERROR(GSL_ENOMEM, "out of memory");
    table->name = strdup(name);
    if (asprintf(&table->path, "%s/data/%s.tsv", study->options.out, name) < 0)
        table->path = NULL;
    bool named = table->name && table->path;
    table->file = named && lem_is_root() ? lem_files_open(table->path) : NULL;
    if (!named || (lem_is_root() && !table->file)) {
        free_table(table);
        return GSL_EFAILED;
    }
    table->n_columns = n_columns;
    table->next = study->tables;
    study->tables = *out = table;
    return GSL_SUCCESS;
}

int lem_study_table(lem_study *study, const char *name, const char *const *columns, size_t n_columns,
                    lem_table **table) {
    if (!study || !columns || !table || n_columns == 0)
        return LEM_ERROR(GSL_EFAULT, "a table needs a study, columns and a place for the handle");
    LEM_TRY(lem_check_key("the table's name", name));
    for (size_t i = 0; i < n_columns; i++)
        if (!columns[i] || !columns[i][0] || strpbrk(columns[i], "\t\n\r"))
            return LEM_ERROR(GSL_EINVAL,
                             "table %s: the name of column %zu is empty or holds a tab or newline", name,
                             i + 1);
    LEM_TRY(new_table(study, name, n_columns, table));
    FILE *file = (*table)->file;
    if (!file)
        return GSL_SUCCESS;
    (void)fprintf(file, "# %s: %s\n# lemmata %s, seed %llu, scale %g\n# ", study->spec->name, name,
                  LEM_VERSION, (unsigned long long)study->options.seed, study->options.scale);
    for (size_t i = 0; i < n_columns; i++)
        (void)fprintf(file, "%s%c", columns[i], i + 1 < n_columns ? '\t' : '\n');
    return GSL_SUCCESS;
}

int lem_table_row(lem_table *table, const double *values) {
    if (!table || !values)
        return LEM_ERROR(GSL_EFAULT, "table or values is a null pointer");
    for (size_t i = 0; i < table->n_columns; i++)
        if (isinf(values[i]))
            return LEM_ERROR(GSL_EINVAL,
                             "table %s, row %zu, column %zu is infinite: give NaN for a missing value",
                             table->name, table->rows + 1, i + 1);
    bool after_break = table->after_break;
    table->after_break = false;
    table->rows++;
    if (!table->file)
        return GSL_SUCCESS;
    if (after_break)
        (void)fputs("\n\n", table->file);
    for (size_t i = 0; i < table->n_columns; i++) {
        if (isnan(values[i]))
            (void)putc('?', table->file);
        else
            (void)fprintf(table->file, "%.17g", values[i]);
        (void)putc(i + 1 < table->n_columns ? '\t' : '\n', table->file);
    }
    if (ferror(table->file))
        return LEM_ERROR(GSL_EFAILED, "cannot write %s: %s", table->path, strerror(errno));
    return GSL_SUCCESS;
}

int lem_table_break(lem_table *table) {
    if (!table)
        return LEM_ERROR(GSL_EFAULT, "table is a null pointer");
    if (table->rows == 0 || table->after_break)
        return LEM_ERROR(GSL_EINVAL, "table %s: a break needs rows before it", table->name);
    table->after_break = true;
    return GSL_SUCCESS;
}

int lem_tables_close(lem_study *study) {
    int status = GSL_SUCCESS;
    while (study->tables) {
        lem_table *table = study->tables;
        study->tables = table->next;
        if (status && table->file)
            (void)fclose(table->file);
        else if (table->file)
            status = lem_files_close(table->file, table->path);
        free_table(table);
    }
    return status;
}
