/* matrix_bands.c - the bands of the matrix, and the verdict on a cell. */
#include "benchmarks/harness/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const matrix_quantity_names[MATRIX_QUANTITIES] = {"common",  "own",   "best",
                                                              "plastic", "rigid", "energy"};
const char *const matrix_verdict_names[MATRIX_VERDICTS] = {"holds", "outside", "no number",
                                                           "no band", "missing"};

/* One line; false when it is none. */
static bool read_band(const char *line, matrix_band *band) {
    char quantity[16], low[40], high[40];
    *band = (matrix_band){0};
    if (sscanf(line, "%63[^\t]\t%63[^\t]\t%15[^\t]\t%39[^\t]\t%39[^\t]\t%255[^\n]", band->scene,
               band->model, quantity, low, high, band->reason) != 6)
        return false;
    char *end_low, *end_high;
    band->low = strtod(low, &end_low);
    band->high = strtod(high, &end_high);
    for (int k = 0; k < MATRIX_QUANTITIES; k++)
        if (strcmp(quantity, matrix_quantity_names[k]) == 0) {
            band->quantity = (matrix_quantity)k;
            return !*end_low && !*end_high && band->low <= band->high;
        }
    return false;
}

bool matrix_bands_open(const char *path, matrix_bands *bands) {
    FILE *in = fopen(path, "r");
    char line[640];
    int room = 0;
    bool good = in, header = true;
    *bands = (matrix_bands){0};
    while (good && fgets(line, sizeof line, in)) {
        if (*line == '#') continue;
        if (header) {
            header = false;
            continue;
        }
        if (bands->count == room) {
            room = room ? 2 * room : 256;
            matrix_band *more = realloc(bands->band, (size_t)room * sizeof *more);
            if (!more) good = false;
            if (!more) break;
            bands->band = more;
        }
        good = read_band(line, &bands->band[bands->count]);
        bands->count += good;
    }
    if (in) fclose(in);
    if (!good) matrix_bands_clear(bands);
    return good;
}

void matrix_bands_clear(matrix_bands *bands) {
    free(bands->band);
    *bands = (matrix_bands){0};
}

bool matrix_asks(const matrix_cell *cell, matrix_quantity quantity) {
    if (strcmp(cell->model, "compliant") == 0) return quantity == MATRIX_COMMON;
    return quantity == MATRIX_ENERGY || cell->steps == (quantity == MATRIX_RIGID);
}

/* Why there is no number; NULL: there should be one. */
static const char *excuse(const matrix_cell *cell, matrix_quantity quantity) {
    if (cell->status == IMP_UNSUPPORTED) return cell->why;
    if ((quantity == MATRIX_OWN || quantity == MATRIX_BEST) && !cell->restitution)
        return "knows no restitution";
    if (quantity == MATRIX_PLASTIC && cell->several)
        return "several contacts end their compressions at several times";
    return NULL;
}

matrix_verdict matrix_judge(const matrix_cell *cell, matrix_quantity quantity, matrix_bands *bands,
                            const char **reason, const matrix_band **band) {
    const double error = cell->error[quantity];
    matrix_band *found = NULL;
    for (int i = 0; i < bands->count && !found; i++) {
        matrix_band *b = &bands->band[i];
        if (b->quantity == quantity && strcmp(b->scene, cell->scene) == 0 &&
            strcmp(b->model, cell->model) == 0)
            found = b;
    }
    if (band) *band = found;
    if (isnan(error)) {
        *reason = excuse(cell, quantity);
        if (*reason && !found) return MATRIX_EXCUSED;
        *reason = imp_status_text(cell->status);
        return MATRIX_MISSING;
    }
    *reason = found ? found->reason : "";
    if (!found) return MATRIX_UNJUDGED;
    found->met = true;
    return error >= found->low && error <= found->high ? MATRIX_HOLDS : MATRIX_OUTSIDE;
}
