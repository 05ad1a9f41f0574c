/* p_fig4.c - Preclik, Eibl, Ruede (2017), Fig. 4: the academic body of six mass points and the
 * plane it hits. */
#include "benchmarks/experiments/academic.h"
#include "benchmarks/harness/report.h"

#include <math.h>

/* m per N s, at which the impulse is drawn. */
static const double PER_IMPULSE = 0.5;

/* A patch of the plane about the contact point, as lines along t and o, m. */
static void write_plane(report_rows *table, const double frame[9], const double point[3]) {
    enum { HALF = 4 };
    for (int axis = 1; axis <= 2; axis++)
        for (int k = -HALF; k <= HALF; k++) {
            for (int side = -1; side <= 1; side += 2) {
                double x[3];
                for (int i = 0; i < 3; i++)
                    x[i] = point[i] + k * frame[3 * axis + i] +
                           side * HALF * frame[3 * (3 - axis) + i];
                report_row(table, "plane", x[0], x[1], x[2], 0, 0, 0, 0);
            }
            report_gap(table);
        }
}

static void write_body(report_rows *table) {
    for (int i = 0; i < 3; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double x[3] = {0};
            x[i] = side * academic_distance[i];
            report_row(table, "rod", x[0], x[1], x[2], 0, 0, 0, 0);
        }
        report_gap(table);
    }
    for (int i = 0; i < 3; i++)
        for (int side = -1; side <= 1; side += 2) {
            double x[3] = {0};
            x[i] = side * academic_distance[i];
            report_row(table, "mass", x[0], x[1], x[2], 0, 0, 0, academic_mass[i]);
        }
}

static void write_arrow(report_rows *table, const char *series, const double from[3],
                        const double arrow[3]) {
    report_row(table, series, from[0], from[1], from[2], arrow[0], arrow[1], arrow[2], 0);
}

/* What an impulse of `arrow` (m, PER_IMPULSE) on the far point makes of the velocities, by the
 * masses of the six points: Table 1's u = A x - b and energy. */
static void judge_arrow(report *r, const double arrow[3]) {
    const double *m = academic_mass, *d = academic_distance, *v = academic_velocity;
    double frame[9], p[3], u[3] = {0}, energy = 0;
    academic_frame(false, frame);
    for (int i = 0; i < 3; i++)
        p[i] = arrow[i] / PER_IMPULSE;
    const double total = 2 * (m[0] + m[1] + m[2]),
                 spin[3] = {0, -d[0] * p[2] / (2 * (m[0] * d[0] * d[0] + m[2] * d[2] * d[2])),
                            d[0] * p[1] / (2 * (m[0] * d[0] * d[0] + m[1] * d[1] * d[1]))},
                 gain[3] = {p[0] / total, p[1] / total + spin[2] * d[0],
                            p[2] / total - spin[1] * d[0]};
    for (int i = 0; i < 3; i++) {
        energy += p[i] * (v[i] + 0.5 * gain[i]);
        for (int k = 0; k < 3; k++)
            u[k] -= frame[3 * k + i] * (v[i] + gain[i]);
    }
    report_at_most(r, INDEPENDENT, "the far point after the impulse drawn: |u_n|, m/s", 1e-14,
                   fabs(u[0]), "by the masses and the lever of the six points");
    report_printed(r, PRINTED_IN_SOURCE, "its (A x* - b)_to, m/s", "-0.057 0.034", u + 1, 2,
                   "Table 1");
    report_printed(r, PRINTED_IN_SOURCE, "the energy that the impulse drawn changes, J", "-0.634",
                   &energy, 1, "Table 1");
}

static void run(report *r) {
    double plane[9], frame[9], farthest = -INFINITY;
    academic_frame(true, plane);
    const double *n = plane, point[3] = {academic_distance[0], 0, 0};
    for (int i = 0; i < 3; i++)
        for (int side = -1; side <= 1; side += 2) {
            if (i == 0 && side == 1) continue;
            farthest =
                fmax(farthest, side * academic_distance[i] * n[i] - academic_distance[0] * n[0]);
        }
    report_at_most(r, OWN_BOUND, "n·(x - x̂) of the five other points, m", 0, farthest,
                   "so n points out of the body into the obstacle; the paper does not say which "
                   "way it points");
    /* Table 1 holds in the frame as the paper writes it, not of unit length (P-Tab1). */
    const one_contact c = academic_contact(false, 3.7);
    report_near(r, INDEPENDENT, "colliding: b_n, m/s", 0.059937099051674719, -c.q[0], 1e-14,
                "the body's velocity (0.06, 0.7, 0.23) m/s along n");
    double x[3], tall[3], fast[3], push[3];
    academic_frame(false, frame);
    if (imp_maxdiss(c.W, c.q, c.mu, 0, x, NULL) != IMP_OK) x[0] = x[1] = x[2] = NAN;
    for (int i = 0; i < 3; i++) {
        tall[i] = 3 * n[i];
        fast[i] = 4 * academic_velocity[i];
        /* what acts on the body is -x */
        push[i] = -PER_IMPULSE * (x[0] * frame[i] + x[1] * frame[3 + i] + x[2] * frame[6 + i]);
    }
    report_rows *table =
        report_table(r, "p_fig4", "series\tx:9\ty:9\tz:9\tdx:9\tdy:9\tdz:9\tmass:9");
    write_plane(table, plane, point);
    write_body(table);
    write_arrow(table, "normal", point, tall);
    write_arrow(table, "velocity", (const double[3]){0, 0, 0}, fast);
    write_arrow(table, "impulse", point, push);
    judge_arrow(r, push);
    report_figure(r, "p_fig4",
                  "The impulse of maximum dissipation (red) lies nearly along the body, "
                  "far from the normal (blue). Six points on massless rods, ±10 m along x "
                  "(0.03 kg each), ±1 m along y (65 kg) and z (50 kg), the far point "
                  "touching an inclined plane. Arrows: the normal n, the velocity before "
                  "the impact (green, 4 m per m/s), and the impulse on the body (0.5 m "
                  "per N s), Table 1's x* as a vector. The paper's rendering has the body and "
                  "the plane; the arrows are added here.");
}

const experiment experiment_p_fig4 = {"P-Fig4", "The academic body and its plane",
                                      "A rendering of the body of Table 1 against the inclined "
                                      "plane. The paper leaves open on which side of the plane "
                                      "the body lies; only one side is free of penetration.",
                                      run};
