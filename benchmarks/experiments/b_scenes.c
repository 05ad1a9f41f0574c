/* b_scenes.c - block solvers with restitution against compliant contacts: Newton's cradle, a stack
 * of boxes, a wedge.
 */
#include "base/worse.h"
#include "benchmarks/experiments/course.h"
#include "benchmarks/harness/report.h"
#include "scene/compare.h"

#include <math.h>
#include <string.h>

/* The residual of a model's answer by its own law, judged once more from the problem. */
static double residual_of(const scene_row *row, const scene_moment *m) {
    const imp_model *model = imp_model_find(row->name);
    imp_certificate c;
    if (row->status != IMP_OK) return NAN;
    return imp_certify(&m->problem, model->law, NULL, row->outcome.p, NULL, &c) == IMP_OK ? c.worst
                                                                                          : NAN;
}

/* One variant (NULL: the only one): its rows in the table, and what every block solver must keep.
 * How far auto is from compliant contact is shown: its law promises nothing of it. */
static void compare(report *r, report_rows *table, const char *name, const char *variant,
                    const char *what) {
    static const imp_model *const models[] = {&imp_model_plus,
                                              &imp_model_newton,
                                              &imp_model_poisson,
                                              &imp_model_gauss_seidel_maxdiss,
                                              &imp_model_gauss_seidel_coulomb,
                                              &imp_model_auto,
                                              NULL};
    imp_error error;
    course open;
    scene_comparison c;
    if (!course_open(r, name, variant, &open)) return;
    if (scene_compare(&open.scene, models, &c, &error) == IMP_OK) {
        double worst = -INFINITY, apart = NAN, residual = 0;
        const scene_row *nearest = NULL;
        for (int i = 0; i < c.count; i++) {
            const scene_row *row = &c.row[i];
            const bool is_auto = strcmp(row->name, "auto") == 0;
            report_cells(table, IMP_TEXT(what), IMP_TEXT(row->name),
                         IMP_TEXT(imp_status_text(row->status)), IMP_NUMBER(row->e),
                         IMP_NUMBER(row->v_limit), IMP_NUMBER(row->energy));
            if (is_auto) apart = row->v_limit;
            if (i > 1 && row->status == IMP_OK && (!nearest || row->v_limit < nearest->v_limit))
                nearest = row;
            if (!is_auto && strncmp(row->name, "gauss", 5) != 0) continue;
            worst = row->status != IMP_OK ? NAN : worst < row->energy ? row->energy : worst;
            residual = imp_worse(residual, residual_of(row, &c.moment));
        }
        report_at_most(r, OWN_BOUND,
                       report_text(r, "%s: most energy a block solver gains, J", what), 1e-9, worst,
                       report_text(r, "the compliant run loses %.3g J", -c.row[0].energy));
        report_at_most(r, OWN_BOUND,
                       report_text(r, "%s: residual of a block solver by its own law", what), 1e-9,
                       residual, NULL);
        report_shown(
            r, NO_REFERENCE,
            report_text(r, "%s: velocities of auto from the compliant limit, relative", what), "",
            report_text(r, "%.3g", apart),
            nearest ? report_text(r, "the nearest model shown: %s, %.3g", nearest->name,
                                  nearest->v_limit)
                    : NULL);
        scene_comparison_clear(&c);
    } else {
        report_judge(r, OWN_BOUND, what, "a comparison", error.text, "", false, NULL);
    }
    course_close(&open);
}

/* All pairs of the touching cradle at once, e = 1: only the first one approaches, so the row of
 * four answers as one ball of their mass, 1.2 and -0.8 m/s. */
static void cradle_at_once(report *r) {
    enum { BALLS = 5 };
    static const double want[BALLS] = {1.2, -0.8, -0.8, -0.8, -0.8};
    double v[BALLS] = {NAN, NAN, NAN, NAN, NAN};
    course c;
    imp_settings settings;
    scene_outcome outcome;
    if (!course_open(r, "cradle", "touching", &c)) return;
    scene_model_settings(&c.scene, &imp_model_auto, &settings);
    if (scene_outcome_init(&outcome, &c.touch) == IMP_OK) {
        const imp_status status =
            imp_solve(&imp_model_auto, &c.touch.problem, &settings, outcome.p, NULL);
        if (status == IMP_OK && scene_outcome_from_impulse(&c.scene, &c.touch, &outcome) == IMP_OK)
            for (int k = 0; k < BALLS; k++)
                v[k] = outcome.v[6 * k];
        scene_outcome_clear(&outcome);
    }
    course_close(&c);
    report_vector(r, INDEPENDENT, "cradle, touching: velocities of auto, m/s", want, v, BALLS, 1e-6,
                  "closed form: Newton's restitution in all pairs at once");
}

static void run(report *r) {
    report_rows *table =
        report_table(r, "b_scenes", "scene\tmodel\tstatus\te:3\tvelocity_error:4\tenergy_J:6");
    compare(r, table, "cradle", "touching", "cradle, touching");
    compare(r, table, "cradle", "gap 1 mm", "cradle, 1 mm apart");
    compare(r, table, "stack", NULL, "stack of boxes");
    compare(r, table, "wedge", NULL, "ball in a wedge");
    cradle_at_once(r);
    report_show_table(r, "b_scenes",
                      "Change of energy, and velocities after the impact against the limit of "
                      "infinite stiffness (relative, mass "
                      "norm). Block solvers, newton and poisson solve all contacts at once: they "
                      "keep the energy's sign, and know "
                      "nothing of the order in which a wave runs. In a cradle that order is the "
                      "answer: compliant contacts hand the "
                      "momentum on from ball to ball and the last one leaves, while a simultaneous "
                      "solution gives every ball its "
                      "share. An error near 1 there is the law's, not the solver's, whose own "
                      "residual is at its tolerance. plus "
                      "takes the impact in rounds and follows the wave: exactly where the balls "
                      "are apart, nearly where they "
                      "touch. A time step that finds contacts 1 mm apart one after the other gives "
                      "a block solver one pair at a "
                      "time, and then it is exact as well.");
}

const experiment experiment_b_scenes = {
    "B-Scenes",
    "Cradle, stack of boxes, wedge: block solvers with restitution against compliant contacts",
    "Several contacts at once with restitution: simultaneous models cannot know the order in which "
    "compliant contacts "
    "act. "
    "What they can promise is no gain of energy.",
    run};
