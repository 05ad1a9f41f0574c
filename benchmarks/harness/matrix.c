/* matrix.c - the cells of the matrix, from scenes with an impact and from first steps of the time
 * stepper. */
#include "benchmarks/harness/matrix.h"
#include "base/worse.h"

#include "linear/sparse.h"
#include "lib/impact.h"
#include "scene/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const matrix_scenes[] = {"brick-point", "brick-face", "corners", "stack", "wedge",
                                     "cradle",      "pendulum",   "ball",    "rod",   "box",
                                     "note",        "academic",   NULL};
const char *const matrix_step_scenes[] = {"ramp", "ten-boxes", "painleve", NULL};

/* A new cell without numbers. */
static matrix_cell *add_cell(matrix *m, const char *name, const char *model) {
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 512;
        matrix_cell *more = realloc(m->cell, (size_t)m->room * sizeof *more);
        if (!more) exit(2); /* as the tables of the report */
        m->cell = more;
    }
    matrix_cell *c = &m->cell[m->count++];
    *c = (matrix_cell){.place = m->scenes, .doubt = NAN, .v_compliant = NAN, .seconds = NAN};
    snprintf(c->scene, sizeof c->scene, "%s", name);
    snprintf(c->model, sizeof c->model, "%s", model);
    for (int k = 0; k < MATRIX_QUANTITIES; k++)
        c->error[k] = NAN;
    return c;
}

void matrix_clear(matrix *m) {
    free(m->cell);
    *m = (matrix){0};
}

/* The cells of a comparison; the limit, its second row, is what they are held against. models: its
 * rows from the third on. */
static void add_comparison(matrix *m, const char *name, const scene_comparison *c,
                           const imp_model *const models[]) {
    const double speed = scene_velocity_distance(&c->moment, c->moment.v, NULL);
    for (int i = 0; i < c->count; i++) {
        const scene_row *row = &c->row[i];
        if (i == 1) continue;
        const imp_model *model = i > 1 ? models[i - 2] : NULL;
        matrix_cell *cell = add_cell(m, name, row->name);
        cell->status = row->status;
        cell->why = row->why;
        cell->several = c->moment.nc > 1;
        cell->doubt = c->doubt;
        cell->restitution = model && model->takes & IMP_TAKES_RESTITUTION;
        cell->keeps_energy = model && model->takes & IMP_NEVER_GAINS_ENERGY;
        if (row->status != IMP_OK) continue;
        cell->error[MATRIX_COMMON] = row->v_limit;
        cell->error[MATRIX_OWN] = row->v_own;
        cell->error[MATRIX_BEST] = row->v_best;
        cell->error[MATRIX_PLASTIC] = row->v_plastic;
        cell->v_compliant = row->v_compliant;
        cell->seconds = row->seconds;
        cell->error[MATRIX_ENERGY] = row->energy / (0.5 * speed * speed);
    }
    m->scenes++;
}

/* The first contact problem of a stepper, dense. Its contacts touch: q is what its model would be
 * given. */
typedef struct step_problem {
    double *W;
    imp_operator dense;
    imp_problem problem;
    double speed; /* sqrt(J), mass norm of v* */
} step_problem;

static bool first_step(scene_steps *s, step_problem *x) {
    *x = (step_problem){0};
    if (imp_step_prepare(s->stepper, &s->settings) != IMP_OK || s->stepper->problem.nc == 0)
        return false;
    const imp_problem *own = &s->stepper->problem;
    const size_t rows = 3 * (size_t)own->nc;
    x->W = malloc(rows * rows * sizeof *x->W);
    if (!x->W) return false;
    imp_problem_dense(own, x->W);
    x->dense = imp_operator_dense(own->nc, x->W);
    x->problem = (imp_problem){.nc = own->nc, .W = &x->dense, .q = own->q, .mu = own->mu};
    x->speed = sqrt(2 * imp_world_kinetic(s->world));
    return true;
}

/* |v(p) - v(p')| in the mass norm: sqrt((p - p')' W (p - p')). */
static double apart(const step_problem *x, const double *a, const double *b, double *room) {
    const size_t rows = 3 * (size_t)x->problem.nc;
    double square = 0;
    for (size_t i = 0; i < rows; i++)
        room[i] = a[i] - b[i];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++)
            square += room[i] * x->W[i * rows + j] * room[j];
    return sqrt(imp_worse(0, square));
}

/* The answer all are held against: auto's, as far as the certificate of Signorini and Coulomb
 * goes. */
static double certified(const step_problem *x, double *p) {
    imp_certificate certificate;
    if (imp_solve(&imp_model_auto, &x->problem, NULL, p, NULL) != IMP_OK) return INFINITY;
    if (imp_certify(&x->problem, &imp_law_coulomb, NULL, p, NULL, &certificate) != IMP_OK)
        return INFINITY;
    return certificate.unjudged ? INFINITY : certificate.worst;
}

static void add_step(matrix *m, const char *name, const step_problem *x,
                     const imp_model *const models[], const matrix_visitor *visitor) {
    const size_t rows = 3 * (size_t)x->problem.nc;
    double *p = calloc(3 * rows, sizeof *p), *best = p + rows, *room = best + rows;
    if (!p) exit(2);
    const double residual = certified(x, best);
    if (visitor && visitor->step)
        visitor->step(visitor->context, name, &x->problem, best, residual);
    for (int i = 0; models[i]; i++) {
        matrix_cell *cell = add_cell(m, name, models[i]->name);
        cell->steps = true;
        cell->several = x->problem.nc > 1;
        cell->restitution = models[i]->takes & IMP_TAKES_RESTITUTION;
        cell->keeps_energy = models[i]->takes & IMP_NEVER_GAINS_ENERGY;
        cell->doubt = residual;
        cell->status = imp_solve(models[i], &x->problem, NULL, p, NULL);
        if (cell->status == IMP_UNSUPPORTED) cell->why = scene_refusal(models[i], &x->problem);
        if (cell->status != IMP_OK) continue;
        if (isfinite(residual)) cell->error[MATRIX_RIGID] = apart(x, p, best, room) / x->speed;
        cell->error[MATRIX_ENERGY] =
            imp_problem_energy(&x->problem, p) / (0.5 * x->speed * x->speed);
    }
    free(p);
    m->scenes++;
}

static bool add_impact_variant(matrix *m, const scene_file *file, int i, const char *name,
                               const imp_model *const models[], const matrix_visitor *visitor,
                               imp_error *error) {
    scene s;
    scene_comparison c;
    imp_error why;
    if (scene_build(file, i, &s, error) != IMP_OK) return false;
    const imp_status status = scene_compare(&s, models, &c, &why);
    if (status == IMP_OK) {
        add_comparison(m, name, &c, models);
        if (visitor && visitor->impact) visitor->impact(visitor->context, name, &s, &c);
        scene_comparison_clear(&c);
    } else {
        imp_error_set(error, status, "%s: %s", name, why.text);
    }
    scene_clear(&s);
    return status == IMP_OK;
}

static bool add_step_variant(matrix *m, const scene_file *file, int i, const char *name,
                             const imp_model *const models[], const matrix_visitor *visitor,
                             imp_error *error) {
    scene_steps s;
    step_problem x;
    if (scene_steps_build(file, i, &s, error) != IMP_OK) return false;
    const bool good = first_step(&s, &x);
    if (good)
        add_step(m, name, &x, models, visitor);
    else
        imp_error_set(error, IMP_NO_SOLUTION, "%s: nothing touches in the first step", name);
    free(x.W);
    scene_steps_clear(&s);
    return good;
}

bool matrix_add_file(matrix *m, const char *name, const imp_model *const models[],
                     const matrix_visitor *visitor, imp_error *error) {
    char path[160], whole[MATRIX_NAME];
    scene_file file;
    bool good = true, steps = false;
    for (int k = 0; matrix_step_scenes[k]; k++)
        steps = steps || strcmp(name, matrix_step_scenes[k]) == 0;
    snprintf(path, sizeof path, "benchmarks/scenes/%s.json", name);
    if (scene_open(path, &file, error) != IMP_OK) return false;
    for (int i = 0; i < file.variants && good; i++) {
        const char *variant = scene_variant_name(&file, i);
        snprintf(whole, sizeof whole, "%s%s%s", name, variant ? ", " : "", variant ? variant : "");
        good = (steps ? add_step_variant : add_impact_variant)(m, &file, i, whole, models, visitor,
                                                               error);
    }
    scene_close(&file);
    return good;
}
