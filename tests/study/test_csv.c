#include "study/csv.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void put(const char *text, size_t size) {
    (void)snprintf(path, sizeof path, "%s/lemmata-csv-XXXXXX", P_tmpdir);
    const int descriptor = mkstemp(path);
    if (descriptor < 0 || write(descriptor, text, size) != (ssize_t)size || close(descriptor) != 0)
        lem_tap_bail_out("cannot write %s", path);
}

static const lem_csv_column two[] = {{"x", "x|size", false, true}, {"y", "y|2", false, false}};

static int read_text(const char *text, lem_csv *csv) {
    put(text, strlen(text));
    const int status = lem_csv_read(path, 2, two, csv);
    (void)unlink(path);
    return status;
}

/* x = 1, 2 and y = 10, -20 on the lines given, however they are written. */
static void check_text(const char *text, size_t first, size_t second) {
    lem_csv csv;
    const int status = read_text(text, &csv);
    LEM_CHECK(status == 0, "%s: %s", text, lem_last_error());
    if (status)
        return;
    LEM_CHECK(csv.rows == 2, "%s: %zu rows", text, csv.rows);
    LEM_CHECK(csv.rows == 2 && csv.columns[0][0] == 1 && csv.columns[0][1] == 2 && csv.columns[1][0] == 10 &&
                  csv.columns[1][1] == -20,
              "%s: values", text);
    LEM_CHECK(csv.rows == 2 && csv.lines[0] == first && csv.lines[1] == second, "%s: lines %zu, %zu", text,
              csv.lines[0], csv.lines[1]);
    lem_csv_free(&csv);
}

static void test_forms(void) {
    check_text("x,y\n1,10\n2,-20\n", 2, 3);
    check_text("x,y\r\n1,10\r\n2,-20", 2, 3);
    check_text("\xef\xbb\xbfx,y\n1,10\n2,-20\n", 2, 3);
    check_text("# a comment, with a comma\n\n  \nSIZE , Y\n 1 ,\t1e1\n\n  # another\n+2.0,-2E+1\n\n", 5, 8);
    check_text("y,other,x\n10,word,1\n-20,,2\n", 2, 3);
    check_text("x;y\n1;10\n2;-20\n", 2, 3);
    check_text("x\ty\n1\t10\n2\t-20\n", 2, 3);
    check_text("\"x\",\"y\"\n\"1\",\"10\"\n\" 2 \" , \"-20\"\n", 2, 3);
    check_text("\"x\";\"a, b\";y\n1;c;10\n2;d,e;-20\n", 2, 3);
    check_text("x,note,y\n1,\"a, \"\"b\"\"\nand c\",10\n2,\"\",-20\n", 2, 4);
}

/* Without a header, by number. */
static void test_numbers(void) {
    static const lem_csv_column columns[] = {
        {"x", "2", false, false}, {"y", "1", false, false}, {"z", "z", true, false}};
    static const char text[] = "10,1\n-20,2\n";
    lem_csv csv;
    put(text, sizeof text - 1);
    LEM_CHECK(lem_csv_read(path, 3, columns, &csv) == 0, "%s", lem_last_error());
    LEM_CHECK(csv.rows == 2 && csv.columns[0][1] == 2 && csv.columns[1][1] == -20 && csv.lines[0] == 1,
              "values");
    LEM_CHECK(csv.rows == 2 && csv.columns[2] == NULL, "a column that is optional and missing");
    lem_csv_free(&csv);
    LEM_CHECK_ERROR(lem_csv_read(path, 2, two, &csv),
                    "has no header and 2 columns|x must be given by its number");
    (void)unlink(path);
}

static void test_many_rows(void) {
    enum { ROWS = 5000 };
    static char text[ROWS * 24];
    size_t used = (size_t)sprintf(text, "x,y\n");
    lem_csv csv;
    for (int i = 1; i <= ROWS; i++)
        used += (size_t)sprintf(text + used, "%d,%d\n", i, -i);
    LEM_CHECK(read_text(text, &csv) == 0, "%s", lem_last_error());
    LEM_CHECK(csv.rows == ROWS, "%zu rows", csv.rows);
    for (size_t i = 0; i < csv.rows; i++)
        LEM_CHECK(csv.columns[0][i] == (double)(i + 1) && csv.columns[1][i] == -(double)(i + 1) &&
                      csv.lines[i] == i + 2,
                  "row %zu", i);
    lem_csv_free(&csv);
}

static void test_refusals(void) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "holds no row"},
        {"# nothing\n\n", "holds no row"},
        {"x,y\n", "no row below its header"},
        {"x,y\n1,10\n2\n", "line 3|1 fields: must be 2"},
        {"x,y\n1,10,3\n", "line 2|3 fields: must be 2"},
        {"x,y\n1,ten\n", "line 2|y = 'ten'|finite number"},
        {"x,y\n1,nan\n", "line 2|y = 'nan'|finite number"},
        {"x,y\n1,inf\n", "line 2|y = 'inf'|finite number"},
        {"x,y\n1,1e999\n", "line 2|y = '1e999'|finite number"},
        {"x,y\n1,0x10\n", "line 2|y = '0x10'|finite number"},
        {"x,y\n1,1.2.3\n", "line 2|y = '1.2.3'"},
        {"x,y\n1,\n", "line 2|y is empty"},
        {"x,y\n1,2\n\n# c\n0,3\n", "line 5|x = 0: must be positive"},
        {"x,y\n-1e3,3\n", "line 2|x = -1e3: must be positive"},
        {"x,y\n1,\"2\n3,4\n", "line 2|a quoted field does not end"},
        {"x,y\n1,\"2\"3\n", "line 2|something follows the quote"},
        {"a,b\n1,2\n", "no column for x (x|size); there are: a, b"},
        {"x,size,y\n1,2,3\n", "2 columns are called x|size"},
    };
    lem_csv csv;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LEM_CHECK_ERROR(read_text(cases[i].text, &csv), cases[i].words);
        LEM_CHECK(csv.rows == 0 && !csv.columns && !csv.lines, "empty after an error");
    }
    put("x,y\n1,\0", 7);
    LEM_CHECK_ERROR(lem_csv_read(path, 2, two, &csv), "byte 0");
    (void)unlink(path);
    LEM_CHECK_ERROR(lem_csv_read(path, 2, two, &csv), "cannot read|No such file");
    LEM_CHECK_ERROR(lem_csv_read("/", 2, two, &csv), "cannot read");
}

static const lem_tap_case cases[] = {
    {"every form of the same table", test_forms},
    {"columns by number", test_numbers},
    {"many rows", test_many_rows},
    {"refusals name the line", test_refusals},
};
LEM_TAP_MAIN(cases)
