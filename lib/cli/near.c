#include "cli/near.h"

#include <ctype.h>
#include <string.h>

enum { MAX_LENGTH = 127 };

static size_t min3(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

static int letter(char c) {
    return tolower((unsigned char)c);
}

size_t lem_edit_distance(const char *a, const char *b) {
    size_t n = strnlen(a, MAX_LENGTH), m = strnlen(b, MAX_LENGTH);
    size_t rows[3][MAX_LENGTH + 1]; /* row i - 2, i - 1 and i of the table, in turn */
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = letter(a[i - 1]) == letter(b[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + !same);
            bool swapped = i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                           letter(a[i - 2]) == letter(b[j - 1]);
            if (swapped && two_above[j - 2] + 1 < row[j])
                row[j] = two_above[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

bool lem_is_near(const char *typed, const char *name) {
    if (!*typed)
        return false;
    if (strlen(typed) >= 3 && (strcasestr(name, typed) || strcasestr(typed, name)))
        return true;
    size_t longer = strlen(typed) > strlen(name) ? strlen(typed) : strlen(name);
    return lem_edit_distance(typed, name) * 3 <= longer;
}
