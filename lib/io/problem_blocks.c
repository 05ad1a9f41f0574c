/* problem_blocks.c - W given as a JSON list of its 3 x 3 blocks: [i, j, [9 numbers]], mirrors
 * implied. */
#include "io/format.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A block as it stands in the file, or as the mirror of one. */
typedef struct entry {
    int row, column;
    int mirror;   /* 1: implied by the block [column, row] */
    size_t place; /* in "blocks" */
} entry;

static int by_row(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    if (x->mirror != y->mirror) return x->mirror - y->mirror;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Both the block and, off the diagonal, its mirror; returns how many. */
static size_t read_entry(const imp_json *blocks, size_t place, int nc, entry e[2]) {
    const imp_json item = imp_json_item(blocks, place), row = imp_json_item(&item, 0),
                   column = imp_json_item(&item, 1), numbers = imp_json_item(&item, 2);
    if (!json_is_array(item.value) || json_array_size(item.value) != 3)
        return imp_json_expected(&item, "[i, j, [9 numbers]]");
    e[0] = (entry){.place = place};
    if (!imp_json_whole(&row, 0, nc - 1, &e[0].row) ||
        !imp_json_whole(&column, 0, nc - 1, &e[0].column) || !imp_json_array_of(&numbers, 9))
        return 0;
    e[1] = (entry){e[0].column, e[0].row, 1, place};
    return e[0].row == e[0].column ? 1 : 2;
}

/* Sorts, and keeps of a block and the mirror of another the block itself. *count <- how many are
 * left. */
static bool merge(const imp_json *blocks, entry *list, size_t *count) {
    size_t kept = 0;
    qsort(list, *count, sizeof *list, by_row);
    for (size_t k = 0; k < *count; k++) {
        const entry *last = kept > 0 ? &list[kept - 1] : NULL, *e = &list[k];
        if (!last || last->row != e->row || last->column != e->column) {
            list[kept++] = *e;
        } else if (last->mirror == e->mirror) { /* two mirrors: the blocks themselves stand twice */
            const imp_json again = imp_json_item(blocks, e->place);
            return imp_json_refuse(&again, "block [%d, %d] stands here again, expected it once",
                                   e->mirror ? e->column : e->row, e->mirror ? e->row : e->column);
        }
    }
    *count = kept;
    return kept <= INT_MAX || imp_json_expected(blocks, "fewer blocks");
}

/* Fills the block-compressed rows start, column and W (count blocks) from the merged entries. */
static bool fill(const imp_json *blocks, const entry *list, int count, int nc, int *start,
                 double *W) {
    int *column = start + nc + 1, k = 0;
    for (int i = 0; i < nc; i++) {
        bool diagonal = false;
        for (start[i] = k; k < count && list[k].row == i; k++) {
            const imp_json item = imp_json_item(blocks, list[k].place),
                           numbers = imp_json_item(&item, 2);
            double given[9], *block = W + 9 * (size_t)k;
            if (!imp_json_vector(&numbers, 9, given)) return false;
            for (size_t r = 0; r < 3; r++)
                for (size_t c = 0; c < 3; c++)
                    block[3 * r + c] = list[k].mirror ? given[3 * c + r] : given[3 * r + c];
            column[k] = list[k].column;
            diagonal = diagonal || column[k] == i;
        }
        if (!diagonal)
            return imp_json_refuse(blocks, "no block [%d, %d], expected every diagonal block", i,
                                   i);
    }
    start[nc] = k;
    return true;
}

static const double *find(const entry *list, int count, const double *W, int row, int column) {
    const entry wanted = {row, column, 0, 0};
    for (int low = 0, high = count; low < high;) {
        const int k = low + (high - low) / 2;
        if (list[k].row == row && list[k].column == column)
            return list[k].mirror ? NULL : W + 9 * (size_t)k;
        if (by_row(&list[k], &wanted) < 0)
            low = k + 1;
        else
            high = k;
    }
    return NULL;
}

/* Where a block and its mirror are both given they must agree, as the entries of a dense W must: to
 * 1e-12 of sqrt(W_rr W_cc). */
static bool check_mirrors(const imp_json *blocks, const entry *list, int count, const double *W) {
    for (int k = 0; k < count; k++) {
        const int i = list[k].row, j = list[k].column;
        if (i <= j || list[k].mirror) continue;
        const double *block = W + 9 * (size_t)k, *other = find(list, count, W, j, i),
                     *ii = find(list, count, W, i, i), *jj = find(list, count, W, j, j);
        for (size_t r = 0; other && r < 3; r++)
            for (size_t c = 0; c < 3; c++) {
                const double size = sqrt(fabs(ii[4 * r])) * sqrt(fabs(jj[4 * c]));
                if (fabs(block[3 * r + c] - other[3 * c + r]) <= 1e-12 * size) continue;
                const imp_json item = imp_json_item(blocks, list[k].place),
                               numbers = imp_json_item(&item, 2),
                               number = imp_json_item(&numbers, 3 * r + c);
                return imp_json_expected(&number, "%.17g as in block [%d, %d]", other[3 * c + r], j,
                                         i);
            }
    }
    return true;
}

/* The blocks through `list`, which has room for all of them and their mirrors. */
static bool read_list(const imp_json *blocks, int nc, entry *list, imp_slot *slot) {
    size_t count = 0;
    for (size_t k = 0; k < json_array_size(blocks->value); k++) {
        const size_t n = read_entry(blocks, k, nc, list + count);
        if (n == 0) return false;
        count += n;
    }
    if (!merge(blocks, list, &count)) return false;
    double *W = imp_slot_reserve(slot, nc, (int)count);
    if (!W) return imp_json_no_memory(blocks);
    return fill(blocks, list, (int)count, nc, slot->structure, W) &&
           check_mirrors(blocks, list, (int)count, W);
}

bool imp_read_blocks(const imp_json *blocks, int nc, imp_slot *slot) {
    size_t given;
    if (!imp_json_array(blocks, &given)) return false;
    entry *list = malloc((2 * given + 1) * sizeof *list);
    if (!list) return imp_json_no_memory(blocks);
    const bool good = read_list(blocks, nc, list, slot);
    free(list);
    return good;
}
