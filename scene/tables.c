/* tables.c - what is written of a comparison: its table, the impulses, the compliant run's history,
 * and the problem itself. */
#include "scene/compare.h"

#include "base/vec3.h"
#include "io/dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const imp_column scene_comparison_columns[] = {SCENE_ANSWER_COLUMNS,
                                               IMP_NUMBERS("microseconds", NULL, 3),
                                               IMP_NUMBERS("e_own", NULL, 9),
                                               IMP_NUMBERS("v_error_own", NULL, 4),
                                               IMP_NUMBERS("e_best", NULL, 6),
                                               IMP_NUMBERS("v_error_best", NULL, 4),
                                               IMP_NUMBERS("v_error_plastic", NULL, 4),
                                               IMP_WORDS("why"),
                                               IMP_COLUMNS_END};
enum { COLUMNS = sizeof scene_comparison_columns / sizeof *scene_comparison_columns - 1 };

void scene_answer_cells(const scene *s, const scene_comparison *comparison, const scene_row *row,
                        imp_cell cell[SCENE_ANSWERS]) {
    const double counted = row->status >= 0 ? 0 : NAN; /* work is counted where there was some */
    const imp_cell cells[SCENE_ANSWERS] = {IMP_TEXT(s->title),
                                           IMP_TEXT(row->name),
                                           IMP_TEXT(imp_status_text(row->status)),
                                           IMP_NUMBER(comparison->moment.nc),
                                           IMP_NUMBER(row->e),
                                           IMP_NUMBER(row->p_compliant),
                                           IMP_NUMBER(row->v_compliant),
                                           IMP_NUMBER(row->p_limit),
                                           IMP_NUMBER(row->v_limit),
                                           IMP_NUMBER(comparison->doubt),
                                           IMP_NUMBER(row->energy),
                                           IMP_NUMBER(counted + (double)row->evaluations),
                                           IMP_NUMBER(counted + row->info.iterations),
                                           IMP_NUMBER(counted + row->info.intervals),
                                           IMP_NUMBER(counted + row->info.rounds)};
    memcpy(cell, cells, sizeof cells);
}

void scene_failure_cells(const scene *s, imp_status status, imp_cell cell[SCENE_ANSWERS]) {
    for (int k = 0; k < SCENE_ANSWERS; k++)
        cell[k] = IMP_NUMBER(NAN);
    cell[0] = IMP_TEXT(s->title);
    cell[1] = IMP_TEXT("compliant");
    cell[2] = IMP_TEXT(imp_status_text(status));
}

void scene_failure_write(FILE *out, const scene *s, imp_status status, const char *why) {
    imp_cell cell[COLUMNS];
    scene_failure_cells(s, status, cell);
    for (int k = SCENE_ANSWERS; k < COLUMNS - 1; k++)
        cell[k] = IMP_NUMBER(NAN);
    cell[COLUMNS - 1] = IMP_TEXT(why);
    imp_write_cells(scene_comparison_columns, out, COLUMNS, cell);
}

void scene_comparison_write(FILE *out, const scene *s, const scene_comparison *comparison) {
    for (int i = 0; i < comparison->count; i++) {
        const scene_row *r = &comparison->row[i];
        imp_cell cell[COLUMNS] = {[SCENE_ANSWERS] = IMP_NUMBER(1e6 * r->seconds),
                                  IMP_NUMBER(r->e_own),
                                  IMP_NUMBER(r->v_own),
                                  IMP_NUMBER(r->e_best),
                                  IMP_NUMBER(r->v_best),
                                  IMP_NUMBER(r->v_plastic),
                                  IMP_TEXT(r->why)};
        scene_answer_cells(s, comparison, r, cell);
        imp_write_cells(scene_comparison_columns, out, COLUMNS, cell);
    }
}

const imp_column scene_impulse_columns[] = {
    IMP_WORDS("scene"), IMP_WORDS("model"),   IMP_COUNTS("contact"), IMP_WORDS("a"),
    IMP_WORDS("b"),     IMP_AXES("p", "N s"), IMP_AXES("u", "m/s"),  IMP_COLUMNS_END};

static const char *body_name(const scene *s, int link) {
    return link == IMP_GROUND ? "ground" : s->names[link];
}

void scene_impulses_write(FILE *out, const scene *s, const scene_comparison *comparison) {
    const scene_moment *m = &comparison->moment;
    for (int i = 0; i < comparison->count; i++) {
        const scene_row *r = &comparison->row[i];
        if (!r->outcome.p) continue;
        imp_tree_place(s->tree, m->q, r->outcome.v);
        for (int k = 0; k < m->nc; k++) {
            const imp_contact *contact = &m->contact[k];
            double u[3];
            scene_contact_velocity(s->tree, contact, u);
            imp_write_row(scene_impulse_columns, out, IMP_TEXT(s->title), IMP_TEXT(r->name),
                          IMP_NUMBER(k), IMP_TEXT(body_name(s, contact->a)),
                          IMP_TEXT(body_name(s, contact->b)), IMP_VECTOR(r->outcome.p + 3 * k),
                          IMP_VECTOR(u));
        }
    }
}

const imp_column scene_history_columns[] = {
    IMP_WORDS("scene"),   IMP_COUNTS("time"), IMP_COUNTS("pair"),  IMP_COUNTS("contact"),
    IMP_WORDS("a"),       IMP_WORDS("b"),     IMP_COUNTS("depth"), IMP_AXES("f", "N"),
    IMP_AXES("p", "N s"), IMP_COLUMNS_END};

/* The number that a pair has among the contacts of the problem; NAN: none. */
static double contact_of(const scene_moment *m, int pair) {
    for (int k = 0; k < m->nc; k++)
        if (m->pair[k] == pair) return k;
    return NAN;
}

static void write_step(FILE *out, const scene *s, const scene_moment *m,
                       const compliant_result *run, const imp_contact *contact, const double *row) {
    const compliant_layout at = run->layout;
    for (int i = 0; i < at.npairs; i++) {
        double f[3], p[3];
        if (run->deepest[i] <= 0) continue;
        apply3(contact[i].frame, row + at.force + 3 * i, f);
        apply3(contact[i].frame, row + at.impulse + 3 * i, p);
        imp_write_row(scene_history_columns, out, IMP_TEXT(s->title),
                      IMP_NUMBER(m->time + row[at.time]), IMP_NUMBER(i),
                      IMP_NUMBER(contact_of(m, i)), IMP_TEXT(body_name(s, contact[i].a)),
                      IMP_TEXT(body_name(s, contact[i].b)), IMP_NUMBER(row[at.depth + i]),
                      IMP_VECTOR(f), IMP_VECTOR(p));
    }
}

imp_status scene_history_write(FILE *out, const scene *s, const scene_moment *moment) {
    const int npairs = s->system.npairs;
    compliant_settings settings = s->run;
    compliant_result run = {0};
    scene_outcome ignored = {0};
    imp_contact *contact = calloc((size_t)npairs + 1, sizeof *contact);
    imp_status status = contact ? scene_outcome_init(&ignored, moment) : IMP_NO_MEMORY;
    if (status == IMP_OK) {
        imp_tree_place(s->tree, moment->q, moment->v);
        for (int i = 0; i < npairs; i++) {
            const compliant_touch touch = compliant_look(&s->system, i);
            contact[i] = compliant_contact(&s->system, i, &touch);
        }
        settings.history = true;
        status = scene_compliant(s, moment, &settings, &ignored, &run);
        for (int k = 0; k < run.history.rows && status == IMP_OK; k++)
            write_step(out, s, moment, &run, contact, compliant_history_row(&run.history, k));
        compliant_result_clear(&run);
    }
    scene_outcome_clear(&ignored);
    free(contact);
    return status;
}

json_t *scene_problem_json(const scene *s, const scene_moment *moment, const imp_model *model) {
    imp_problem problem = moment->problem;
    imp_settings settings;
    if (model) scene_model_settings(s, model, &settings);
    if (model && !(model->takes & IMP_TAKES_RESTITUTION)) problem.e = NULL;
    return imp_problem_json(s->title, &problem, NULL, model, &settings);
}
