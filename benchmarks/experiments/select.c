/* select.c - compliant impacts of one body up to the end of their compression. */
#include "benchmarks/experiments/select.h"
#include "base/worse.h"

#include <math.h>
#include <string.h>

/* Pa, of the scenes' files. */
static const double STIFFNESS = 1e10;

void select_aim(const course *c, const double q[3], select_setting *s) {
    const double *f = c->touch.contact[0].frame;
    for (int i = 0; i < 3; i++)
        s->v[i] = f[i] * q[0] + f[3 + i] * q[1] + f[6 + i] * q[2];
}

void select_approach(const course *c, const select_setting *s, double q[3]) {
    const double *f = c->touch.contact[0].frame;
    for (int i = 0; i < 3; i++)
        q[i] = f[3 * i] * s->v[0] + f[3 * i + 1] * s->v[1] + f[3 * i + 2] * s->v[2];
}

bool select_run(report *r, course *c, const select_setting *s, double accuracy, double p[3],
                double after[3]) {
    compliant_law *law = &c->scene.system.pairs[c->touch.pair[0]].law;
    const compliant_law kept = *law;
    compliant_settings settings = c->scene.run;
    settings.accuracy = accuracy;
    settings.until *=
        100; /* let go by much dissipation, it leaves the plane at a millimetre in 1.5 s */
    law->stiffness *= s->stiffness / STIFFNESS;
    law->dissipation = s->dissipation;
    law->transition = s->transition;
    memset(c->touch.v, 0, (size_t)c->touch.nv * sizeof *c->touch.v);
    memcpy(c->touch.v, s->v, sizeof s->v);
    const bool good = course_run(r, c, &settings);
    *law = kept;
    if (good && c->run.end != COMPLIANT_APART)
        report_judge(r, OWN_BOUND, c->scene.title, "apart at its end",
                     compliant_end_text(c->run.end), "", false, NULL);
    if (!good || c->run.end != COMPLIANT_APART) return false;
    const int row = course_compressed(c, 0);
    const course_point a = course_look(c, 0, row),
                       b = row + 1 < c->run.history.rows ? course_look(c, 0, row + 1) : a;
    const double part = b.u[0] > a.u[0] ? -a.u[0] / (b.u[0] - a.u[0]) : 0;
    for (int i = 0; i < 3; i++)
        p[i] = a.p[i] + part * (b.p[i] - a.p[i]);
    memcpy(after, course_last(c, 0).p, 3 * sizeof *after);
    return true;
}

double select_apart(const double W[6], const double *a, const double *b) {
    const double d[3] = {a[0] - (b ? b[0] : 0), a[1] - (b ? b[1] : 0), a[2] - (b ? b[2] : 0)};
    static const double none[3];
    double Wd[3];
    one_velocity(W, none, d, Wd);
    return sqrt(imp_worse(0, d[0] * Wd[0] + d[1] * Wd[1] + d[2] * Wd[2]));
}
