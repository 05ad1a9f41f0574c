/* m_fig4.c - Mirtich reworked, Fig. 4: sixteen slip trajectories and the rays of constant
 * sliding. */
#include "benchmarks/experiments/note.h"
#include "benchmarks/harness/report.h"
#include "reference/oracle/mirtich_euler.h"

#include <math.h>

static const double degree = 3.14159265358979323846 / 180;

/* Does slip that starts in this direction come to an end at the origin, to leave again along the
 * diverging ray? */
static bool ends_at_origin(double angle) {
    /* so much closing that compression outlasts the slip */
    const one_contact c = note_figure_4(angle, -50);
    imp_darboux_path path = {0};
    double p[3];
    if (imp_darboux(c.W, c.q, c.mu, 0, IMP_POISSON, p, &path, NULL) != IMP_OK) return false;
    for (int i = 0; i < path.segments; i++)
        if (path.segment[i].kind == 'd') return true;
    return false;
}

/* The edge of the basin between two directions of which only one ends at the origin, in degrees. */
static double edge(double low, double high) {
    const bool inside = ends_at_origin(low * degree);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (ends_at_origin(middle * degree) == inside)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void draw_path(report_rows *t, int start) {
    enum { POINTS = 2000 };
    static imp_darboux_point points[POINTS];
    const one_contact c = note_figure_4(start * 22.5 * degree, -4);
    imp_darboux_path path = {.points = points, .capacity = POINTS};
    double p[3];
    if (imp_darboux(c.W, c.q, c.mu, 0, IMP_POISSON, p, &path, NULL) != IMP_OK) return;
    const char *basin = ends_at_origin(start * 22.5 * degree) ? "origin" : "away";
    for (int i = 0; i < path.count; i++)
        report_row(t, basin, points[i].u[1], points[i].u[2]);
    report_gap(t);
    report_row(t, "start", c.q[1], c.q[2]);
    report_gap(t);
}

static void basin_table(report *r, double from, double to) {
    report_rows *t = report_table(r, "m_fig4_basin", "angle_rad:9\tend:17");
    for (int i = 0; i <= 720; i++)
        report_row(t, NULL, i * 0.5 * degree, i * 0.5 > from && i * 0.5 < to);
}

static void run(report *r) {
    static const double want[4] = {86.669, 209.082, 281.352, 322.897};
    const one_contact c = note_figure_4(0, -1);
    double theta[5];
    bool diverging[5];
    const int count = mirtich_rays(c.W, c.mu, theta, diverging);
    double found[4] = {NAN, NAN, NAN, NAN};
    for (int i = 0; i < count && i < 5; i++) {
        const double angle = fmod(theta[i] / degree + 360, 360);
        for (int k = 0; k < 4; k++)
            if (fabs(angle - want[k]) < 1 && diverging[i] == (k == 0)) found[k] = angle;
    }
    report_count(r, PRINTED_IN_SOURCE, "rays of constant sliding", 4, count, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "rays, degrees, as printed (the first diverges)",
                   "87 209 281 323", found, 4, "the note's quartic");
    report_vector(r, INDEPENDENT, "rays, degrees, in high precision", want, found, 4, 2e-6,
                  "printed to three decimals");
    const double low = edge(150, 250), high = edge(300, 360);
    report_near(r, INDEPENDENT, "basin of the origin begins at, degrees", found[1], low, 1e-8,
                "by bisection on where the solver's slip ends, against the note's quartic");
    report_near(r, INDEPENDENT, "basin of the origin ends at, degrees", found[3], high, 1e-8,
                "the same; slip that would pass the origin within rounding is taken to reach it");
    int origin = 0;
    report_rows *t = report_table(r, "m_fig4", "series\tu_t_mps:9\tu_o_mps:9");
    for (int k = 0; k < 16; k++) {
        draw_path(t, k);
        origin += ends_at_origin(k * 22.5 * degree);
    }
    for (int k = 0; k < 4; k++) {
        report_row(t, "ray", 0, 0);
        report_row(t, "ray", 3 * cos(found[k] * degree), 3 * sin(found[k] * degree));
        report_gap(t);
    }
    report_count(r, PRINTED_IN_SOURCE, "trajectories that end at the origin, of 16", 5, origin,
                 NULL);
    basin_table(r, low, high);
    report_figure(r, "m_fig4",
                  "Slip from the blue sector ends at the origin; all other slip runs off "
                  "along the diverging ray. Slip velocities during the impact from "
                  "sixteen directions of unit slip (circles); the ray is at 86.7 degrees.");
}

const experiment experiment_m_fig4 = {"M-Fig4",
                                      "Sixteen slip trajectories and the rays of constant sliding",
                                      "Fig. 4 of the note: trajectories of the slip velocity, the "
                                      "rays at 87, 209, 281 and 323 degrees, and two basins.",
                                      run};
