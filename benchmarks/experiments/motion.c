/* motion.c - scenes from impact to impact, looked at at even times. */
#include "benchmarks/experiments/motion.h"

#include "scene/course.h"

void motion_next(report_rows *table) {
    report_gap(table);
    report_gap(table);
}

typedef struct watching {
    const scene_motion *m;
    const scene *s;
    report_rows *table;
    int drawn; /* pictures so far */
} watching;

static void look(void *context, double t) {
    watching *w = context;
    if (t < w->drawn * w->m->every) return;
    motion_next(w->table);
    w->m->draw(w->table, w->s->tree);
    w->drawn++;
}

static void look_after(void *context, const scene_struck *what) {
    look(context, what->time);
}

static bool look_at_lasting(void *context, const scene_stride *stride) {
    look(context, stride->time);
    return false;
}

static imp_status run_course(const scene_motion *m, scene *s, watching *w) {
    const scene_observer observer = {
        .moves = look, .strikes = look_after, .lasts = look_at_lasting, .context = w};
    imp_settings settings;
    scene_course_end end;
    double reached;
    scene_model_settings(s, m->model, &settings);
    s->run.until = m->until;
    look(w, 0);
    return scene_course(s, m->model, &settings, &observer, &end, &reached);
}

bool motion_write(report *r, report_rows *table, const scene_motion *m) {
    const char *path = report_text(r, "benchmarks/scenes/%s.json", m->scene);
    const int wanted = (int)(m->until / m->every);
    imp_error error = {0};
    scene_file file;
    scene s = {0};
    watching w = {.m = m, .s = &s, .table = table};
    imp_status status = scene_open(path, &file, &error);
    if (status == IMP_OK) {
        const int variant = m->variant ? scene_variant_find(&file, m->variant) : 0;
        status = variant < 0 ? IMP_BAD_ARGUMENT : scene_build(&file, variant, &s, &error);
        if (status == IMP_OK) status = run_course(m, &s, &w);
        scene_clear(&s);
        scene_close(&file);
    }
    if (status == IMP_OK && w.drawn >= wanted) return true;
    report_judge(r, OWN_BOUND, report_text(r, "%s: pictures of its motion", path),
                 report_text(r, "%d", wanted), report_text(r, "%d", w.drawn), "", false,
                 *error.text ? error.text : imp_status_text(status));
    return false;
}

void motion_box(report_rows *table, const imp_tree *tree, int link, const double half[3]) {
    for (int side = 0; side < 6; side++) {
        const int a = side % 3, b = (a + 1) % 3, c = (a + 2) % 3;
        static const int turn[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        for (int k = 0; k < 4; k++) {
            double local[3], at[3];
            local[a] = side < 3 ? half[a] : -half[a];
            local[b] = turn[k][0] * half[b];
            local[c] = turn[k][1] * half[c];
            imp_tree_point(tree, link, local, at);
            report_row(table, NULL, at[0], at[1], at[2]);
        }
        report_gap(table);
    }
}
