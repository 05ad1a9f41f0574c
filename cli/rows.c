/* rows.c - the rows of a table through the batch solvers. */
#include "cli/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, ID_ROOM = 1 << 16, OTHERS = IMP_COULOMB_MOST - 1 };

struct rows {
    const imp_model *model;
    imp_settings settings;
    double bound; /* of the model's certificates */
    int count;
    double W[6][ROWS], q[3][ROWS], mu[ROWS], e[ROWS], p[3][ROWS], residual[ROWS];
    double other_p[OTHERS][3][ROWS], other_residual[OTHERS][ROWS]; /* Coulomb solutions but the first */
    imp_coulomb_brief brief[ROWS];
    imp_status status[ROWS];
    size_t id[ROWS], id_end, id_room; /* where each id begins in ids */
    char *ids;
};

static const struct {
    const imp_model *model;
    imp_darboux_law law;
} darboux[] = {{&imp_model_darboux_stronge, IMP_STRONGE},
               {&imp_model_darboux_poisson, IMP_POISSON},
               {&imp_model_darboux_newton, IMP_NEWTON}};
enum { DARBOUX = sizeof darboux / sizeof *darboux };

bool rows_take(const imp_model *model) {
    bool takes = model == &imp_model_maxdiss || model == &imp_model_coulomb;
    for (int i = 0; i < DARBOUX; i++)
        takes = takes || model == darboux[i].model;
    return takes;
}

rows *rows_new(const imp_model *model, const imp_settings *settings) {
    rows *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->model = model;
    r->settings = *settings;
    r->bound = imp_model_bound(model, settings);
    return r;
}

void rows_free(rows *r) {
    if (r) free(r->ids);
    free(r);
}

/* What imp_answer_solve makes of a problem, from the answer the batch has; the very thing where the batch's certificate
 * does not hold. */
static void write_row(const rows *r, int i, answers *a) {
    const double W[9] = {r->W[0][i], r->W[1][i], r->W[2][i], r->W[1][i], r->W[3][i],
                         r->W[4][i], r->W[2][i], r->W[4][i], r->W[5][i]};
    const double q[3] = {r->q[0][i], r->q[1][i], r->q[2][i]}, p[3] = {r->p[0][i], r->p[1][i], r->p[2][i]};
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q, .mu = &r->mu[i], .e = &r->e[i]};
    imp_answer answer = {.status = r->status[i], .nc = 1};
    double u[3], alone[3];
    if (answer.status == IMP_OK && isfinite(r->residual[i]) && r->residual[i] > r->bound)
        (void)imp_answer_solve(r->model, &problem, &r->settings, alone, u, &answer);
    else if (answer.status >= 0 && !isfinite(r->residual[i]))
        answer.status = IMP_OVERFLOW;
    else if (answer.status >= 0) {
        imp_operator_apply(&dense, p, q, u);
        answer.p = p;
        answer.u = u;
        answer.certificate.energy = imp_problem_energy(&problem, p);
        answer.certificate.worst = r->residual[i];
        const bool whole = isfinite(u[0] + u[1] + u[2]) && isfinite(answer.certificate.energy);
        if (answer.status == IMP_OK && !whole) answer.status = IMP_OVERFLOW;
    }
    imp_answer_write_row(r->ids + r->id[i], &answer, a->out);
    a->unsolved = a->unsolved || answer.status != IMP_OK;
}

/* All Coulomb solutions; p and residual <- those of the chosen one. */
static void choose_solutions(rows *r, const imp_batch_columns *columns) {
    imp_coulomb_columns all = {.brief = r->brief};
    imp_batch_columns both = *columns;
    for (int s = 0; s < OTHERS; s++) {
        all.residual[s] = r->other_residual[s];
        for (int k = 0; k < 3; k++)
            all.p[s][k] = r->other_p[s][k];
    }
    both.all = &all;
    (void)imp_coulomb_batch(&both, (size_t)r->count, NULL);
    const imp_coulomb_choice choice =
        (imp_coulomb_choice)((const imp_coulomb_settings *)(const void *)&r->settings)->choice;
    for (int i = 0; i < r->count; i++) {
        if (r->status[i] < 0 || r->brief[i].count < 2) continue;
        imp_coulomb_set set = {.count = r->brief[i].count};
        for (int s = 0; s < set.count; s++)
            set.solution[s].kind = (imp_coulomb_kind)r->brief[i].kind[s];
        const int other = imp_coulomb_choose(&set, choice) - 1;
        if (other < 0) continue;
        r->residual[i] = r->other_residual[other][i];
        for (int k = 0; k < 3; k++)
            r->p[k][i] = r->other_p[other][k][i];
    }
}

void rows_flush(rows *r, answers *a) {
    imp_batch_columns columns = {.mu = r->mu, .e = r->e, .residual = r->residual, .status = r->status};
    for (int k = 0; k < 6; k++)
        columns.W[k] = r->W[k];
    for (int k = 0; k < 3; k++) {
        columns.q[k] = r->q[k];
        columns.p[k] = r->p[k];
    }
    if (r->model == &imp_model_maxdiss) (void)imp_maxdiss_batch(&columns, (size_t)r->count, NULL);
    if (r->model == &imp_model_coulomb) choose_solutions(r, &columns);
    for (int i = 0; i < DARBOUX; i++)
        if (r->model == darboux[i].model) (void)imp_darboux_batch(&columns, darboux[i].law, (size_t)r->count, NULL);
    for (int i = 0; i < r->count; i++)
        write_row(r, i, a);
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
    r->id[r->count] = r->id_end;
    r->id_end += bytes;
    return true;
}

imp_status rows_add(rows *r, const imp_case *c, answers *a, imp_error *error) {
    const int packed[6] = {0, 1, 2, 4, 5, 8}, i = r->count;
    const imp_problem *problem = &c->problem;
    double W[9];
    if (!keep_id(r, c->id)) return imp_error_set(error, IMP_NO_MEMORY, "no memory for an id");
    problem->W->kind->block(problem->W, 0, 0, W);
    for (int k = 0; k < 6; k++)
        r->W[k][i] = W[packed[k]];
    for (int k = 0; k < 3; k++)
        r->q[k][i] = problem->q[k];
    r->mu[i] = problem->mu[0];
    r->e[i] = problem->e ? problem->e[0] : 0;
    r->count++;
    if (r->count == ROWS || r->id_end > ID_ROOM) rows_flush(r, a);
    return IMP_OK;
}
