/* columns.c - headers and rows of tables. */
#include "io/columns.h"
#include "io/number.h"

void imp_write_header(const imp_column *columns, FILE *out) {
    for (const imp_column *c = columns; c->name; c++)
        fprintf(out, "%s%s", c > columns ? "\t" : "", c->name);
    fputc('\n', out);
}

/* A tab and the number of all its digits. */
static void put_exact(double x, FILE *out) {
    char text[IMP_NUMBER_TEXT + 1] = "\t";
    const int length = isfinite(x) ? imp_number_print(x, text + 1) : 0;
    fwrite_unlocked(text, 1, (size_t)length + 1, out);
}

void imp_write_fields(const double *x, int count, FILE *out) {
    flockfile(out);
    for (int k = 0; k < count; k++)
        put_exact(x ? x[k] : NAN, out);
    funlockfile(out);
}

void imp_write_cells(const imp_column *columns, FILE *out, int count, const imp_cell *cells) {
    static const imp_cell none = {NULL, NAN};
    flockfile(out);
    for (int k = 0; columns[k].name; k++) {
        const imp_cell *cell = k < count ? &cells[k] : &none;
        if (k > 0 && columns[k].digits == IMP_EXACT) {
            put_exact(cell->number, out);
            continue;
        }
        if (k > 0) fputc_unlocked('\t', out);
        if (columns[k].digits > 0 && isfinite(cell->number))
            fprintf(out, "%.*g", columns[k].digits, cell->number);
        if (columns[k].digits == 0 && cell->text) fputs_unlocked(cell->text, out);
    }
    fputc_unlocked('\n', out);
    funlockfile(out);
}
