/* parts.c - islands of an operator gathered: blocks by contacts, G by contacts and the coordinates
 * that they touch. */
#include "linear/parts.h"

#include <stdlib.h>
#include <string.h>

/* row, rows <- which of the rows of G that an island's contacts touch each of their entries is in.
 * room (rows of G + 1 + entries + nc + islands) is scratch, of zeros. */
static void number_rows(imp_parts *parts, int *room) {
    const int rows = imp_gram_rows(parts->gram), nc = parts->W->nc;
    int *first = room, *contact = first + rows + 1; /* of the entries row by row */
    int *taken = contact + imp_gram_count(parts->gram), *touched = taken + nc;
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
}

bool imp_parts_open(imp_parts *parts, const imp_operator *W, const int *label, int count) {
    const imp_gram gram = imp_gram_of(W);
    const size_t nc = (size_t)W->nc, islands = (size_t)count, rows = (size_t)imp_gram_rows(gram),
                 entries = (size_t)imp_gram_count(gram);
    int *contact = calloc(4 * nc + 3 * islands + 2 * entries + rows + 2, sizeof *contact);
    *parts = (imp_parts){.W = W,
                         .gram = gram,
                         .stored = rows == 0 || imp_operator_stored(W),
                         .count = count,
                         .label = label,
                         .contact = contact};
    if (!contact) return false;
    parts->place = contact + nc;
    parts->columns = parts->place + nc;
    parts->first = parts->columns + nc;
    parts->rows = parts->first + islands + 1;
    parts->row = parts->rows + islands;
    if (rows > 0) number_rows(parts, parts->row + entries);
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
}

/* An island seen through the whole, for imp_blocks_of. */
typedef struct view {
    const imp_parts *parts;
    int k;
} view;

static int seen(const view *v, int i) {
    return v->parts->contact[v->parts->first[v->k] + i];
}

static void view_block(const imp_operator *W, int i, int j, double block[9]) {
    const view *v = W->data;
    const imp_operator *whole = v->parts->W;
    whole->kind->block(whole, seen(v, i), seen(v, j), block);
}

static int view_columns(const imp_operator *W, int i, int *columns) {
    const view *v = W->data;
    const imp_parts *parts = v->parts;
    const int found = parts->W->kind->columns(parts->W, seen(v, i), parts->columns);
    int count = 0;
    for (int c = 0; c < found; c++)
        if (parts->label[parts->columns[c]] == v->k)
            columns[count++] = parts->place[parts->columns[c]];
    return count;
}

static imp_blocks *blocks_of(const imp_parts *parts, int k) {
    static const imp_operator_kind kind = {"part", view_block, NULL, view_columns};
    const view seen_through = {parts, k};
    const imp_operator W = {parts->first[k + 1] - parts->first[k], &kind, &seen_through, 0};
    return imp_blocks_of(&W);
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

bool imp_part_open(imp_part *part, const imp_parts *parts, int k) {
    const imp_operator *W = parts->W;
    const bool over_bodies = imp_gram_rows(parts->gram) > 0;
    *part = (imp_part){.blocks = parts->stored ? blocks_of(parts, k) : NULL};
    if (parts->stored && !part->blocks) return false;
    if (over_bodies && !gather_rows(parts, k, &part->G)) return false;
    if (parts->gram.factored && imp_factored_of(&part->G, &part->factored) != IMP_OK) return false;
    if (!over_bodies) {
        part->W = imp_operator_blocks(part->blocks);
    } else if (!parts->stored) {
        part->W = imp_operator_factored(part->factored);
    } else if (part->factored) {
        part->reduced = (imp_reduced){*part->blocks, part->factored};
        part->W = imp_operator_reduced(&part->reduced);
    } else {
        part->assembled = (imp_assembled){.blocks = *part->blocks, .G = &part->G};
        part->W = imp_operator_assembled(&part->assembled);
    }
    part->W.as_given = W->as_given;
    return true;
}

void imp_part_close(imp_part *part) {
    imp_blocks_free(part->blocks);
    imp_factored_free(part->factored);
    imp_sparse_clear(&part->G);
}
