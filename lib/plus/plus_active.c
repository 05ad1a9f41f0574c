/* plus_active.c - which contacts of an island push, roll or slip in an interval.
 *
 * Uchida, Sherman, Delp (2015), Algorithm 1 and section 3b. Departures:
 * - constraints violated equally are released together, or the answer loses the symmetry of the
 *   problem;
 * - before a contact is taken out of rolling where rolling is redundant, an impulse of the same
 *   equations inside all cones is looked for (plus_spread.c): the least-norm one may lie outside
 *   while another lies inside;
 * - impending slip without a solution is not accepted: other motions are tried (plus_sweep.c,
 *   plus_natural.c), and where none solves the interval the impact goes on with the least bad
 *   impulse inside the cones and says so by its status;
 * - the exhaustive choice is Table 1 word by word: the least norm among all combinations that
 *   satisfy it.
 *
 * What each search is worth: of the 5452 problems that build/campaign/campaign --problems 30000
 * --seed 4 stress puts to PLUS and its relatives so many stay unsolved besides without it: the last
 * imp_plus_sweep of search() 41, and in the heuristic 5; search_on() 20, of which imp_plus_natural
 * 12; imp_plus_natural in leave_later() 8, only_approaching 8, choose_pivoting 4, slip_instead 3,
 * imp_plus_spread in the heuristic 3. Other problems need others, as tests see: in_units of
 * contacts unlike each other, scan (plus_impending.c) where mu is large, rows that others imply
 * (plus_solve.c) of boulders on pebbles, imp_plus_spread where accepted, imp_plus_sweep_out of
 * cuboids that land on a face, imp_plus_natural of stacks. The first of two ends of a sweep and a
 * line of impulses (plus_spread.c) are faster ways to the same. */
#include "plus/plus_internal.h"

#include <string.h>

/* pivots: all 2^nc combinations of few contacts twice, 256 of more */
enum { MOST_DOUBLINGS = 8 };
/* of the largest impulse: what is outside a cone by less is rounding */
static const double INSIDE = 1e-12;
/* of the largest impulse: violations closer than that are equal */
static const double TIE = 1e-9;

/* Impending slip starts against the friction that rolling would have needed. */
static void start_slip(plus *s, int i) {
    const double *pi = s->pi + 3 * i, friction = sqrt(pi[1] * pi[1] + pi[2] * pi[2]);
    s->motion[i] = 'i';
    s->slip[2 * i] = friction > 0 ? -pi[1] / friction : 1;
    s->slip[2 * i + 1] = friction > 0 ? -pi[2] / friction : 0;
}

/* Releases what is violated most, all equals together; false when nothing is violated. */
static bool release(plus *s) {
    double worst = 0;
    for (int i = 0; i < s->nc; i++) {
        const double violation = plus_violation(s, i);
        worst = violation > worst ? violation : worst;
    }
    if (!plus_beyond_push(s, worst, INSIDE)) return false;
    const double push = plus_largest(s->pi, s->n);
    for (int i = 0; i < s->nc; i++) {
        const double violation = plus_violation(s, i);
        if (violation <= INSIDE * push || violation < worst - TIE * push) continue;
        if (s->motion[i] == 'r')
            start_slip(s, i);
        else
            s->active[i] = 0;
    }
    return true;
}

/* Does a contact that rolls leave its cone? */
static bool rolls_outside(const plus *s) {
    for (int i = 0; i < s->nc; i++)
        if (s->motion[i] == 'r' && plus_beyond_push(s, plus_violation(s, i), INSIDE)) return true;
    return false;
}

/* An impulse that solves nothing is cut where it has taken out most energy, so that it does no
 * harm: without that tests/test_plus_hard.c has a loose problem that gains 1e147 J. */
static void shorten(plus *s) {
    double slope = 0, curvature = 0;
    for (int k = 0; k < s->n; k++) {
        slope += s->pi[k] * s->v[k];
        curvature += s->pi[k] * s->Wpi[k];
    }
    const double share = slope >= 0 ? 0 : curvature > -slope ? -slope / curvature : 1;
    for (int k = 0; k < s->n; k++) {
        s->pi[k] *= share;
        s->Wpi[k] *= share;
    }
}

/* Algorithm 1, from motions of which none is impending slip; true where the impulse ends in the
 * cones and pushes. */
static bool choose_heuristic(plus *s) {
    imp_plus_solve(s);
    for (;;) {
        if (s->redundant && rolls_outside(s) && imp_plus_spread(s)) {
            if (imp_plus_solves(s, false)) return true;
            /* as it was: what is spread breaks no cone and would hide what to release */
            imp_plus_solve(s);
        }
        if (!release(s)) return true;
        if (!plus_cancelled(s) && imp_plus_impend(s, true)) continue;
        if (imp_plus_sweep(s)) return true;
        s->unsolved = true;
        shorten(s);
        return false;
    }
}

/* The first contact that cannot roll as it is asked to begins to slip: what joints leave one
 * direction cannot stop along the surface and go on along the normal, and the least squares of that
 * leave no cone. False when there is none. */
static bool slip_instead(plus *s, double speed) {
    for (int i = 0; i < s->nc; i++) {
        const double *v = s->v + 3 * i, *w = s->Wpi + 3 * i;
        const bool pushes = s->phase[i] == 'X' || s->active[i];
        if (s->motion[i] != 'r' || !pushes || !(s->mu[i] > 0)) continue;
        const double slip = fabs(v[1] + w[1]) + fabs(v[2] + w[2]),
                     gap = s->phase[i] == 'C' ? fabs(v[0] + w[0] - s->aim[3 * i]) : 0;
        if (!(slip + gap > 1e-10 * speed)) continue;
        start_slip(s, i);
        return true;
    }
    return false;
}

/* Takes the first contact that is violated out of rolling or of pushing, or that approaches without
 * a push back in; false when there is none. */
static bool pivot(plus *s) {
    const double push = plus_largest(s->pi, s->n), speed = plus_speed(s);
    for (int i = 0; i < s->nc; i++) {
        const double *pi = s->pi + 3 * i, gap = s->v[3 * i] + s->Wpi[3 * i] - s->aim[3 * i];
        const bool pulls = s->phase[i] == 'C' && s->active[i] && pi[0] < -INSIDE * push;
        if (s->phase[i] == 'C' && !s->active[i] && imp_plus_misses(s, 3 * i, -gap)) {
            s->active[i] = 1;
            if (s->motion[i] == 'i') s->motion[i] = 'r';
            return true;
        }
        if (plus_violation(s, i) <= INSIDE * push) continue;
        if (s->motion[i] == 'r' && !pulls)
            start_slip(s, i);
        else
            s->active[i] = 0;
        return true;
    }
    return slip_instead(s, speed);
}

/* A combination and its directions decide all pivots to come. */
static bool is_marked(const plus *s) {
    const size_t nc = (size_t)s->nc;
    return memcmp(s->marked_motion, s->motion, nc) == 0 &&
           memcmp(s->marked_active, s->active, nc) == 0 &&
           memcmp(s->marked_slip, s->slip, 2 * nc * sizeof *s->slip) == 0;
}

/* From the combination as it is by principal pivots, least index first (Murty 1974): finite where
 * contacts slide and their matrix is a P-matrix, worth a try elsewhere. */
static bool choose_pivoting(plus *s) {
    const int nc = s->own->contacts;
    int left = 1 << (nc < MOST_DOUBLINGS ? nc + 1 : MOST_DOUBLINGS);
    bool repeats = false;
    for (int since = 0, span = 0; left > 0 && !plus_cancelled(s); left--, since++) {
        if (!repeats && since > 0 && is_marked(s)) {
            repeats = true;
            left %= since; /* what whole periods would only repeat */
            if (left == 0) return false;
        }
        if (!repeats && since == span) {
            /* Brent 1980: marks at doubling distances find any period */
            imp_plus_mark(s);
            span = 2 * span + 1;
            since = 0;
        }
        if (!imp_plus_impend(s, true)) return false;
        if (imp_plus_accept(s)) return true;
        if (!pivot(s)) return false;
    }
    return false;
}

/* Sets what bits say: bit 2i releases contact i, bit 2i + 1 takes it out of rolling; others push,
 * those that separate at the start, too. False where that means nothing. */
static bool combine(plus *s, unsigned bits) {
    imp_plus_classify(s);
    bool slips = false;
    for (int i = 0; i < s->nc; i++) {
        const bool release = bits & 1u << 2 * i, slip = bits & 2u << 2 * i;
        if ((release && (slip || s->phase[i] != 'C')) || (slip && s->motion[i] != 'r'))
            return false;
        s->active[i] = s->phase[i] == 'C' && !release;
        slips = slips || slip;
    }
    if (slips) imp_plus_solve(s);
    for (int i = 0; i < s->nc; i++)
        if (bits & 2u << 2 * i) start_slip(s, i);
    return true;
}

/* The least-norm solution among all combinations; false when none is one. */
static bool choose_exhaustive(plus *s) {
    double least = INFINITY;
    unsigned chosen = 0;
    for (unsigned bits = 0; bits < 1u << 2 * s->nc && !plus_cancelled(s); bits++) {
        if (!combine(s, bits) || !imp_plus_impend(s, true) || !imp_plus_accept(s)) continue;
        double norm = 0;
        for (int k = 0; k < s->n; k++)
            norm += s->pi[k] * s->pi[k];
        if (norm >= (1 - TIE) * least) /* of equals the one with most constraints comes first */
            continue;
        least = norm;
        chosen = bits;
    }
    if (!(least < INFINITY)) return false;
    return combine(s, chosen) && imp_plus_impend(s, true) && imp_plus_accept(s);
}

bool imp_plus_jam(plus *s) {
    bool any = false;
    for (int i = 0; i < s->nc; i++) {
        if (s->phase[i] != 'C' || s->motion[i] != 's' || s->v[3 * i] >= 0) continue;
        const double *d = s->slip + 2 * i, mu = s->mu[i], ray[3] = {1, -mu * d[0], -mu * d[1]};
        double w[3] = {0, 0, 0};
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++)
                w[r] += s->W[(size_t)(3 * i + c) * s->n + 3 * i + r] * ray[c];
        const double braking = -(d[0] * w[1] + d[1] * w[2]);
        if (!(w[0] <= 0 && braking > 0)) continue;
        const double speed = d[0] * s->v[3 * i + 1] + d[1] * s->v[3 * i + 2];
        for (int c = 0; c < 3; c++)
            s->pi[3 * i + c] = speed / braking * ray[c];
        s->active[i] = 1;
        any = true;
    }
    if (any) imp_plus_multiply(s, s->Wpi);
    return any;
}

/* Where contacts at rest keep those that approach from pushing, as none of their impulses solves
 * the interval: pushes of the latter alone. */
static void only_approaching(plus *s) {
    /* they only pass an approach to and fro */
    if (s->own->alternations++ >= PLUS_WAVE_ROUNDS * (s->nc + 1)) return;
    s->unsolved = false;
    imp_plus_classify(s);
    for (int i = 0; i < s->nc; i++)
        if (plus_rests(s, i)) s->active[i] = 0;
    (void)choose_heuristic(s);
}

/* By each search in turn; false where none finds an answer. */
static bool search(plus *s) {
    imp_plus_classify(s);
    return (choose_heuristic(s) && imp_plus_arrives(s, true)) || choose_pivoting(s) ||
           imp_plus_sweep(s);
}

static bool find_natural(plus *s) {
    imp_plus_classify(s);
    return !plus_cancelled(s) && imp_plus_natural(s);
}

static bool takes_one_interval(const plus *s) {
    return s->variant == POISSON || s->variant == NEWTON;
}

/* Searches for what a single interval ends with. */
static bool search_on(plus *s) {
    imp_plus_classify(s);
    return imp_plus_sweep_out(s) || find_natural(s);
}

/* What Algorithm 1 released and still approaches is left to a later interval. Where that solves
 * nothing either, an impulse is looked for that leaves nothing. */
static void leave_later(plus *s) {
    imp_plus_classify(s);
    if (choose_heuristic(s) || takes_one_interval(s)) return;
    const bool found = find_natural(s);
    s->unsolved = !found;
    if (found) return;
    imp_plus_classify(s);
    (void)choose_heuristic(s);
}

void imp_plus_choose_island(plus *s) {
    s->unsolved = false;
    if (imp_plus_over(s)) return;
    if (s->settings->active_set != IMP_EXHAUSTIVE || !choose_exhaustive(s)) {
        s->unlike = false;
        bool solved = search(s);
        if (!solved && s->unlike && !plus_cancelled(s)) {
            s->in_units = true;
            solved = search(s);
            s->in_units = false;
        }
        s->unsolved = false;
        if (!solved && takes_one_interval(s) && !plus_cancelled(s)) solved = search_on(s);
        if (!solved) leave_later(s);
    }
    if (s->variant == SINGLE_PHASE && !memchr(s->phase, 'X', (size_t)s->nc) &&
        (s->unsolved || imp_plus_drop_idle(s)))
        only_approaching(s);
    imp_plus_tidy(s);
}
