/* x_matrix.c - every model on every scene: how far from the compliant impact, and from its rigid limit. */
#include "benchmarks/harness/report.h"
#include "lib/impact.h"
#include "scene/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {"brick-point", "brick-face", "cradle", "pendulum", "box", "note"};
enum { FILES = sizeof files / sizeof *files, MOST = 64 };

/* What is kept of a row's cells. */
typedef struct tally {
    const char *name;
    int taken, scenes;
    double compliant[MOST], limit[MOST], microseconds[MOST]; /* of the scenes taken */
} tally;

typedef struct matrix {
    report *r;
    FILE *all, *map;
    int columns, rows;
    tally tally[MOST]; /* of rows: compliant, limit, models */
    long wrong;        /* cells whose status is neither ok nor the unsupported it should be */
    double gain;       /* J/J, largest gain of energy of a model that promises none, relative to the energy before */
} matrix;

static double middle(const double *x, int n) {
    double sorted[MOST];
    for (int i = 0; i < n; i++) {
        int k = i;
        for (; k > 0 && sorted[k - 1] > x[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = x[i];
    }
    return n == 0 ? NAN : n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

/* Should the model answer, with the scene's restitution or with none? */
static bool takes(const imp_model *model, const imp_problem *problem) {
    imp_problem inelastic = *problem;
    inelastic.e = NULL;
    return imp_model_takes(model, problem) == IMP_OK ||
           (!(model->takes & IMP_TAKES_RESTITUTION) && imp_model_takes(model, &inelastic) == IMP_OK);
}

static double energy_before(const scene_moment *m) {
    double twice = 0;
    for (int i = 0; i < m->nv; i++)
        for (int j = 0; j < m->nv; j++)
            twice += m->v[i] * m->H[i * m->nv + j] * m->v[j];
    return 0.5 * twice;
}

static void add_cell(matrix *x, const scene_comparison *c, int i, const char *column) {
    const scene_row *row = &c->row[i];
    tally *t = &x->tally[i];
    const imp_model *model = imp_model_find(row->name);
    const bool solved = row->status == IMP_OK || (i < 2 && row->status > 0);
    t->name = row->name;
    t->scenes++;
    if (solved) {
        t->compliant[t->taken] = row->v_compliant;
        t->limit[t->taken] = row->v_limit;
        t->microseconds[t->taken++] = 1e6 * row->seconds;
    }
    if (model) {
        x->wrong += takes(model, &c->moment.problem) ? row->status != IMP_OK : row->status != IMP_UNSUPPORTED;
        if (solved && model->takes & IMP_NEVER_GAINS_ENERGY)
            x->gain = fmax(x->gain, row->energy / energy_before(&c->moment));
    }
    if (i == 1) return; /* the limit itself is not drawn; -1: not taken */
    const char *label = model && !(model->takes & IMP_TAKES_RESTITUTION) ? report_text(x->r, "%s (e = 0)", row->name)
                                                                         : report_text(x->r, "%s", row->name);
    fprintf(x->map, "%d\t%d\t%s\t%s\t%.9g\t%.9g\n", x->columns, i > 0 ? i - 1 : 0, column, label,
            solved ? row->v_limit : -1, solved ? row->v_compliant : -1);
}

/* The limit of one contact is the process of Darboux and Keller stopped by the compliant law; runs with ever stiffer
 * contact give it a second way, without a rigid model. */
static void second_way(report *r, const scene *s) {
    scene_moment m;
    scene_outcome process = {0}, runs = {0};
    double doubt;
    if (scene_touch(s, &m) != IMP_OK) return;
    imp_status status = scene_outcome_init(&process, &m);
    if (status == IMP_OK) status = scene_outcome_init(&runs, &m);
    if (status == IMP_OK && m.nc == 1) {
        status = scene_limit(s, &m, &process, &doubt);
        if (status == IMP_OK) status = scene_limit_extrapolated(s, &m, &runs, &doubt);
        const double off = scene_velocity_distance(&m, runs.v, process.v) / sqrt(2 * energy_before(&m));
        report_at_most(r, OWN_BOUND,
                       report_text(r, "%s: limit by Darboux-Keller, from that of compliant runs", s->title), 1e-6,
                       status == IMP_OK ? off : NAN, "velocities, in the mass norm, relative to the speed before");
    }
    scene_outcome_clear(&process);
    scene_outcome_clear(&runs);
    scene_moment_clear(&m);
}

static void add_scene(matrix *x, const scene *s, const char *column) {
    scene_comparison c;
    compliant_end end;
    double time;
    const imp_status status = scene_compare(s, &c, &end, &time);
    if (status != IMP_OK) {
        report_judge(x->r, OWN_BOUND, s->title, "a comparison", imp_status_text(status), "", false, NULL);
        return;
    }
    scene_comparison_write(x->all, s, &c);
    const bool certified = c.row[1].status == IMP_OK;
    for (int i = 0; i < c.count && i < MOST; i++)
        add_cell(x, &c, i, certified ? column : report_text(x->r, "%s *", column));
    x->rows = c.count;
    x->columns++;
    if (!certified)
        report_shown(
            x->r, NO_REFERENCE, report_text(x->r, "%s: the limit is not certified", s->title), "",
            report_text(x->r, "to %.2g", c.doubt),
            "gaps stay as they are while stiffer contacts grow shorter: the limit, wide gaps, is far from what "
            "the runs extrapolate");
    scene_comparison_clear(&c);
    second_way(x->r, s);
}

static void add_file(matrix *x, const char *name) {
    const char *path = report_text(x->r, "benchmarks/scenes/%s.json", name);
    scene_file file;
    imp_error error;
    if (scene_open(path, &file, &error) != IMP_OK) {
        report_judge(x->r, OWN_BOUND, path, "a scene", error.text, "", false, NULL);
        return;
    }
    for (int i = 0; i < file.variants; i++) {
        scene s;
        const char *variant = scene_variant_name(&file, i);
        if (scene_build(&file, i, &s, &error) != IMP_OK) {
            report_judge(x->r, OWN_BOUND, path, "a scene", error.text, "", false, NULL);
            continue;
        }
        add_scene(x, &s, variant ? report_text(x->r, "%s, %s", name, variant) : name);
        scene_clear(&s);
    }
    scene_close(&file);
}

static void summary(report *r, const matrix *x) {
    FILE *table = report_table(
        r, "x_matrix_models",
        "model\tscenes\tmiddle v error against compliant\tagainst the limit\tworst against the limit\tmiddle time, μs");
    for (int i = 0; i < x->rows; i++) {
        const tally *t = &x->tally[i];
        double worst = 0;
        for (int k = 0; k < t->taken; k++)
            worst = fmax(worst, t->limit[k]);
        fprintf(table, "%s\t%d of %d", t->name, t->taken, t->scenes);
        if (t->taken == 0)
            fputs("\t\t\t\t\n", table);
        else
            fprintf(table, "\t%.2g\t%.2g\t%.2g\t%s\n", middle(t->compliant, t->taken), middle(t->limit, t->taken),
                    worst, i == 1 ? "" : report_text(r, "%.3g", middle(t->microseconds, t->taken)));
    }
}

/* The columns of a comparison, as report_table wants them. */
static const char *header(report *r) {
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return "no memory";
    scene_comparison_header(memory);
    fclose(memory);
    text[strcspn(text, "\n")] = '\0';
    const char *kept = report_text(r, "%s", text);
    free(text);
    return kept;
}

static void run(report *r) {
    static matrix x; /* larger than is good for a stack */
    x = (matrix){.r = r, .gain = -INFINITY};
    x.all = report_table(r, "x_matrix", header(r));
    x.map = report_table(r, "x_matrix_map", "column\trow\tscene\tmodel\tv_limit\tv_compliant");
    for (int i = 0; i < FILES; i++) {
        add_file(&x, files[i]);
        report_progress(r, (i + 1.0) / FILES);
    }
    report_count(r, OWN_BOUND, "cells that are neither ok nor rightly unsupported", 0, x.wrong,
                 report_text(r, "%d models on %d scenes", x.rows - 2, x.columns));
    report_at_most(r, OWN_BOUND, "largest gain of energy of a model that promises none, relative", 1e-12, x.gain, NULL);
    summary(r, &x);
    report_figure(r, "x_matrix_map",
                  "Velocity error of every model on every scene against the certified rigid limit of compliant "
                  "contact, in the mass norm, per cent of the speed before the impact (colour: logarithmic). First "
                  "row: the compliant run itself at the scene's stiffness, which is how rigid the scene is. "
                  "Hatched: the model does not take such a problem (planar models off the plane, one-contact models "
                  "of several contacts). Models marked e = 0 know no restitution. * the limit is not certified.");
    report_say(r,
               "Impulse-based restitution (PLUS, darboux-poisson, poisson) is far off where friction makes the contact "
               "compress twice (box, note); Stronge's work-based one is not. The box also arrives at 3.6 mm/s, below "
               "PLUS's capture speed. Four points under a brick that stands high share the load in compliant contact "
               "as the brick turns, which no model with a fixed configuration sees.");
    report_show_table(r, "x_matrix_models",
                      "Models over the scenes they take. The whole table (impulses where they are unique, energy, "
                      "counts of work, times) is x_matrix.tsv, as `impact compare` prints it.");
}

const experiment experiment_x_matrix = {
    "X-matrix", "Every model on every scene",
    "How close is each instantaneous model to a resolved collision? Judged is that each cell is what it should be, and "
    "that the rigid limit of one contact comes out the same by Darboux-Keller with the compliant law and by ever "
    "stiffer "
    "compliant runs; the errors themselves are shown.",
    run};
