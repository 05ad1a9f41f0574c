/* rows.c - rows of a table, kept until there are enough of them to be solved together. */
#include "cli/rows.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, ID_ROOM = 1 << 16 };

/* The numbers of one row, which the reader does not keep. */
typedef struct row {
    double W[9], q[3], mu, e;
    imp_operator op;
    size_t id; /* where its id begins in ids */
} row;

struct rows {
    const imp_model *model;
    imp_settings settings;
    int count;
    row row[ROWS];
    imp_problem problem[ROWS];
    imp_answer answer[ROWS];
    double p[3 * ROWS], u[3 * ROWS];
    size_t id_end, id_room;
    char *ids;
};

rows *rows_new(const imp_model *model, const imp_settings *settings) {
    rows *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->model = model;
    r->settings = *settings;
    return r;
}

void rows_free(rows *r) {
    if (r) free(r->ids);
    free(r);
}

void rows_flush(rows *r, answers *a) {
    imp_answer_solve_batch(r->model, r->count, r->problem, &r->settings, r->p, r->u, r->answer);
    for (int i = 0; i < r->count; i++) {
        imp_answer_write_row(r->ids + r->row[i].id, &r->answer[i], a->out);
        a->unsolved = a->unsolved || r->answer[i].status != IMP_OK;
    }
    r->count = 0;
    r->id_end = 0;
}

static bool keep_id(rows *r, const char *id) {
    const size_t bytes = strlen(id) + 1;
    if (r->id_end + bytes > r->id_room) {
        const size_t room = r->id_end + bytes + ID_ROOM;
        char *ids = realloc(r->ids, room);
        if (!ids) return false;
        r->ids = ids;
        r->id_room = room;
    }
    memcpy(r->ids + r->id_end, id, bytes);
    r->row[r->count].id = r->id_end;
    r->id_end += bytes;
    return true;
}

imp_status rows_add(rows *r, const imp_case *c, answers *a, imp_error *error) {
    if (!keep_id(r, c->id)) return imp_error_set(error, IMP_NO_MEMORY, "no memory for an id");
    row *own = &r->row[r->count];
    c->problem.W->kind->block(c->problem.W, 0, 0, own->W);
    memcpy(own->q, c->problem.q, sizeof own->q);
    own->mu = c->problem.mu[0];
    own->e = c->problem.e[0];
    own->op = imp_operator_dense(1, own->W);
    r->problem[r->count++] =
        (imp_problem){.nc = 1, .W = &own->op, .q = own->q, .mu = &own->mu, .e = &own->e};
    if (r->count == ROWS || r->id_end > ID_ROOM) rows_flush(r, a);
    return IMP_OK;
}
