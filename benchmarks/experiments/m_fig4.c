/* m_fig4.c - Mirtich reworked, Fig. 4: sixteen slip trajectories and the rays of constant
 * sliding. */
#include "benchmarks/experiments/note.h"
#include "benchmarks/harness/report.h"
#include "base/worse.h"
#include "reference/oracle/hodograph.h"
#include "reference/oracle/mirtich_euler.h"

#include <math.h>

enum { POINTS = 2000 };

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

/* The impact whose course is drawn: from a start of 16, 22.5 degrees apart. */
static one_contact drawn(int start) {
    return note_figure_4(start * 22.5 * degree, -4);
}

static void draw_path(report_rows *t, int start) {
    static imp_darboux_point points[POINTS];
    const one_contact c = drawn(start);
    imp_darboux_path path = {.points = points, .capacity = POINTS};
    double p[3];
    if (imp_darboux(c.W, c.q, c.mu, 0, IMP_POISSON, p, &path, NULL) != IMP_OK) return;
    const char *basin = ends_at_origin(start * 22.5 * degree) ? "origin" : "away";
    for (int i = 0; i < path.count; i++)
        report_row(t, basin, start, points[i].u[1], points[i].u[2]);
    report_gap(t);
    report_row(t, "start", start, c.q[1], c.q[2]);
    report_gap(t);
}

/* The sine of the angle between a chord of a course and du/dp_n = W (1, -mu u_to / |u_to|) at its
 * middle. */
static double turned(const one_contact *c, const double a[2], const double b[2]) {
    const double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])},
                 slip = hypot(middle[0], middle[1]);
    const double push[3] = {1, -c->mu * middle[0] / slip, -c->mu * middle[1] / slip};
    double du[3];
    one_velocity(c->W, (const double[3]){0}, push, du);
    const double x = b[0] - a[0], y = b[1] - a[1], size = hypot(x, y) * hypot(du[1], du[2]);
    return size > 0 ? fabs(x * du[2] - y * du[1]) / size : 0;
}

typedef struct faults {
    int courses; /* with a start and an end */
    double start, end, turn;
} faults;

/* The drawn courses of a basin: how far from unit slip in their direction they start, from the end
 * that quadrature along the hodograph gives they end, and from the equation of slip they turn. */
static void compare(const report_rows *t, const char *basin, faults *worst) {
    static double start[16 * POINTS], u[2][16 * POINTS];
    const int n = report_drawn(t, basin, "start", 16 * POINTS, start);
    report_drawn(t, basin, "u_t_mps", 16 * POINTS, u[0]);
    report_drawn(t, basin, "u_o_mps", 16 * POINTS, u[1]);
    for (int i = 0; i < n; i++) {
        const one_contact c = drawn((int)start[i]);
        const double at[2] = {u[0][i], u[1][i]};
        hodograph end;
        if (i == 0 || start[i - 1] != start[i])
            worst->start = imp_worse(worst->start, hypot(at[0] - c.q[1], at[1] - c.q[2]));
        else
            worst->turn =
                imp_worse(worst->turn, turned(&c, (const double[]){u[0][i - 1], u[1][i - 1]}, at));
        if (i + 1 < n && start[i + 1] == start[i]) continue;
        const bool found = hodograph_impact(c.W, c.q, c.mu, 0, IMP_POISSON, &end);
        worst->end =
            found ? imp_worse(worst->end, hypot(at[0] - end.u[1], at[1] - end.u[2])) : INFINITY;
        worst->courses++;
    }
}

static void judge_drawn(report *r, const report_rows *t) {
    faults worst = {0};
    compare(t, "origin", &worst);
    compare(t, "away", &worst);
    report_count(r, PRINTED_IN_SOURCE, "drawn: trajectories", 16, worst.courses, NULL);
    report_at_most(r, PRINTED_IN_SOURCE, "drawn: distance of the starts from unit slip, m/s", 1e-8,
                   worst.start, "in sixteen directions");
    report_at_most(r, INDEPENDENT, "drawn: distance of the ends from theirs, m/s", 1e-8, worst.end,
                   "by quadrature along the hodograph, in long double");
    report_at_most(r, INDEPENDENT, "drawn: angle of a chord to the slip's acceleration, rad", 0.05,
                   worst.turn,
                   "du/dp_n = W (1, -mu u_to/|u_to|) at its middle; a chord bends by 0.03 itself");
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
    report_rows *t = report_table(r, "m_fig4", "series\tstart:17\tu_t_mps:9\tu_o_mps:9");
    for (int k = 0; k < 16; k++) {
        draw_path(t, k);
        origin += ends_at_origin(k * 22.5 * degree);
    }
    for (int k = 0; k < 4; k++) {
        report_row(t, "ray", k, 0, 0);
        report_row(t, "ray", k, 3 * cos(found[k] * degree), 3 * sin(found[k] * degree));
        report_gap(t);
    }
    report_count(r, PRINTED_IN_SOURCE, "trajectories that end at the origin, of 16", 5, origin,
                 NULL);
    judge_drawn(r, t);
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
