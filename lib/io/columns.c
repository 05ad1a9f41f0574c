/* columns.c - headers and rows of tables. */
#include "io/columns.h"
#include "io/number.h"

#include <ctype.h>

void imp_write_header(const imp_column *columns, FILE *out) {
    for (const imp_column *c = columns; c->name; c++)
        fprintf(out, "%s%s", c > columns ? "\t" : "", c->name);
    fputc('\n', out);
}

/* Numbers on their way to a stream, many at once. */
typedef struct gathered {
    FILE *out;
    size_t length;
    char text[16 * (IMP_NUMBER_TEXT + 1)];
} gathered;

static void put_gathered(gathered *g) {
    if (g->length > 0) fwrite_unlocked(g->text, 1, g->length, g->out);
    g->length = 0;
}

/* A tab and the number with all its digits. */
static void add_exact(gathered *g, double x) {
    if (g->length > sizeof g->text - IMP_NUMBER_TEXT - 1) put_gathered(g);
    g->text[g->length++] = '\t';
    if (isfinite(x)) g->length += (size_t)imp_number_print(x, g->text + g->length);
}

void imp_write_cells(const imp_column *columns, FILE *out, int count, const imp_cell *cells) {
    static const imp_cell none = {NULL, NAN};
    gathered g;
    g.out = out;
    g.length = 0;
    flockfile(out);
    for (int k = 0; columns[k].name; k++) {
        const imp_cell *cell = k < count ? &cells[k] : &none;
        if (k > 0 && columns[k].digits == IMP_EXACT) {
            add_exact(&g, cell->number);
            continue;
        }
        put_gathered(&g);
        if (k > 0) fputc_unlocked('\t', out);
        if (columns[k].digits > 0 && isfinite(cell->number))
            fprintf(out, "%.*g", columns[k].digits, cell->number);
        for (const char *c = columns[k].digits == 0 ? cell->text : NULL; c && *c; c++)
            putc_unlocked(iscntrl((unsigned char)*c) ? '?' : *c, out);
    }
    put_gathered(&g);
    fputc_unlocked('\n', out);
    funlockfile(out);
}
