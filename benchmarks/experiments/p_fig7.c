/* p_fig7.c - Preclik, Eibl, Ruede (2017), Fig. 7: the plan of the channel, drawn from its parameter
 * file. */
#include "benchmarks/experiments/channel.h"
#include "benchmarks/experiments/motion.h"

#include <math.h>

static void draw_obstacle(report_rows *t, const imp_shape *s) {
    const double pi = 3.14159265358979323846, R = s->radius;
    for (int i = 0; i <= 60; i++) {
        const double angle = pi * (0.5 + i / 60.0);
        report_row(t, "obstacle", 100 * (s->point[0] + R * cos(angle)),
                   100 * (s->point[1] + R * sin(angle)));
    }
    const double corner[3][2] = {{s->length, -R}, {s->length, R}, {0, R}};
    for (int i = 0; i < 3; i++)
        report_row(t, "obstacle", 100 * (s->point[0] + corner[i][0]),
                   100 * (s->point[1] + corner[i][1]));
}

static void write_sphere(report_rows *t, const double sphere[4]) {
    report_row(t, NULL, 1e3 * sphere[0], 1e3 * sphere[1], 1e3 * sphere[2], sphere[3]);
}

/* The small channel: a slice of it at all moments, and all spheres at the last. */
static void flow(report *r) {
    const channel_result *c = channel_small(r);
    if (!c->good) return; /* P-Fig10 says so */
    const double *low = c->flow.settings.low, *high = c->flow.settings.high,
                 middle = 0.5 * (low[2] + high[2]), radius = c->flow.inflow.radius;
    const char *columns = "x_mm:5\ty_mm:5\tz_mm:5\tspeed_m_per_s:4";
    report_rows *slice = report_table(r, "p_fig7_flow", columns),
                *last = report_table(r, "p_fig7_spheres", columns);
    for (int k = 0; k < c->views; k++) {
        const channel_view *view = &c->view[k];
        motion_next(slice);
        for (int i = 0; i < view->count; i++) {
            if (fabs(view->sphere[i][2] - middle) < radius) write_sphere(slice, view->sphere[i]);
            if (k == c->views - 1) write_sphere(last, view->sphere[i]);
        }
    }
    report_figure(r, "p_fig7_spheres",
                  "Spheres pile up before the obstacle, pass it on both sides and leave a void "
                  "behind it. The channel at a fifth of its size, its spheres full grown, with the "
                  "lid and the walls taken away.");
    report_motion(r, "p_fig7_flow",
                  "The stream parts before the obstacle and closes behind it. Spheres of the same "
                  "run whose centres are within a radius of mid-height, from above; 10 ms, at "
                  "1/120 of their speed where they move.");
}

static void run(report *r) {
    imp_flow f;
    imp_error error;
    const bool read = imp_flow_read("benchmarks/flows/channel.json", NULL, &f, &error) == IMP_OK;
    if (!read) {
        report_judge(r, OWN_BOUND, "the parameter file", "is read", error.text, "", false, NULL);
        return;
    }
    const double *low = f.settings.low, *high = f.settings.high;
    report_rows *t = report_table(r, "p_fig7", "series\tx_cm:9\ty_cm:9");
    const double side[2] = {low[1], high[1]};
    for (int i = 0; i < 2; i++) {
        report_row(t, "wall", 100 * low[0], 100 * side[i]);
        report_row(t, "wall", 100 * high[0], 100 * side[i]);
        report_gap(t);
    }
    const imp_shape *plane = &f.shape[f.inflow.plane], *obstacle = NULL;
    report_row(t, "plane", 100 * plane->point[0], 100 * low[1]);
    report_row(t, "plane", 100 * plane->point[0], 100 * high[1]);
    report_gap(t);
    for (int i = 0; i < f.shapes; i++)
        if (f.shape[i].kind == IMP_SHAPE_OBSTACLE) draw_obstacle(t, obstacle = &f.shape[i]);
    const double size[] = {100 * (high[0] - low[0]), 100 * (high[1] - low[1]),
                           100 * (high[2] - low[2])};
    report_printed(r, PRINTED_IN_SOURCE, "length, width, height, cm", "15 6.5 2.0", size, 3, NULL);
    if (!obstacle) {
        report_judge(r, OWN_BOUND, "the channel", "an obstacle", "none", "", false, NULL);
        return;
    }
    const double region[] = {100 * (obstacle->point[0] - obstacle->radius),
                             100 * (obstacle->point[0] + obstacle->length),
                             100 * (obstacle->point[1] - obstacle->radius),
                             100 * (obstacle->point[1] + obstacle->radius)};
    report_printed(r, PRINTED_IN_SOURCE, "the obstacle's region in x and y, cm", "3 5 3 5", region,
                   4, NULL);
    report_figure(r, "p_fig7",
                  "A plane pushes spheres past an obstacle, out of the open right end of "
                  "the channel. From above: side walls, the plane, at 1 m/s, and the "
                  "obstacle, a cylinder whose right half is a box. Drawn from "
                  "benchmarks/flows/channel.json.");
    flow(r);
}

const experiment experiment_p_fig7 = {"P-Fig7", "Plan of the channel",
                                      "The channel with its obstacle, from above.", run};
