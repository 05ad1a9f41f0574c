/* m_box.c - a homogeneous box whose collision compresses twice. */
#include "benchmarks/experiments/note.h"
#include "benchmarks/harness/impact_rows.h"
#include "benchmarks/harness/report.h"

#include <math.h>
#include <string.h>

enum { POINTS = 4000 };
/* m/s, where velocities are near 1: what rounding leaves of u_n where a phase ends */
static const double DUST = 1e-14;

/* A box 1 x 0.3688 x 0.2895 m, 1 kg, on its lowest corner, with the answer of a computation in
 * quadruple precision; NULL: it is not there. */
static const impact_row *box(void) {
    static impact_row rows[IMPACT_ROWS];
    const int count = impact_rows_read("reference/data/mirtich_darboux.tsv", rows, IMPACT_ROWS);
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].id, "pub-box-twocomp-S") == 0) return &rows[i];
    return NULL;
}

/* zero <- where the curve u_n(p_n), straight between its points, leaves one sign for the other;
 * *work <- the area under its negative parts. Returns how many zeros there are. */
static int measure(int n, const double *p, const double *u, double zero[POINTS], double *work) {
    int count = 0, known = 0, still = 0; /* the last points with a sign of u, and without */
    *work = 0;
    for (int i = 1; i < n; i++) {
        *work += 0.5 * (fmin(u[i - 1], 0) + fmin(u[i], 0)) * (p[i] - p[i - 1]);
        if (fabs(u[i]) <= DUST) {
            still = i;
            continue;
        }
        if ((u[known] < 0) != (u[i] < 0))
            zero[count++] = still > known
                                ? p[still]
                                : p[known] + (p[i] - p[known]) * u[known] / (u[known] - u[i]);
        known = i;
    }
    return count;
}

/* The drawn curve against the answer: its end, its zeros and the work of compression. */
static void judge(report *r, const report_rows *t, const impact_row *want) {
    static double p[POINTS], u[POINTS], zero[POINTS];
    const int n = report_drawn(t, "path", "p_n_Ns", POINTS, p);
    report_drawn(t, "path", "u_n_mps", POINTS, u);
    if (n < 1 || n > POINTS) return;
    const double tolerance = 1e-13 * want->condition;
    const char *by = "against quadruple precision: 1e-13 times the problem's condition";
    double work;
    const int zeros = measure(n, p, u, zero, &work);
    report_near(r, INDEPENDENT, "drawn: p_n at the end, N s", want->answer.p[0], p[n - 1],
                tolerance, by);
    report_near(r, INDEPENDENT, "drawn: u_n at the end, m/s", want->answer.u[0], u[n - 1],
                tolerance, by);
    report_count(r, INDEPENDENT, "drawn: changes of sign of u_n", 3, zeros, NULL);
    if (zeros == 3)
        report_vector(r, INDEPENDENT, "drawn: p_n where u_n changes its sign, N s",
                      (const double[]){want->p_n[0], want->p_n[1], want->p_n[3]}, zero, 3,
                      tolerance, by);
    report_near(r, INDEPENDENT, "drawn: work of compression, the area under the curve, J",
                want->answer.work[0], work, 1e-3, "the curve is straight between its points");
}

static void run(report *r) {
    static imp_darboux_point points[POINTS];
    const impact_row *want = box();
    if (!want) {
        report_judge(r, INDEPENDENT, "reference/data/mirtich_darboux.tsv", "pub-box-twocomp-S",
                     "none", "", false, NULL);
        return;
    }
    const gen_problem *c = &want->problem;
    imp_darboux_path path = {.points = points, .capacity = POINTS};
    double p[3] = {NAN, NAN, NAN};
    const imp_status status = imp_darboux(c->W, c->q, c->mu, c->e, IMP_STRONGE, p, &path, NULL);
    int compressions = 0;
    for (int i = 0; i < path.segments; i++)
        compressions +=
            path.segment[i].phase == 'C' && (i == 0 || path.segment[i - 1].phase == 'D');
    static const char *const phases = "sC, sD, sC, kC, kD";
    const char *ours = note_phases(r, &path);
    report_judge(r, INDEPENDENT, "phases (s slip, k stick; C compression, D decompression)", phases,
                 ours, "equal", status == IMP_OK && strcmp(ours, phases) == 0, NULL);
    report_count(r, INDEPENDENT, "compression phases", 2, compressions,
                 "u_n turns twice at most while slip turns one way: no more can happen, for any W "
                 "and mu");
    report_vector(r, INDEPENDENT, "impulse p (n, t, o), N s", want->answer.p, p, 3,
                  1e-13 * want->condition, NULL);
    /* Stronge with e = 1: all work is given back */
    const double residual = fabs(path.work_d + path.work_c) / fabs(path.work_c);
    report_at_most(r, OWN_BOUND, "Stronge's law, |W_d + W_c| / |W_c| at e = 1", 1e-12, residual,
                   NULL);
    report_rows *t = report_table(r, "m_box", "series\tp_n_Ns:17\tu_n_mps:17");
    for (int i = 0; i < path.count; i++)
        report_row(t, "path", points[i].p[0], points[i].u[0]);
    judge(r, t, want);
    report_figure(r, "m_box",
                  "The box's corner is compressed twice, and the second compression is "
                  "the larger one. Its normal velocity over the normal impulse.");
}

const experiment experiment_m_box = {
    "M-box", "A real box that compresses twice",
    "The note's example is no rigid body; this box is one, and shows the same.", run};
