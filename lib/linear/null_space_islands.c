/* null_space_islands.c - coordinates that share equations, directly or through others. */
#include "linear/null_space_internal.h"

#include "linear/join.h"

#include <stdlib.h>

/* The first coordinate that an equation holds, -1: none; all it holds get one root. */
static int join(const imp_sparse *Ct, int row, int *parent) {
    int first = -1;
    for (int k = Ct->start[row]; k < Ct->start[row + 1]; k++) {
        if (Ct->value[k] == 0) continue;
        if (first < 0) first = Ct->row[k];
        imp_join(parent, first, Ct->row[k]);
    }
    return first;
}

/* Numbers the islands by their first coordinates and counts what they hold; start (m + n) is room
 * for the island of each equation, then for roots. */
static void number(imp_null_space *s, const imp_sparse *Ct, int *island_of_row, int *parent) {
    for (int i = 0; i < s->n; i++) {
        parent[i] = i;
        s->of[i] = -1;
    }
    for (int r = 0; r < s->m; r++)
        island_of_row[r] = join(Ct, r, parent);
    for (int r = 0; r < s->m; r++) /* roots of islands are those of equations */
        if (island_of_row[r] >= 0) s->of[imp_join_first(parent, island_of_row[r])] = 0;
    for (int i = 0; i < s->n; i++) {
        const int first = imp_join_first(parent, i);
        if (first == i && s->of[i] == 0) s->of[i] = s->islands++;
        s->of[i] = first == i ? s->of[i] : s->of[first];
        s->loose += s->of[i] < 0;
    }
    for (int r = 0; r < s->m; r++)
        if (island_of_row[r] >= 0) island_of_row[r] = s->of[island_of_row[r]];
}

/* Lists the coordinates and equations of every island. */
static void list(imp_null_space *s, const int *island_of_row) {
    int loose = 0, at = 0;
    for (int i = 0; i < s->n; i++)
        s->place[i] = s->of[i] < 0 ? loose++ : s->island[s->of[i]].n++;
    for (int r = 0; r < s->m; r++)
        if (island_of_row[r] >= 0) s->island[island_of_row[r]].m++;
    for (int k = 0; k < s->islands; k++) {
        s->island[k].coordinate = s->list + at;
        s->island[k].row = s->list + at + s->island[k].n;
        at += s->island[k].n + s->island[k].m;
        s->island[k].m = 0;
    }
    for (int i = 0; i < s->n; i++)
        if (s->of[i] >= 0) s->list[s->island[s->of[i]].coordinate - s->list + s->place[i]] = i;
    for (int r = 0; r < s->m; r++)
        if (island_of_row[r] >= 0) {
            imp_null_island *own = &s->island[island_of_row[r]];
            s->list[own->row - s->list + own->m++] = r;
        }
}

imp_status imp_null_space_islands(imp_null_space *s, const imp_sparse *Ct) {
    const size_t n = (size_t)s->n, m = (size_t)s->m;
    int *work = malloc((n + m + 1) * sizeof *work);
    s->of = malloc((3 * n + m + 1) * sizeof *s->of);
    s->length = calloc(m + 1, sizeof *s->length);
    if (work && s->of && s->length) {
        s->place = s->of + n;
        s->list = s->place + n;
        number(s, Ct, work, work + m);
        s->island = calloc((size_t)s->islands + 1, sizeof *s->island);
        if (s->island) list(s, work);
    }
    free(work);
    return s->island ? IMP_OK : IMP_NO_MEMORY;
}
