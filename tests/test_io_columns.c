/* The writer of tables: one declaration for header and rows; what is no number is an empty
 * field. */
#include "io/columns.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

static const imp_column columns[] = {IMP_WORDS("id"),      IMP_NUMBERS("t", "s", 3),
                                     IMP_AXES("p", "N s"), IMP_COUNTS("count"),
                                     IMP_WORDS("why"),     IMP_COLUMNS_END};

static void wrote(char **text, FILE *out, const char *want, const char *what) {
    fclose(out);
    ok(strcmp(*text, want) == 0, "%s", what);
    if (strcmp(*text, want) != 0) diag("got %swant %s", *text, want);
    free(*text);
}

#define WRITES(want, what, call)                                                                   \
    do {                                                                                           \
        char *text;                                                                                \
        size_t size;                                                                               \
        FILE *out = open_memstream(&text, &size);                                                  \
        if (!out) abort();                                                                         \
        call;                                                                                      \
        wrote(&text, out, want, what);                                                             \
    } while (0)

int main(void) {
    const double p[3] = {0.1, -0.0, 1e-300};
    WRITES("id\tt\tp1\tp2\tp3\tcount\twhy\n", "the names, axes by number",
           imp_write_header(columns, out));
    WRITES("a\t1.23\t0.10000000000000001\t-0\t1e-300\t9007199254740991\tb c\n", "a row",
           imp_write_row(columns, out, IMP_TEXT("a"), IMP_NUMBER(1.2345), IMP_VECTOR(p),
                         IMP_NUMBER(0x1p53 - 1), IMP_TEXT("b c")));
    WRITES("a\t\t\t\t\t\t\n", "not finite, no text, and fields left out: empty",
           imp_write_row(columns, out, IMP_TEXT("a"), IMP_NUMBER(NAN), IMP_NUMBER(INFINITY),
                         IMP_NUMBER(-INFINITY), IMP_TEXT(NULL)));
    WRITES("\t\t\t\t\t\t\n", "a field of the other kind: empty",
           imp_write_row(columns, out, IMP_NUMBER(1), IMP_TEXT("x"), IMP_TEXT("y")));
    WRITES("a?b\t1\t\t\t\t\tc?\n", "a text does not break its row",
           imp_write_row(columns, out, IMP_TEXT("a\tb"), IMP_NUMBER(1), IMP_NUMBER(NAN),
                         IMP_NUMBER(NAN), IMP_NUMBER(NAN), IMP_NUMBER(NAN), IMP_TEXT("c\n")));
    return tap_done();
}
