/* parts.c - islands of an operator gathered: blocks by contacts, G by contacts and the coordinates
 * that they touch. */
#include "linear/parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* row, rows <- which of the rows of G that an island's contacts touch each of their entries is in.
 * False without memory. */
static bool number_rows(imp_parts *parts) {
    const int rows = imp_gram_rows(parts->gram), nc = parts->W->nc,
              entries = imp_gram_count(parts->gram);
    parts->numbers =
        calloc((size_t)rows + 1 + 2 * (size_t)entries + (size_t)nc + 2 * (size_t)parts->count,
               sizeof *parts->numbers);
    if (!parts->numbers) return false;
    parts->rows = parts->numbers;
    parts->row = parts->rows + parts->count;
    int *first = parts->row + entries, *contact = first + rows + 1; /* of the entries row by row */
    int *taken = contact + entries, *touched = taken + nc;
    for (int c = 0; c < nc; c++) {
        const imp_gram_entries e = imp_gram_contact(parts->gram, c);
        for (int s = 0; s < e.count; s++)
            first[e.row[s]]++;
    }
    for (int r = 0; r < rows; r++)
        first[r + 1] += first[r];
    for (int c = 0; c < nc; c++) {
        const imp_gram_entries e = imp_gram_contact(parts->gram, c);
        for (int s = 0; s < e.count; s++)
            contact[--first[e.row[s]]] = c;
    }
    for (int r = 0; r < rows; r++)
        for (int at = first[r]; at < first[r + 1]; at++) {
            const int c = contact[at], k = parts->label[c];
            if (touched[k] != r + 1) parts->rows[k]++;
            touched[k] = r + 1;
            parts->row[imp_gram_contact(parts->gram, c).first + taken[c]++] = parts->rows[k] - 1;
        }
    return true;
}

bool imp_parts_open(imp_parts *parts, const imp_operator *W, const int *label, int count) {
    const imp_gram gram = imp_gram_of(W);
    const size_t nc = (size_t)W->nc;
    int *contact = calloc(3 * nc + (size_t)count + 1, sizeof *contact);
    *parts = (imp_parts){.W = W,
                         .gram = gram,
                         .stored = imp_gram_rows(gram) == 0 || imp_operator_stored(W),
                         .count = count,
                         .label = label,
                         .contact = contact};
    if (!contact) return false;
    parts->place = contact + nc;
    parts->columns = parts->place + nc;
    parts->first = parts->columns + nc;
    for (size_t i = 0; i < nc; i++)
        parts->place[i] = parts->first[label[i] + 1]++;
    for (int k = 0; k < count; k++)
        parts->first[k + 1] += parts->first[k];
    for (size_t i = 0; i < nc; i++)
        contact[parts->first[label[i]] + parts->place[i]] = (int)i;
    return true;
}

void imp_parts_close(imp_parts *parts) {
    free(parts->contact);
    free(parts->numbers);
}

/* The contacts that row c of W has blocks with; returns how many. *first: the place of the first of
 * these blocks where W keeps them. */
static int row_of(const imp_parts *parts, int c, const int **column, int *first) {
    const imp_operator *W = parts->W;
    const imp_blocks *stored = imp_operator_stored(W);
    *column = stored ? stored->column + stored->start[c] : parts->columns;
    *first = stored ? stored->start[c] : 0;
    return stored ? stored->start[c + 1] - stored->start[c]
                  : W->kind->columns(W, c, parts->columns);
}

/* The blocks of island k, those between its contacts. False without memory. */
static bool gather_blocks(imp_part *part, const imp_parts *parts, int k) {
    const imp_blocks *stored = imp_operator_stored(parts->W);
    const int *contact = parts->contact + parts->first[k], *column;
    const int n = parts->first[k + 1] - parts->first[k];
    size_t total = 0;
    int first, *start;
    for (int i = 0; i < n; i++) {
        const int found = row_of(parts, contact[i], &column, &first);
        for (int c = 0; c < found; c++)
            total += parts->label[column[c]] == k;
    }
    if (total > INT_MAX) return false;
    double *block = part->room =
        malloc(9 * total * sizeof *block + ((size_t)n + 1 + total) * sizeof *start);
    if (!block) return false;
    start = (int *)(block + 9 * total);
    int *to = start + n + 1, at = 0;
    for (int i = start[0] = 0; i < n; i++) {
        const int found = row_of(parts, contact[i], &column, &first);
        for (int c = 0; c < found; c++) {
            if (parts->label[column[c]] != k) continue;
            if (stored)
                memcpy(block + 9 * (size_t)at, stored->block + 9 * ((size_t)first + (size_t)c),
                       9 * sizeof *block);
            else
                parts->W->kind->block(parts->W, contact[i], column[c], block + 9 * (size_t)at);
            to[at++] = parts->place[column[c]];
        }
        start[i + 1] = at;
    }
    part->blocks = (imp_blocks){n, start, to, block};
    return true;
}

/* *G <- that of the island, its rows those that its contacts touch. False without memory. */
static bool gather_rows(const imp_parts *parts, int k, imp_sparse *to) {
    const int *contact = parts->contact + parts->first[k],
              n = parts->first[k + 1] - parts->first[k];
    size_t total = 0;
    for (int i = 0; i < n; i++)
        total += (size_t)imp_gram_contact(parts->gram, contact[i]).count;
    *to = (imp_sparse){.rows = parts->rows[k],
                       .columns = 3 * n,
                       .start = malloc((3 * (size_t)n + 1) * sizeof *to->start),
                       .row = malloc((3 * total + 1) * sizeof *to->row),
                       .value = malloc((3 * total + 1) * sizeof *to->value)};
    if (!to->start || !to->row || !to->value) return false;
    int at = to->start[0] = 0;
    for (int i = 0; i < n; i++) {
        const imp_gram_entries e = imp_gram_contact(parts->gram, contact[i]);
        for (size_t r = 0; r < 3; r++) {
            for (int s = 0; s < e.count; s++, at++) {
                to->row[at] = parts->row[e.first + s];
                to->value[at] = e.G[(size_t)s * e.by_entry + r * e.by_direction];
            }
            to->start[3 * (size_t)i + r + 1] = at;
        }
    }
    return true;
}

bool imp_part_open(imp_part *part, imp_parts *parts, int k) {
    const imp_operator *W = parts->W;
    const bool over_bodies = imp_gram_rows(parts->gram) > 0;
    *part = (imp_part){0};
    if (parts->stored && !gather_blocks(part, parts, k)) return false;
    if (over_bodies && !parts->numbers && !number_rows(parts)) return false;
    if (over_bodies && !gather_rows(parts, k, &part->G)) return false;
    if (parts->gram.factored && imp_factored_of(&part->G, &part->factored) != IMP_OK) return false;
    if (!over_bodies) {
        part->W = imp_operator_blocks(&part->blocks);
    } else if (!parts->stored) {
        part->W = imp_operator_factored(part->factored);
    } else if (part->factored) {
        part->reduced = (imp_reduced){part->blocks, part->factored};
        part->W = imp_operator_reduced(&part->reduced);
    } else {
        part->assembled = (imp_assembled){.blocks = part->blocks, .G = &part->G};
        part->W = imp_operator_assembled(&part->assembled);
    }
    part->W.as_given = W->as_given;
    return true;
}

void imp_part_close(imp_part *part) {
    free(part->room);
    imp_factored_free(part->factored);
    imp_sparse_clear(&part->G);
}
