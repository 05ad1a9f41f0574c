/* plus_law.c - what PLUS, single-phase, newton and poisson demand of an answer.
 *
 * Uchida, Sherman, Delp (2015), sections 2 and 3. All four are processes: p is the sum of the
 * impulses pi of steps, and a step is a share alpha of an impulse computed for the rest of its
 * round. Velocities are v = q + W (sum so far) at a step's start and v + W pi / alpha at its full
 * end. The residuals, all dimensionless; impulses are relative to the largest of the step's full
 * impulse, velocities to the largest sum of absolute terms of q + W p that make one up, at the
 * step's start or full end, both within the contact's island, the contacts that W couples with it.
 * What is missing of friction, or of what a contact is owed, is also the velocity that W_ii makes
 * of it, as what is little beside a push may be all of a friction; and what aim and roll miss is
 * relative to the contact's own sum, or 1e-6 of the island's where that is more, as what is slow
 * beside a light body may be all of a heavy one:
 * of p alone
 *   signorini    p_n >= 0, relative to the contact's impulse; plus and newton, and where p = 0,
 *                also u_n >= 0
 *   cone         |p_to| <= mu p_n, relative to the larger; of every step, relative to the step's
 *                push; static_ratio mu for mu where a contact rolls that has not slipped so far,
 *                neither faster than v_transition at a step's start nor by an impending slip
 * along the path
 *   sum          the steps' impulses are finite and add up to p, and their velocities to W p
 *   phases       rounds are numbered from 1 and go on until a step has share 1. A round's contacts:
 *                X expands, being owed an impulse; of the others C compresses and O observes. plus:
 *                C approaches, O does not. Round 1 of the others: all C. Round 2 of single-phase
 *                and poisson: X or O; newton has none
 *   restitution  X pushes what is left of what it is owed: e_k times what it pushed while
 *                compressing, e_k from the approach at the start of that round: 0 below v_capture,
 *                e from v_plastic on, between them the line from 1 at rest (newton and poisson: e);
 *                within rounding of v_capture the path's own, by whether the contact expands.
 *                Relative to the most owed in the round
 *   aim          C reaches u_n = 0 (newton: e times its approach) at the full end if it pushes, and
 *                that or more if it does not
 *   motion       s where the slip is at least v_transition, r or i where it is slower; for newton
 *                and poisson r or i
 *   slide        s: pi_to = -mu pi_n v_to / |v_to| with the slip at the step's start, the power
 *                relative to the speed
 *   roll         r: no slip at the full end
 *   impending    i: |pi_to| = mu pi_n, against the slip s at the full end: s x v_to = 0, s . v_to
 *                >= 0
 *   share        alpha is the most that all contacts allow which slide and push with friction, and
 *                no more than each of them allows: to the point of least slip where that is below
 *                v_transition, else until the slip has turned by theta_max, but at least alpha_min
 *                where the slip does not turn by a right angle in it; 1 where nothing limits it. By
 *                the slip that it misplaces
 *   end          the last round is complete, nothing is owed and, for plus, nothing approaches;
 *                single-phase: nothing approaches when its compression ends
 *   energy       no gain, (1/2 p'Wp + p'q) over the sum of absolute terms, but for a gain that the
 *                path shows: directions held for a step and unequal restitution can create energy
 * What the law allows beside the paper's algorithm, as the solver does it:
 *   - a step in which all that pushes are sliding contacts which friction drives into the ground
 *     (w_n <= 0, w = W_ii (1, -mu s)): each pushes with what would stop its slip, |v_to| / (-w_to .
 *     s), and the round goes on after it. Of one contact also where alpha_min of the push to u_n =
 *     0 would reverse the slip (plus_single.c);
 *   - plus: a contact which Algorithm 1 has released may still approach at the full end; the next
 *     round takes it up. single-phase: so it may, and compression goes on until none approaches;
 *   - plus: after 10 (nc + 1) rounds with approaches without restitution alone, all contacts
 *     compress, with e_k = 0;
 *   - where contacts are redundant, any impulse that meets the equations inside the cones.
 * Algorithm 1 starts with all contacts pushing and rolling. What it then releases, or lets slip
 * from the end on, is its choice, and the equations may have several answers: one whose path has a
 * compressing contact that neither separates nor pushes, or does both, for plus also one that
 * compresses from rest, a push or a debt of rounding, an impending slip, or friction that drives
 * all that push into the ground, is held against the library's own too, by `from-model`, and is
 * not judged where it is another.
 *
 * Without a path, `from-model` is the distance (law.h) from the answer of the library's own solver,
 * which in turn must hold along its path; energy is then the gain beyond that answer's.
 * Redundant contacts may share their load otherwise. Where the solver has no answer the law is not
 * decided. */
#include "plus/plus_course.h"
#include "base/length.h"
#include "contact/local.h"

#include <stdlib.h>

/* a path that holds to this explains a gain, as in imp_model.bound */
static const double HOLDS = 1e-9;

/* What p alone shows. Where nothing pushes, nothing approaches. */
static void note_signs(plus_variant variant, const imp_problem *problem, double static_ratio,
                       const double *p, imp_certificate *result) {
    bool parts = variant == PLUS || variant == NEWTON, any = false;
    for (int k = 0; k < 3 * problem->nc; k++)
        any = any || p[k] != 0;
    parts = parts || !any;
    for (int i = 0; i < problem->nc; i++) {
        const imp_local c = imp_local_problem(problem, p, i);
        double u[3];
        imp_local_velocity(&c, u);
        imp_certificate_note(result, "signorini", imp_local_signorini(&c, parts ? u[0] : 0), i);
        imp_certificate_note(
            result, "cone",
            imp_local_cone(&c, imp_length(c.p[1], c.p[2]), static_ratio * c.mu * c.p[0]), i);
    }
}

/* settings of the model as those of PLUS, which newton and poisson have but one of. */
static imp_plus_settings complete(plus_variant variant, const void *settings) {
    imp_plus_settings all = imp_plus_settings_default();
    if (variant == NEWTON || variant == POISSON)
        all.v_capture = all.v_plastic = 0;
    else if (settings)
        all = *(const imp_plus_settings *)settings;
    return all;
}

static imp_status certify(plus_variant variant, const imp_problem *problem, const void *settings,
                          const double *p, const imp_path *path, imp_certificate *result) {
    const imp_plus_settings all = complete(variant, settings);
    note_signs(variant, problem, all.static_ratio, p, result);
    if (!path || path->steps == 0) {
        result->unjudged = imp_no_path;
        return IMP_OK;
    }
    bool chose = false;
    const imp_status status = imp_plus_follow(variant, problem, &all, p, path, result, &chose);
    if (status != IMP_OK) return status;
    if (chose) result->unjudged = imp_chose;
    return imp_certificate_note_energy(result, problem, p, result->worst <= HOLDS ? p : NULL);
}

#define CERTIFY(name, variant)                                                                     \
    static imp_status name(const imp_problem *problem, const void *settings, const double *p,      \
                           const imp_path *path, imp_certificate *result) {                        \
        return certify(variant, problem, settings, p, path, result);                               \
    }
CERTIFY(certify_plus, PLUS)
CERTIFY(certify_single_phase, SINGLE_PHASE)
CERTIFY(certify_newton, NEWTON)
CERTIFY(certify_poisson, POISSON)

const imp_law imp_law_plus = {.name = "plus",
                              .statement = "rounds in which what approaches compresses and what is "
                                           "owed expands, in steps of sliding and rolling",
                              .certify = certify_plus,
                              .may_gain = 1,
                              .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};

const imp_law imp_law_single_phase = {
    .name = "single-phase",
    .statement = "all contacts compress once, then those that were pushed expand",
    .certify = certify_single_phase,
    .may_gain = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};

const imp_law imp_law_newton = {.name = "newton",
                                .statement = "one step to u_n = -e q_n where contacts approach and "
                                             "push, friction against the slip after it",
                                .certify = certify_newton,
                                .may_gain = 1,
                                .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};

const imp_law imp_law_poisson = {
    .name = "poisson",
    .statement =
        "one step of compression, one of e times its pushes, friction against the slip after each",
    .certify = certify_poisson,
    .may_gain = 1,
    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
