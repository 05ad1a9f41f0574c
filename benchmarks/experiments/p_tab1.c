/* p_tab1.c - Preclik, Eibl, Ruede (2017), Table 1: all Coulomb solutions of the academic contact,
 * and the solution of maximum dissipation, in the paper's frame and in an orthonormal one. */
#include "base/worse.h"
#include "benchmarks/experiments/academic.h"
#include "benchmarks/harness/report.h"

#include <math.h>
#include <string.h>

/* x1, x2, x3 and x* of the table, in its order: by falling energy. */
enum { SOLUTIONS = 4 };
static const char *const names[SOLUTIONS] = {"x1", "x2", "x3", "x*"};

typedef struct answer {
    double x[3], u[3], E, kappa;
} answer;

/* The answers stay NaN when a solver refuses or finds another number of solutions. */
static void solve(const one_contact *c, answer answers[SOLUTIONS]) {
    for (int i = 0; i < SOLUTIONS; i++)
        answers[i] = (answer){{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, NAN};
    imp_coulomb_set set;
    if (imp_coulomb_enumerate(c->W, c->q, c->mu, &set) == IMP_OK && set.count == 3)
        for (int i = 0; i < 3; i++) {
            memcpy(answers[i].x, set.solution[2 - i].p, sizeof answers[i].x);
            answers[i].kappa = set.solution[2 - i].kappa;
        }
    double x[3];
    if (imp_maxdiss(c->W, c->q, c->mu, 0, x, NULL) == IMP_OK) memcpy(answers[3].x, x, sizeof x);
    for (int i = 0; i < SOLUTIONS; i++) {
        one_velocity(c->W, c->q, answers[i].x, answers[i].u);
        answers[i].E = one_energy(c->W, c->q, answers[i].x);
    }
}

static void write_answers(report_rows *table, const char *frame, const answer answers[SOLUTIONS]) {
    for (int i = 0; i < SOLUTIONS; i++) {
        const answer *a = &answers[i];
        report_cells(table, IMP_TEXT(frame), IMP_TEXT(names[i]), IMP_VECTOR(a->x), IMP_VECTOR(a->u),
                     IMP_NUMBER(a->E), IMP_NUMBER(i < 3 ? a->kappa : NAN));
    }
}

/* What Table 1 prints; its u_n are 0. */
static void printed_rows(report *r, const answer answers[SOLUTIONS]) {
    static const char *const x[] = {"0.12 -0.44 -0.065", "0.29 -0.89 -0.62", "1.56 -0.99 -5.7",
                                    "1.6 -1.1 -5.8"};
    static const char *const u[] = {"0.40 0.060", "0.082 0.057", "0.0061 0.035", "-0.057 0.034"};
    static const char *const E[] = {"-0.252", "-0.393", "-0.631", "-0.634"};
    double largest = 0;
    for (int i = 0; i < SOLUTIONS; i++) {
        const answer *a = &answers[i];
        report_printed(r, PRINTED_IN_SOURCE, report_text(r, "%s, N s", names[i]), x[i], a->x, 3,
                       NULL);
        report_printed(r, PRINTED_IN_SOURCE, report_text(r, "(A %s - b)_to, m/s", names[i]), u[i],
                       a->u + 1, 2, NULL);
        report_printed(r, PRINTED_IN_SOURCE, report_text(r, "energy of %s, J", names[i]), E[i],
                       &a->E, 1, NULL);
        largest = imp_worse(largest, fabs(a->u[0]));
    }
    report_at_most(r, PRINTED_IN_SOURCE, "largest |u_n| of the four, m/s", 1e-14, largest,
                   "the paper prints 0");
}

/* 17 digits of an independent computation in high precision. */
typedef struct reference {
    double x[3], E, kappa; /* kappa of the Coulomb solutions, 1/kg */
} reference;

static void reference_rows(report *r, const char *frame, const reference want[SOLUTIONS],
                           const answer answers[SOLUTIONS]) {
    for (int i = 0; i < SOLUTIONS; i++) {
        report_vector(r, INDEPENDENT, report_text(r, "%s, %s frame, N s", names[i], frame),
                      want[i].x, answers[i].x, 3, 1e-12, NULL);
        report_near(r, INDEPENDENT, report_text(r, "energy of %s, %s frame, J", names[i], frame),
                    want[i].E, answers[i].E, 1e-12, NULL);
        if (want[i].kappa > 0)
            report_near(r, INDEPENDENT,
                        report_text(r, "kappa of %s, %s frame, 1/kg", names[i], frame),
                        want[i].kappa, answers[i].kappa, 1e-12, NULL);
    }
}

static const reference paper_frame[SOLUTIONS] = {
    {{0.11994538121471183, -0.43901625580930408, -0.064971628380433264},
     -0.25170285934884492,
     0.91740039135654862},
    {{0.29197278653545116, -0.88708912675452227, -0.61653830438327943},
     -0.3925678058191242,
     0.092727887183499009},
    {{1.5581245739426653, -0.99291108899782606, -5.6789131902173746},
     -0.63096000613892258,
     0.0061919705096500466},
    {{1.6030977636851235, -1.0818613451421007, -5.8319648689408054}, -0.63400741667395789, 0},
};
static const reference orthonormal_frame[SOLUTIONS] = {
    {{0.12449475415495124, -0.45509116019714372, -0.071222023967945855},
     -0.26434333032644674,
     0.86369715550657422},
    {{0.26071447710586965, -0.83521283185898329, -0.48265591631804769},
     -0.38355164618046063,
     0.12342783140686807},
    {{2.6779821419124098, -0.96718663451428175, -9.861216687528841},
     -0.74529962133357813,
     1.6324114967886117e-3},
    {{2.7782868279563212, -1.0509030739571124, -10.225802580735814}, -0.74831715535034487, 0},
};

/* The paper's tangents are shorter than 1, so its mu = 3.7 is another friction coefficient of the
 * same body. */
static void frame_rows(report *r) {
    double frame[9];
    academic_frame(false, frame);
    const double length = sqrt(frame[3] * frame[3] + frame[4] * frame[4] + frame[5] * frame[5]);
    report_differs(r, "|t| = |o| of the frame in which Table 1 holds", "1", length,
                   0.968313469364440, 0.968313469364441,
                   "t = n × e_x is not a unit vector, though the paper calls the frame "
                   "orthonormal: its digits are those "
                   "of the frame as written");
    report_near(r, INDEPENDENT, "|t| = |o| of that frame", 0.96831346936444065, length, 1e-15,
                NULL);
    const double mu = 3.7 * length;
    report_near(r, INDEPENDENT, "friction coefficient the paper's example stands for",
                3.5827598366484304, mu, 1e-15,
                "instead of 3.7: tangential impulses are measured in units of |t|");
    const one_contact c = academic_contact(true, mu);
    double x[3];
    if (imp_maxdiss(c.W, c.q, mu, 0, x, NULL) != IMP_OK) x[0] = x[1] = x[2] = NAN;
    const double mapped[3] = {x[0], x[1] / length, x[2] / length};
    report_vector(r, INDEPENDENT,
                  "x* from the orthonormal frame with that coefficient, in the paper's units, N s",
                  paper_frame[3].x, mapped, 3, 1e-12,
                  "the two frames describe one impact: computed both ways");
}

static void run(report *r) {
    answer paper[SOLUTIONS], orthonormal[SOLUTIONS];
    const one_contact in_paper = academic_contact(false, 3.7),
                      in_orthonormal = academic_contact(true, 3.7);
    solve(&in_paper, paper);
    solve(&in_orthonormal, orthonormal);
    report_rows *table = report_table(
        r, "p_tab1",
        "frame\tsolution\tx_n:17\tx_t:17\tx_o:17\tu_n:17\tu_t:17\tu_o:17\tE:17\tkappa:17");
    write_answers(table, "paper", paper);
    write_answers(table, "orthonormal", orthonormal);
    report_show_table(
        r, "p_tab1",
        "The three Coulomb solutions and the maximally dissipative one, first as the paper has "
        "them, then "
        "with tangents of unit length and the same 3.7. x in N s, u in m/s, E in J, kappa in 1/kg; "
        "E is "
        "the change of kinetic energy. Every Coulomb solution dissipates less than x*.");
    printed_rows(r, paper);
    frame_rows(r);
    reference_rows(r, "paper's", paper_frame, paper);
    reference_rows(r, "orthonormal", orthonormal_frame, orthonormal);
    report_near(r, INDEPENDENT, "eccentricity of the conic, paper's frame", 0.96366631124283963,
                one_reduce(&in_paper).eccentricity, 1e-13, "< 1: an ellipse");
    report_near(r, INDEPENDENT, "eccentricity of the conic, orthonormal frame", 0.9952007709604089,
                one_reduce(&in_orthonormal).eccentricity, 1e-13, NULL);
}

const experiment experiment_p_tab1 = {"P-Tab1",
                                      "All Coulomb solutions of the academic contact, and x*",
                                      "A body of six mass points hits a plane. Three impulses "
                                      "satisfy Coulomb's law, with different dissipation; one "
                                      "maximises dissipation. The printed digits come out only "
                                      "with the tangent t = n × e_x as written, which is not of "
                                      "unit length; so both frames are computed.",
                                      run};
