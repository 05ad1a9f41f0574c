/* columns.c - headers and rows of tables. */
#include "io/columns.h"
#include "io/number.h"

void imp_write_header(const imp_column *columns, FILE *out) {
    for (const imp_column *c = columns; c->name; c++)
        fprintf(out, "%s%s", c > columns ? "\t" : "", c->name);
    fputc('\n', out);
}

void imp_write_fields(const double *x, int count, FILE *out) {
    for (int k = 0; k < count; k++) {
        char text[IMP_NUMBER_TEXT + 1] = "\t";
        const int length = x && isfinite(x[k]) ? imp_number_print(x[k], text + 1) : 0;
        fwrite(text, 1, (size_t)length + 1, out);
    }
}

void imp_write_cells(const imp_column *columns, FILE *out, int count, const imp_cell *cells) {
    for (int k = 0; columns[k].name; k++) {
        const imp_cell cell = k < count ? cells[k] : IMP_TEXT(NULL);
        if (k > 0 && columns[k].digits == IMP_EXACT) {
            imp_write_fields(&cell.number, 1, out);
            continue;
        }
        if (k > 0) fputc('\t', out);
        if (columns[k].digits > 0 && isfinite(cell.number)) fprintf(out, "%.*g", columns[k].digits, cell.number);
        if (columns[k].digits == 0 && cell.text) fputs(cell.text, out);
    }
    fputc('\n', out);
}
