/* m_thesis.c - "Mirtich reworked", section 1.1: the algorithm of Mirtich's thesis (1996), which
 * integrates in u_n once du_n/dp_n > 0, on the note's counter-example, and how often it fails.
 *
 * The thesis as the note has it: in p_n while du_n/dp_n <= 0, in u_n from then on, through u_n = 0,
 * until the work of expansion is e^2 that of compression (Stronge); without slip along a line. */
#include "benchmarks/experiments/note.h"
#include "benchmarks/harness/report.h"
#include "base/worse.h"
#include "generators/gen_impacts.h"
#include "reference/oracle/mirtich_euler.h"

#include <math.h>
#include <string.h>

enum { T, O, P, WORK, STATES, STEPS = 4000, BOXES = 5000, STEEP = 1000 };

/* u_n turns while it is the variable of integration: the thesis has no answer. */
typedef enum outcome { ENDS, TURNS, TOO_LONG } outcome;

typedef struct integration {
    const one_contact *c;
    double y[STATES]; /* u_t, u_o in m/s, p_n in N s, the work since the start, J */
    double u;         /* u_n */
    double compression;
} integration;

/* rate (STATES) <- the rates of y in p_n at u_n = u; returns du_n/dp_n. */
static double rates(const one_contact *c, const double y[STATES], double u, double rate[STATES]) {
    const double slip = hypot(y[T], y[O]);
    const double w[2] = {c->mu * y[T] / slip, c->mu * y[O] / slip};
    rate[T] = c->W[1] - c->W[3] * w[0] - c->W[4] * w[1];
    rate[O] = c->W[2] - c->W[4] * w[0] - c->W[5] * w[1];
    rate[P] = 1;
    rate[WORK] = u;
    return c->W[0] - c->W[1] * w[0] - c->W[2] * w[1];
}

/* One classical step of Runge and Kutta by h in u_n; false where u_n turns within it. */
static bool step_in_u(integration *s, double h) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[STATES] = {0}, y[STATES], sum[STATES] = {0};
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < STATES; i++)
            y[i] = s->y[i] + at[j] * h * k[i];
        const double climb = rates(s->c, y, s->u + at[j] * h, k);
        if (!(climb > 0)) return false;
        for (int i = 0; i < STATES; i++) {
            k[i] /= climb;
            sum[i] += weight[j] * k[i] / 6;
        }
    }
    for (int i = 0; i < STATES; i++)
        s->y[i] += h * sum[i];
    s->u += h;
    return true;
}

/* N s, a small step in p_n. */
static double small(const one_contact *c) {
    return hypot(c->q[0], hypot(c->q[1], c->q[2])) / (STEPS * c->W[0]);
}

/* du_n/dp_n, of W_nn, from which on it counts as positive. */
static const double level = 1e-6;

/* Small steps in p_n until u_n climbs. */
static outcome climb_first(integration *s) {
    double rate[STATES];
    const double h = small(s->c);
    for (int k = 0; k < 100 * STEPS; k++) {
        const double climb = rates(s->c, s->y, s->u, rate);
        if (climb > level * s->c->W[0]) return ENDS;
        for (int i = 0; i < STATES; i++)
            s->y[i] += h * rate[i];
        s->u += h * climb;
    }
    return TOO_LONG;
}

/* The slope of u_n from no slip on: stick, or the diverging ray. */
static double slope_at_rest(const one_contact *c) {
    const double det = c->W[3] * c->W[5] - c->W[4] * c->W[4];
    const double a = (c->W[5] * c->W[1] - c->W[4] * c->W[2]) / det,
                 b = (c->W[3] * c->W[2] - c->W[4] * c->W[1]) / det;
    double theta[5], y[STATES] = {0}, rate[STATES];
    bool diverging[5];
    if (hypot(a, b) <= c->mu) return c->W[0] - c->W[1] * a - c->W[2] * b;
    const int count = mirtich_rays(c->W, c->mu, theta, diverging);
    for (int i = 0; i < count; i++) {
        y[T] = cos(theta[i]);
        y[O] = sin(theta[i]);
        if (diverging[i]) return rates(c, y, 0, rate);
    }
    return NAN;
}

/* The rest along a line of that slope. */
static outcome finish(integration *s, double e, double slope) {
    double left = -s->y[WORK];
    if (s->u < 0) {
        s->y[P] -= s->u / slope;
        left += s->u * s->u / (2 * slope);
        s->compression = left;
        s->u = 0;
        left *= e * e;
    } else
        left -= (1 - e * e) * s->compression;
    const double end = sqrt(fmax(0, s->u * s->u + 2 * slope * left));
    s->y[P] += (end - s->u) / slope;
    s->u = end;
    return slope > 0 ? ENDS : TURNS;
}

/* s: at the start of the impact. */
static outcome thesis(integration *s, double e) {
    double rate[STATES];
    const double h = small(s->c), goal = 1 - e * e;
    const outcome first = climb_first(s);
    if (first != ENDS) return first;
    for (int k = 0; k < 100 * STEPS; k++) {
        const double climb = rates(s->c, s->y, s->u, rate), slip = hypot(s->y[T], s->y[O]);
        const double most = fmin(h * climb, -s->c->q[0] / STEPS);
        const double ahead = s->u < 0 ? fmin(most, -s->u) : most;
        if (slip < 2 * h * hypot(rate[T], rate[O])) return finish(s, e, slope_at_rest(s->c));
        if (!step_in_u(s, ahead)) return TURNS;
        if (s->u >= 0 && s->compression == 0) s->compression = -s->y[WORK];
        if (s->u >= 0 && s->y[WORK] >= -goal * s->compression) return ENDS;
    }
    return TOO_LONG;
}

static integration start_of(const one_contact *c) {
    return (integration){.c = c, .y = {c->q[1], c->q[2], 0, 0}, .u = c->q[0]};
}

static void counter_example(report *r) {
    const one_contact c = note_counter_example();
    integration s = start_of(&c);
    double p[3] = {0};
    const outcome end = thesis(&s, 0.9);
    (void)imp_darboux(c.W, c.q, c.mu, 0.9, IMP_STRONGE, p, NULL, NULL);
    report_judge(r, STATED_IN_SOURCE, "the counter-example by the thesis's algorithm",
                 "“his method of finding the impulse has to be changed”",
                 end == TURNS ? "u_n turns: no answer" : "an answer", "no answer", end == TURNS,
                 NULL);
    report_near(
        r, INDEPENDENT, "where it is stuck, p_n, N s", 22.51048665, s.y[P], 0.01,
        report_text(r, "the first local maximum of u_n; the impact ends at p_n = %.3f", p[0]));
}

typedef struct tally {
    int ends, turns, others; /* others: not solved by the process, or not ended in time */
    double off;              /* largest error of p_n of those that end, relative */
} tally;

static tally try_class(report *r, report_rows *t, gen_impact_class class, int count) {
    tally all = {0};
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        const gen_problem g = gen_impact(class, k);
        one_contact c = {.mu = g.mu};
        double p[3];
        memcpy(c.W, g.W, sizeof c.W);
        memcpy(c.q, g.q, sizeof c.q);
        integration s = start_of(&c);
        const outcome end = thesis(&s, 0.5);
        const imp_status status = imp_darboux(c.W, c.q, c.mu, 0.5, IMP_STRONGE, p, NULL, NULL);
        if (status != IMP_OK || end == TOO_LONG)
            all.others++;
        else if (end == TURNS)
            all.turns++;
        else
            all.off = imp_worse(all.off, fabs(s.y[P] - p[0]) / p[0]);
        all.ends += end == ENDS;
        report_progress(r, (double)(k + 1) / count);
    }
    report_cells(t, IMP_TEXT(gen_impact_name(class)), IMP_NUMBER(count), IMP_NUMBER(all.ends),
                 IMP_NUMBER(all.turns), IMP_NUMBER(all.others), IMP_NUMBER(all.off));
    return all;
}

static void run(report *r) {
    report_rows *t =
        report_table(r, "m_thesis", "problems\tcount:6\tends:6\tturns:6\tothers:6\toff:2");
    counter_example(r);
    const tally boxes = try_class(r, t, GEN_IMPACT_BODY, BOXES),
                steep = try_class(r, t, GEN_IMPACT_STEEP, STEEP);
    report_at_most(r, INDEPENDENT, "where it ends: p_n against the process, relative", 0.01,
                   imp_worse(boxes.off, steep.off), "steps of a 4000th, e = 0.5");
    report_judge(r, OWN_BOUND, "random boxes for which it has no answer", "“pathological examples”",
                 report_text(r, "%d of %d", boxes.turns, BOXES), "at least one", boxes.turns > 0,
                 "homogeneous boxes, struck on a face, mu to 3: with much friction not rare");
    report_show_table(
        r, "m_thesis",
        "Random impacts by the thesis's algorithm, e = 0.5: how many end, in how many "
        "u_n turns while it is the variable of integration, and the largest error of "
        "p_n of those that end.");
}

const experiment experiment_m_thesis = {
    "M-Thesis", "The algorithm of Mirtich's thesis on the counter-example",
    "“… if duz/dpz is initially negative then integrate using pz until duz/dpz becomes positive "
    "then proceed as normal using uz instead. This is where I think a problem lies, essentially he "
    "is assuming that once it is positive it stays positive.” (section 1.1)",
    run};
