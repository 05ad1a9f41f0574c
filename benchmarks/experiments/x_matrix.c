/* x_matrix.c - every model on every scene: how far from the rigid limit of compliant contact, with
 * the restitution that all share and with each law's own; each cell against its committed band. */
#include "base/worse.h"
#include "benchmarks/harness/impact_compare.h"
#include "benchmarks/harness/matrix.h"
#include "benchmarks/harness/report.h"
#include "lib/impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 64 };

typedef struct view {
    report *r;
    matrix m;
    matrix_bands bands;
    report_rows *all; /* the comparisons themselves */
    double plastic;   /* worst distance of the end of a compression from its second computation */
    int one_contact;  /* scenes with one */
} view;

/* The panels of the map: what a model can be compared on. */
enum { PANEL_SPACE, PANEL_PLANE, PANEL_FRICTIONLESS };

static int panel(const char *name) {
    const imp_model *model = matrix_model_find(name);
    if (!model) return PANEL_SPACE;
    return model->takes & IMP_ONLY_PLANAR         ? PANEL_PLANE
           : model->takes & IMP_ONLY_FRICTIONLESS ? PANEL_FRICTIONLESS
                                                  : PANEL_SPACE;
}

/* The references of one contact are the process of Darboux and Keller: its limit stopped by the
 * compliant law, and the end of its compression. Runs with ever stiffer contact give the first a
 * second way, without a rigid model; quadrature along the hodograph the other. */
static void second_ways(view *x, const scene *s, const scene_comparison *c) {
    const scene_moment *m = &c->moment;
    scene_outcome process = {0}, runs = {0};
    double doubt, extrapolated;
    if (m->nc != 1) return;
    const double *B = m->W;
    const gen_problem problem = {.W = {B[0], B[1], B[2], B[4], B[5], B[8]},
                                 .q = {m->u[0], m->u[1], m->u[2]},
                                 .mu = m->mu[0]};
    impact_answer plastic;
    imp_status status = scene_outcome_init(&process, m);
    if (status == IMP_OK) status = scene_outcome_init(&runs, m);
    const double speed = scene_velocity_distance(m, m->v, NULL);
    if (status == IMP_OK) {
        status = scene_limit(s, m, &process, &doubt);
        if (status == IMP_OK) status = scene_limit_extrapolated(s, m, &runs, &extrapolated);
        const bool two = status == IMP_OK && doubt == 0; /* above 0 it was extrapolated, too */
        report_at_most(
            x->r, INDEPENDENT,
            report_text(x->r, "%s: limit by Darboux-Keller, from that of compliant runs", s->title),
            1e-6, two ? scene_velocity_distance(m, process.v, runs.v) / speed : NAN,
            "velocities, in the mass norm, relative to the speed before");
        double off = INFINITY;
        if (scene_plastic(s, m, &process) == IMP_OK &&
            impact_by_hodograph(&problem, IMP_NEWTON, &plastic, NULL)) {
            memcpy(runs.p, plastic.p, sizeof plastic.p);
            (void)scene_outcome_from_impulse(s, m, &runs);
            off = scene_velocity_distance(m, process.v, runs.v) / speed;
        }
        x->plastic = imp_worse(x->plastic, off);
        x->one_contact++;
    }
    scene_outcome_clear(&process);
    scene_outcome_clear(&runs);
}

static void see_impact(void *context, const char *name, const scene *s, const scene_comparison *c) {
    view *x = context;
    (void)name;
    scene_comparison_write(report_stream(x->all), s, c);
    if (c->row[1].status != IMP_OK)
        report_shown(x->r, NO_REFERENCE,
                     report_text(x->r, "%s: the limit is not certified", s->title), "",
                     report_text(x->r, "to %.2g", c->doubt),
                     "gaps stay as they are while stiffer contacts grow shorter: the limit, wide "
                     "gaps, is far from "
                     "what the runs extrapolate");
    second_ways(x, s, c);
}

/* A step's reference: Coulomb's certificate, and for the ramp the box's acceleration in closed
 * form: it slides down, a = g (sin 30 - mu cos 30), whatever it had before. */
static void see_step(void *context, const char *name, const imp_problem *problem, const double *p,
                     double residual) {
    view *x = context;
    report_at_most(
        x->r, OWN_BOUND, report_text(x->r, "%s: Coulomb's certificate of the reference", name),
        1e-9, residual, "worst residual of Signorini's and Coulomb's conditions: trusts no solver");
    if (strncmp(name, "ramp, ", 6) != 0 || name[6] == 'E') return;
    const double h = 0.01, g = 9.81, mu = problem->mu[0],
                 before = name[6] == 'B'   ? 1
                          : name[6] == 'C' ? 2
                                           : 0;
    double u[12];
    imp_operator_apply(problem->W, p, problem->q, u);
    report_near(x->r, INDEPENDENT, report_text(x->r, "%s: slip after the step, m/s", name),
                before + h * g * (0.5 - mu * sqrt(0.75)), hypot(u[1], u[2]), 1e-7,
                "closed form of a sliding box; the slip is a thirtieth of h g, whose rounding the "
                "certificate allows");
}

/* What the bands say of all cells. */
typedef struct outcome {
    int count[MATRIX_VERDICTS]; /* of numbers and blanks */
    int cells, hold;            /* cells with a number; those of them whose numbers all hold */
    const char *first;          /* what is wrong, in words; NULL: nothing */
} outcome;

/* One number or blank of a cell: its verdict, and its line in the table. */
static matrix_verdict judge_one(view *x, report_rows *t, const matrix_cell *c,
                                matrix_quantity quantity, outcome *o) {
    const char *reason, *name = matrix_quantity_names[quantity];
    const matrix_band *band;
    const double error = c->error[quantity];
    const matrix_verdict v = matrix_judge(c, quantity, &x->bands, &reason, &band);
    o->count[v]++;
    if (!o->first && v != MATRIX_HOLDS && v != MATRIX_EXCUSED)
        o->first = report_text(x->r, "%s, %s, %s: %s (%.6g)", c->scene, c->model, name,
                               matrix_verdict_names[v], error);
    report_cells(t, IMP_TEXT(c->scene), IMP_TEXT(c->model), IMP_TEXT(name), IMP_NUMBER(error),
                 IMP_NUMBER(c->doubt), IMP_NUMBER(band ? band->low : NAN),
                 IMP_NUMBER(band ? band->high : NAN), IMP_TEXT(matrix_verdict_names[v]),
                 IMP_TEXT(reason));
    return v;
}

static void verdicts(view *x) {
    outcome o = {.count = {0}};
    report_rows *t =
        report_table(x->r, "x_matrix_cells",
                     "scene\tmodel\tquantity\terror:9\tdoubt:3\tlow:9\thigh:9\tverdict\treason");
    int stale = 0;
    for (int i = 0; i < x->m.count; i++) {
        int of[MATRIX_VERDICTS] = {0};
        for (int k = 0; k < MATRIX_QUANTITIES; k++)
            if (matrix_asks(&x->m.cell[i], (matrix_quantity)k))
                of[judge_one(x, t, &x->m.cell[i], (matrix_quantity)k, &o)]++;
        const int wrong = of[MATRIX_OUTSIDE] + of[MATRIX_UNJUDGED] + of[MATRIX_MISSING];
        o.cells += of[MATRIX_HOLDS] + wrong > 0;
        o.hold += of[MATRIX_HOLDS] > 0 && wrong == 0;
    }
    for (int i = 0; i < x->bands.count; i++)
        stale += !x->bands.band[i].met;
    const int numbers = o.count[MATRIX_HOLDS] + o.count[MATRIX_OUTSIDE] + o.count[MATRIX_UNJUDGED];
    report_count(x->r, OWN_BOUND, "cells whose numbers all lie in their committed bands", o.cells,
                 o.hold,
                 o.first ? o.first
                         : report_text(x->r, "%d scenes; %d numbers, benchmarks/matrix_bands.tsv",
                                       x->m.scenes, numbers));
    report_count(
        x->r, OWN_BOUND, "blanks without a reason", 0, o.count[MATRIX_MISSING],
        report_text(
            x->r,
            "%d blanks: the law does not take such a problem, knows no restitution, or nothing "
            "certified is there to compare with",
            o.count[MATRIX_EXCUSED]));
    report_count(x->r, OWN_BOUND, "bands that no number meets", 0, stale, NULL);
}

/* Label, panel and number of a cell for the map; the number: the law's own restitution, or what
 * stands for it. */
static void draw(view *x, const char *table, matrix_quantity wanted) {
    report_rows *map =
        report_table(x->r, table, "row:17\tpanel:17\tcolumn:17\tscene\tmodel\terror:9\twhy");
    int columns[3] = {0};
    struct {
        char name[MATRIX_NAME];
        int panel, column;
    } seen[MODELS] = {0};
    int models = 0, row = -1, place = -1;
    for (int i = 0; i < x->m.count; i++) {
        const matrix_cell *c = &x->m.cell[i];
        int k = 0;
        const bool compliant = strcmp(c->model, "compliant") == 0;
        /* no number in all of its row, and none of its own */
        if (wanted == MATRIX_PLASTIC && (c->several || c->steps || compliant)) continue;
        if (c->place != place) row++, place = c->place;
        while (k < models && strcmp(seen[k].name, c->model) != 0)
            k++;
        if (k == models) {
            snprintf(seen[k].name, sizeof seen[k].name, "%s", c->model);
            seen[k].panel = panel(c->model);
            seen[k].column = columns[seen[k].panel]++;
            models++;
        }
        matrix_quantity q = c->steps ? MATRIX_RIGID : wanted;
        if (!c->steps && !compliant && !c->restitution) q = MATRIX_PLASTIC; /* its fair place */
        if (compliant) q = MATRIX_COMMON;
        const char *why = c->status == IMP_UNSUPPORTED ? c->why : NULL;
        const bool uncertified = !c->steps && c->doubt > 1e-6;
        const char *mark = uncertified ? " *" : c->steps ? " (step)" : "";
        const char *without =
            wanted != MATRIX_PLASTIC && matrix_model_find(c->model) && !c->restitution ? " (e = 0)"
                                                                                       : "";
        report_cells(map, IMP_NUMBER(row), IMP_NUMBER(seen[k].panel), IMP_NUMBER(seen[k].column),
                     IMP_TEXT(report_text(x->r, "%s%s", c->scene, mark)),
                     IMP_TEXT(report_text(x->r, "%s%s", c->model, without)),
                     IMP_NUMBER(isnan(c->error[q]) ? -1 : c->error[q]),
                     IMP_TEXT(!why ? (isnan(c->error[q]) ? "n/a" : "")
                              : strcmp(why, "several contacts") == 0 ? "many"
                              : strcmp(why, "not planar") == 0       ? "3D"
                                                                     : "mu"));
    }
}

static double middle(double *x, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && x[k - 1] > x[k]; k--) {
            const double swap = x[k];
            x[k] = x[k - 1], x[k - 1] = swap;
        }
    return n == 0 ? NAN : n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* The middle of a quantity over a model's cells; NAN: none. *worst, *count (may be NULL) too. */
static double over_scenes(const matrix *m, const char *model, int quantity, double *worst,
                          int *count) {
    double *values = calloc((size_t)m->count, sizeof *values), most = 0;
    int n = 0;
    for (int i = 0; values && i < m->count; i++) {
        const matrix_cell *c = &m->cell[i];
        const double value = quantity < MATRIX_QUANTITIES ? c->error[quantity] : 1e6 * c->seconds;
        if (strcmp(c->model, model) != 0 || isnan(value)) continue;
        values[n++] = value;
        most = fmax(most, value);
    }
    const double result = values ? middle(values, n) : NAN;
    free(values);
    if (worst) *worst = most;
    if (count) *count = n;
    return result;
}

static void summary(view *x) {
    report_rows *t = report_table(x->r, "x_matrix_models",
                                  "model\tscenes\te of the scene:2\tits own e:2\tthe best "
                                  "e:2\tworst with its own:2\te = 0, compression:2\t"
                                  "e = 0, one step:2\tmiddle time, μs:2");
    for (int i = 0; i < x->m.count && x->m.cell[i].place == 0; i++) {
        const char *model = x->m.cell[i].model;
        int taken, steps;
        double worst;
        const double common = over_scenes(&x->m, model, MATRIX_COMMON, NULL, &taken),
                     rigid = over_scenes(&x->m, model, MATRIX_RIGID, NULL, &steps),
                     own = over_scenes(&x->m, model, MATRIX_OWN, &worst, NULL);
        report_cells(
            t, IMP_TEXT(model), IMP_TEXT(report_text(x->r, "%d of %d", taken + steps, x->m.scenes)),
            IMP_NUMBER(common), IMP_NUMBER(own),
            IMP_NUMBER(over_scenes(&x->m, model, MATRIX_BEST, NULL, NULL)),
            IMP_NUMBER(isnan(own) ? NAN : worst),
            IMP_NUMBER(over_scenes(&x->m, model, MATRIX_PLASTIC, NULL, NULL)), IMP_NUMBER(rigid),
            IMP_NUMBER(over_scenes(&x->m, model, MATRIX_QUANTITIES, NULL, NULL)));
    }
}

/* All files; false: a row says why not. */
static void fill(view *x) {
    const matrix_visitor visitor = {x, see_impact, see_step};
    const char *const *const lists[] = {matrix_scenes, matrix_step_scenes};
    int files = 0, done = 0;
    for (int l = 0; l < 2; l++)
        for (int i = 0; lists[l][i]; i++)
            files++;
    for (int l = 0; l < 2; l++)
        for (int i = 0; lists[l][i]; i++) {
            imp_error error;
            if (!matrix_add_file(&x->m, lists[l][i], matrix_models(), &visitor, &error))
                report_judge(x->r, OWN_BOUND, lists[l][i], "a comparison", error.text, "", false,
                             NULL);
            report_progress(x->r, (double)++done / files);
        }
}

static void figures(report *r, view *x) {
    draw(x, "x_matrix_map", MATRIX_OWN);
    report_figure(
        r, "x_matrix_map",
        "No law meets compliant contact on every scene; each that takes any motion is off by "
        "several per cent or more on some. Velocity error of every model on every scene against "
        "the certified rigid limit of compliant contact, in the mass norm, per cent of the speed "
        "before the impact (colour: logarithmic, to 1000 %), each law with its own restitution: "
        "the one that gives the rebound of one normal impact without friction. First column: the "
        "compliant run itself at the scene's stiffness, which is how rigid the scene is. Two "
        "models have a second column, with a setting that makes another law of them: moreau with "
        "Frémond's restitution of the slip, sequential in the order of Guendelman, Bridson and "
        "Fedkiw. coulomb "
        "knows no restitution: with e = 0, against the end of the compression. Scenes marked "
        "step: the contact problem of the stepper's first step, e = 0, against the certified "
        "Coulomb answer. Grey: no number, and why: many contacts, 3D motion for a planar law, "
        "friction (mu), n/a (nothing to compare with); blank: a step has no compliant run. * the "
        "limit is not certified.");
    draw(x, "x_matrix_common", MATRIX_COMMON);
    report_figure(r, "x_matrix_common",
                  "With one restitution for all laws the large errors stay where they "
                  "are. It is that of the scene file (the source's where it gives one: "
                  "the brick's was fitted to PLUS there).");
    draw(x, "x_matrix_plastic", MATRIX_PLASTIC);
    report_figure(r, "x_matrix_plastic",
                  "Without restitution every law of friction but the process of Darboux and Keller "
                  "misses the limit on some scene. e = 0 for every law, against the end of the "
                  "compression: one contact only, since several end theirs at several times. What "
                  "is left is friction alone. The darboux columns show nothing: the reference is "
                  "computed by that process. In the plane the planar columns meet it in closed "
                  "form, and a row above everywhere by quadrature along the hodograph.");
}

static void explain(view *x) {
    double rod = 0;
    for (int i = 0; i < x->m.count; i++)
        if (strncmp(x->m.cell[i].scene, "rod, ", 5) == 0 &&
            strcmp(x->m.cell[i].model, "drumwright") == 0)
            rod = fmax(rod, x->m.cell[i].error[MATRIX_OWN]);
    report_say(x->r, "Without friction the three hypotheses of restitution are one, so that a "
                     "law's own e differs from the "
                     "others' only where it depends on the speed (PLUS, below its speed of plastic "
                     "deformation). What is left "
                     "with the best e of a scene is friction: nothing for the laws on the path of "
                     "Darboux and Keller wherever "
                     "some e stops them at the place of the limit, a good deal for those that "
                     "choose one direction of slip. "
                     "Where friction presses a rod into the plane it closes faster than it "
                     "arrived, and no constant e stands "
                     "for a dissipation that grows with the speed. Impulse-based restitution "
                     "(PLUS, darboux-poisson, poisson) "
                     "is far off where friction makes the contact compress twice (box, note); "
                     "Stronge's work-based one is "
                     "not. Four points under a brick that stands high share the load in compliant "
                     "contact as the brick turns, "
                     "which no model with a fixed configuration sees.");
    report_say(
        x->r,
        report_text(
            x->r,
            "drumwright allows no more normal impulse than there is without friction, and so "
            "cannot "
            "stop the tip of a rod that friction presses into the plane: it is up to %.0f %% off.",
            100 * rod));
}

static void run(report *r) {
    static view x; /* as every experiment, once */
    double gain = -INFINITY;
    x = (view){.r = r};
    x.all = report_table_of(r, "x_matrix", scene_comparison_columns);
    if (!matrix_bands_open("benchmarks/matrix_bands.tsv", &x.bands))
        report_judge(r, OWN_BOUND, "benchmarks/matrix_bands.tsv", "bands", "not readable", "",
                     false, NULL);
    fill(&x);
    verdicts(&x);
    report_at_most(
        r, INDEPENDENT,
        "end of the compression by Darboux-Keller, from that by quadrature along the hodograph",
        1e-9, x.plastic, report_text(r, "worst of %d scenes with one contact", x.one_contact));
    for (int i = 0; i < x.m.count; i++)
        if (x.m.cell[i].keeps_energy && x.m.cell[i].status == IMP_OK)
            gain = imp_worse(gain, x.m.cell[i].error[MATRIX_ENERGY]);
    report_at_most(r, OWN_BOUND, "largest gain of energy of a model that promises none, relative",
                   1e-12, isinf(gain) ? NAN : gain, NULL);
    summary(&x);
    figures(r, &x);
    explain(&x);
    report_show_table(r, "x_matrix_models",
                      "Models over the scenes they take: middle velocity errors. The whole table "
                      "(impulses where they "
                      "are unique, energy, counts of work, times) is x_matrix.tsv, as `impact "
                      "compare` prints it; every "
                      "error with its band and verdict is x_matrix_cells.tsv.");
    matrix_bands_clear(&x.bands);
    matrix_clear(&x.m);
}

const experiment experiment_x_matrix = {"X-matrix", "Every model on every scene",
                                        "How close is each instantaneous model to a resolved "
                                        "collision? Each error is held against its committed band, "
                                        "from "
                                        "physics where an answer is known beforehand and else as "
                                        "it was when the band was kept; the rigid limit of one "
                                        "contact must come out the same by Darboux-Keller with the "
                                        "compliant law and by ever stiffer compliant runs.",
                                        run};
