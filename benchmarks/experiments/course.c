/* course.c - a scene's impact, resolved: compliant and by PLUS. */
#include "benchmarks/experiments/course.h"

#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail(report *r, const char *what, const char *why) {
    report_judge(r, OWN_BOUND, what, "an answer", why, "", false, NULL);
    return false;
}

bool course_open(report *r, const char *name, const char *variant, course *c) {
    static const char *const as_it_is[] = {NULL};
    return course_open_with(r, name, variant, as_it_is, c);
}

bool course_open_with(report *r, const char *name, const char *variant, const char *const *assign,
                      course *c) {
    const char *path = report_text(r, "benchmarks/scenes/%s.json", name);
    const char *what = variant ? report_text(r, "%s, %s", path, variant) : path;
    scene_file file;
    imp_error error;
    *c = (course){0};
    if (scene_open(path, &file, &error) != IMP_OK) return fail(r, what, error.text);
    const int number = variant ? scene_variant_find(&file, variant) : 0;
    bool built = number >= 0;
    for (; built && *assign; assign++)
        built = scene_assign(&file, imp_models, *assign, &error) == IMP_OK;
    built = built && scene_build(&file, number, &c->scene, &error) == IMP_OK;
    scene_close(&file);
    if (!built) return fail(r, what, number < 0 ? "no such variant" : error.text);
    const imp_status status = scene_touch(&c->scene, &c->touch);
    if (status == IMP_OK) return true;
    scene_clear(&c->scene);
    return fail(r, what, imp_status_text(status));
}

bool course_touches(report *r, course *c, int contacts) {
    const int there = c->touch.nc;
    if (there == contacts) return true;
    fail(r, report_text(r, "%s, %d contacts at the first touch", c->scene.title, contacts),
         report_text(r, "%d", there));
    course_close(c);
    return false;
}

bool course_run(report *r, course *c, const compliant_settings *settings) {
    compliant_result_clear(&c->run);
    const imp_status status =
        compliant_run(&c->scene.system, settings, c->touch.q, c->touch.v, &c->run);
    if (status == IMP_OK) return true;
    const char *why = status < 0 ? imp_status_text(status) : compliant_end_text(c->run.end);
    return fail(r, report_text(r, "%s, compliant run", c->scene.title), why);
}

void course_close(course *c) {
    compliant_result_clear(&c->run);
    scene_moment_clear(&c->touch);
    scene_clear(&c->scene);
}

void course_scale(course *c, double stiffness, double transition) {
    for (int i = 0; i < c->scene.system.npairs; i++) {
        c->scene.system.pairs[i].law.stiffness *= stiffness;
        c->scene.system.pairs[i].law.transition *= transition;
    }
}

course_point course_look(const course *c, int contact, int row) {
    const compliant_layout *at = &c->run.layout;
    const double *y = compliant_history_row(&c->run.history, row),
                 *frame = c->touch.contact[contact].frame;
    const int pair = c->touch.pair[contact];
    imp_tree_place(c->scene.tree, y, y + at->v);
    const compliant_touch touch = compliant_look(&c->scene.system, pair);
    double u[3];
    for (int i = 0; i < 3; i++)
        u[i] = touch.slip[i] - touch.rate * touch.normal[i];
    course_point point = {.t = y[at->time], .depth = y[at->depth + pair]};
    apply3(frame, y + at->impulse + 3 * pair, point.p);
    apply3(frame, u, point.u);
    return point;
}

course_point course_last(const course *c, int contact) {
    return course_look(c, contact, c->run.history.rows - 1);
}

int course_compressed(const course *c, int contact) {
    int row = 0;
    while (row + 1 < c->run.history.rows && course_look(c, contact, row + 1).u[0] <= 0)
        row++;
    return row;
}

int course_sticking(const course *c, int contact) {
    const double speed = c->scene.system.pairs[c->touch.pair[contact]].law.transition;
    for (int row = 0; row < c->run.history.rows; row++) {
        const course_point point = course_look(c, contact, row);
        if (hypot(point.u[1], point.u[2]) < speed) return row;
    }
    return -1;
}

/* ---- PLUS ---- */

bool course_plus_run(report *r, const course *c, double theta_max, course_plus *plus) {
    const imp_problem *problem = &c->touch.problem;
    const char *what = report_text(r, "%s, PLUS", c->scene.title);
    imp_settings own;
    scene_model_settings(&c->scene, &imp_model_plus, &own);
    imp_plus_settings settings;
    memcpy(&settings, &own, sizeof settings);
    settings.theta_max = theta_max;
    *plus = (course_plus){.nc = problem->nc};
    if (problem->nc > COURSE_CONTACTS) return fail(r, what, "too many contacts to store");
    memcpy(plus->start, problem->q, 3 * (size_t)problem->nc * sizeof *plus->start);
    imp_plus_history history = {.capacity = COURSE_INTERVALS,
                                .interval = plus->interval,
                                .phase = plus->phase,
                                .motion = plus->motion,
                                .pi = plus->pi,
                                .v = plus->v};
    void *work = malloc(imp_plus_workspace(problem->nc));
    plus->status =
        work ? imp_plus(problem, &settings, plus->p, work, &history, &plus->info) : IMP_NO_MEMORY;
    plus->count = history.count;
    free(work);
    if (plus->status != IMP_OK) return fail(r, what, imp_status_text(plus->status));
    return plus->count <= COURSE_INTERVALS || fail(r, what, "too many intervals to store");
}

course_point course_plus_look(const course_plus *plus, int contact, int intervals) {
    const int rows = 3 * plus->nc;
    course_point point = {0};
    for (int k = 0; k < intervals; k++)
        for (int i = 0; i < 3; i++)
            point.p[i] += plus->pi[k * rows + 3 * contact + i];
    const double *v = intervals > 0 ? plus->v + (intervals - 1) * rows : plus->start;
    memcpy(point.u, v + 3 * contact, sizeof point.u);
    return point;
}

/* The first interval in which the contact's letter is this one. */
static int first_letter(const course_plus *plus, const char *letters, int contact, char letter) {
    for (int k = 0; k < plus->count; k++)
        if (letters[k * plus->nc + contact] == letter) return k;
    return -1;
}

int course_plus_expansion(const course_plus *plus, int contact) {
    return first_letter(plus, plus->phase, contact, 'X');
}

int course_plus_rolling(const course_plus *plus, int contact) {
    return first_letter(plus, plus->motion, contact, 'r');
}

/* ---- judging ---- */

void course_printed(report *r, const char *quantity, const char *printed, const double *ours, int n,
                    const char *remark) {
    const char *at = printed, *text = "";
    bool passed = true;
    for (int i = 0; i < n; i++) {
        char *end;
        const double value = strtod(at, &end);
        const char *point = memchr(at, '.', (size_t)(end - at));
        const int decimals = point ? (int)(end - point) - 1 : 0;
        passed =
            passed && end != at && fabs(ours[i] - value) <= 1.5 * pow(10, -decimals) * (1 + 1e-12);
        text = report_text(r, "%s%s%.*f", text, i ? " " : "", decimals, ours[i]);
        at = end;
    }
    report_judge(r, INDEPENDENT, quantity, printed, text, "last digit ± 1", passed && *at == '\0',
                 remark);
}

double course_exponent(const double *x, const double *y, int n) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        mean_x += log(x[i]) / n;
        mean_y += log(y[i]) / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
        xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    }
    return xy / xx;
}
