/* m_box.c - a homogeneous box whose collision compresses twice. */
#include "benchmarks/experiments/note.h"
#include "benchmarks/harness/report.h"

#include <math.h>

static void run(report *r) {
    enum { POINTS = 4000 };
    static imp_darboux_point points[POINTS];
    /* A box 1 x 0.3688 x 0.2895 m, 1 kg, on its lowest corner; independent high-precision answer
     * below. */
    const one_contact c = {.W = {2.1482288253232671, -1.6039912395997424, -1.5805482893750717,
                                 5.4560883361989392, 0.56385393682063345, 4.3956828384777999},
                           .q = {-0.00364809, -0.9701325, -0.24257563},
                           .mu = 1.0586333208595904};
    imp_darboux_path path = {.points = points, .capacity = POINTS};
    double p[3];
    const imp_status status = imp_darboux(c.W, c.q, c.mu, 1, IMP_STRONGE, p, &path, NULL);
    int compressions = 0;
    for (int i = 0; i < path.segments; i++)
        compressions +=
            path.segment[i].phase == 'C' && (i == 0 || path.segment[i - 1].phase == 'D');
    report_judge(r, INDEPENDENT, "phases (s slip, k stick; C compression, D decompression)",
                 "sC, sD, sC, kC, kD", report_text(r, "%s", note_phases(r, &path)), "equal",
                 status == IMP_OK && path.segments == 5, NULL);
    report_count(r, STATED_IN_SOURCE, "compression phases", 2, compressions,
                 "at most two can happen, for any W and mu");
    /* Stronge with e = 1: all work is given back */
    const double residual = fabs(path.work_d + path.work_c) / fabs(path.work_c);
    report_at_most(r, OWN_BOUND, "Stronge's law, |W_d + W_c| / |W_c| at e = 1", 1e-12, residual,
                   NULL);
    report_rows *t = report_table(r, "m_box", "series\tp_n_Ns:17\tu_n_mps:17");
    for (int i = 0; i < path.count; i++)
        report_row(t, "path", points[i].p[0], points[i].u[0]);
    report_figure(r, "m_box",
                  "The box's corner is compressed twice, and the second compression is "
                  "the larger one. Its normal velocity over the normal impulse.");
}

const experiment experiment_m_box = {
    "M-box", "A real box that compresses twice",
    "The note's example is no rigid body; this box is one, and shows the same.", run};
