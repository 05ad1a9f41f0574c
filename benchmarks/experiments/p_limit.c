/* p_limit.c - Preclik, Eibl, Ruede (2017), section 1: the impulse that compliant contact tends to
 * as it stiffens, with linear springs along the normal and with Hertz's. */
#include "benchmarks/experiments/course.h"

#include "base/vec3.h"
#include "benchmarks/harness/stats.h"

#include <math.h>

enum { LEVELS = 8 };

/* Springs whose contacts last so much shorter each time: stiffness to this power, -. */
typedef struct springs {
    const char *name, *assign;
    double power; /* of the duration over stiffness */
} springs;

static const springs kinds[] = {{"linear springs", "material.linear_stiffness=1e7", -0.5},
                                {"Hertz", "material.stiffness=1e9", -0.4}};
static const char *const variants[] = {"mu 0.125", "mu 0.225", "mu 0.325"};
enum { KINDS = sizeof kinds / sizeof *kinds, VARIANTS = sizeof variants / sizeof *variants };

/* error (LEVELS) <- the compliant impulse off the limit, of its size, in the norm of W; stiffness
 * (LEVELS) over that of the first. False after a failing row. */
static bool stiffen(report *r, const springs *s, const char *variant, double error[LEVELS],
                    double stiffness[LEVELS]) {
    const char *const assign[] = {"material.dissipation=0", s->assign, "run.accuracy=1e-12", NULL};
    course c;
    double W[6], limit[3];
    if (!course_open_with(r, "brick-point", variant, assign, &c)) return false;
    pack3(c.touch.W, W);
    const imp_status status =
        imp_darboux(W, c.touch.u, c.touch.mu[0], 1, IMP_STRONGE, limit, NULL, NULL);
    bool good = status == IMP_OK;
    if (!good)
        report_judge(r, OWN_BOUND, report_text(r, "%s, %s: the limit", s->name, variant), "ok",
                     imp_status_text(status), "", false, NULL);
    for (int k = 0; good && k < LEVELS; k++) {
        /* half as long each time; friction is fully there at a speed that shrinks as well */
        const double stiffer = pow(2, -1 / s->power);
        double d[3], Wd[3], Wp[3];
        good = course_run(r, &c, &c.scene.run);
        if (!good) break;
        sub3(course_last(&c, 0).p, limit, d);
        apply3(c.touch.W, d, Wd);
        apply3(c.touch.W, limit, Wp);
        error[k] = sqrt(dot3(d, Wd) / dot3(limit, Wp));
        stiffness[k] = pow(stiffer, k);
        course_scale(&c, stiffer, 0.5);
    }
    course_close(&c);
    return good;
}

static void run(report *r) {
    report_rows *t = report_table(r, "p_limit", "springs\tvariant\tstiffness:6\terror:4");
    for (int k = 0; k < KINDS; k++)
        for (int v = 0; v < VARIANTS; v++) {
            double error[LEVELS] = {0}, stiffness[LEVELS] = {0};
            if (!stiffen(r, &kinds[k], variants[v], error, stiffness)) continue;
            for (int i = 0; i < LEVELS; i++)
                report_cells(t, IMP_TEXT(kinds[k].name), IMP_TEXT(variants[v]),
                             IMP_NUMBER(stiffness[i]), IMP_NUMBER(error[i]));
            const stats_interval order =
                stats_exponent_range(LEVELS / 2, stiffness + LEVELS / 2, error + LEVELS / 2, 0.95);
            report_judge(r, INDEPENDENT,
                         report_text(r, "%s, %s: off the limit, exponent of the stiffness",
                                     kinds[k].name, variants[v]),
                         report_text(r, "%g", kinds[k].power),
                         report_text(r, "%.3f to %.3f", order.low, order.high), "0.01",
                         order.low >= kinds[k].power - 0.01 && order.high <= kinds[k].power + 0.01,
                         report_text(r, "%.1e of the impulse at the stiffest", error[LEVELS - 1]));
            report_at_most(r, STATED_IN_SOURCE,
                           report_text(r, "the same, extrapolated as a line in that power"), 1e-7,
                           fabs(2 * error[LEVELS - 1] - error[LEVELS - 2]),
                           "“a limit point of a sequence of solutions”");
        }
    report_show_table(r, "p_limit",
                      "How far the impulse of compliant contact on a brick's vertex is from the "
                      "Darboux-Keller process with Stronge's restitution at e = 1, in the norm of "
                      "W, over its own; stiffness over that of the first.");
}

const experiment experiment_p_limit = {
    "P-Limit", "What compliant contact tends to: linear springs, and Hertz's (section 1)",
    "“Ideally, the solution of an impact model for a collision is a limit point of a sequence of "
    "solutions of the collision based on a compliant contact model with increasing stiffness”; Jia "
    "and Wang computed it “from the limit of a contact model with linear normal stiffness and "
    "Coulomb friction”. The limit is one for both springs: only how fast they come to it differs.",
    run};
