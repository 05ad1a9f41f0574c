/* invariance.c - ways of writing a problem, and what two right answers have to do with each
 * other. */
#include "audit/invariance.h"
#include "audit/solutions.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A law whose friction has axes, as a pyramid's, or that is of a plane, knows these turns alone. */
static unsigned turns_of(const imp_model *solver) {
    if (solver->takes & IMP_ONLY_PLANAR) return FRESH_FRAMES | FRESH_HALVES;
    return audit_has_axes(solver->law) ? FRESH_FRAMES | FRESH_QUARTERS : FRESH_FRAMES;
}

static unsigned ways_of(const imp_model *solver, audit_way way) {
    switch (way) {
    case AUDIT_UNITS: return FRESH_UNITS;
    case AUDIT_MASS: return FRESH_MASS;
    case AUDIT_FRAMES: return turns_of(solver);
    case AUDIT_MIRROR: return FRESH_MIRROR;
    default: return FRESH_ORDER;
    }
}

/* What a number of that unit becomes; 1 where it has none that changes. */
static double factor_of(const char *unit, const fresh_writing *how) {
    return strcmp(unit, "m/s") == 0   ? how->v
           : strcmp(unit, "kg") == 0  ? 1 / how->w
           : strcmp(unit, "N s") == 0 ? how->v / how->w
                                      : 1;
}

/* solver <- the same with settings in the other units. false: one outside has such numbers of its
 * own, and is not told that they change. */
static bool rescale(audit_solver *solver, const fresh_writing *how) {
    for (const imp_key *key = solver->model->keys; key && key->name; key++) {
        const double factor = factor_of(key->unit, how);
        double value;
        if (factor == 1) continue;
        if (solver->outside) return false;
        memcpy(&value, solver->settings.bytes + key->offset, sizeof value);
        if (value > 0) value *= factor; /* others stand for none */
        memcpy(solver->settings.bytes + key->offset, &value, sizeof value);
    }
    return true;
}

/* *far <- how far the only answer to one contact moves where entries of W are a few roundings off,
 * as turned frames leave them: at the edge of a wedge that is anything. */
static imp_status shaken(const audit_solver *solver, const imp_problem *problem, const double *p,
                         double *far) {
    static const double little = 16 * DBL_EPSILON;
    imp_status status = IMP_OK;
    *far = 0;
    for (unsigned signs = 0; signs < 8 && status == IMP_OK; signs++) {
        double W[9], there[3], apart = 0;
        audit_answer answer;
        problem->W->kind->block(problem->W, 0, 0, W);
        for (unsigned k = 0; k < 3; k++)
            W[k] *= 1 + (signs >> k & 1 ? little : -little);
        W[3] = W[1];
        W[6] = W[2];
        const imp_operator off = imp_operator_dense(1, W);
        imp_problem near = *problem;
        near.W = &off;
        status = audit_ask(solver, &near, there, &answer);
        if (status == IMP_OK && answer.outcome == AUDIT_RIGHT)
            status = audit_apart(problem, p, there, &apart);
        *far = fmax(*far, apart);
    }
    return status;
}

/* Two right answers of one problem. */
static imp_status compare(const audit_solver *solver, const imp_problem *problem, const double *p,
                          const double *other, audit_sameness *same) {
    double apart, far;
    imp_status status = audit_apart(problem, p, other, &apart);
    if (status != IMP_OK) return status;
    if (apart <= sqrt(solver->tolerance)) { /* residuals are energies: the distance is the root */
        *same = AUDIT_SAME;
    } else if (!audit_is_only(solver->model->law, problem, p)) {
        *same = AUDIT_ANOTHER;
    } else {
        status = shaken(solver, problem, p, &far);
        *same = apart <= far ? AUDIT_SAME : AUDIT_BROKEN;
    }
    return status;
}

static imp_status judge(const audit_solver *solver, const imp_problem *problem, const double *p,
                        const audit_answer *there, const double *other, audit_sameness *same) {
    switch (there->outcome) {
    case AUDIT_UNSUPPORTED:
    case AUDIT_NOT_JUDGED: *same = AUDIT_NOT_ASKED; break;
    case AUDIT_NO_ANSWER: *same = AUDIT_UNANSWERED; break;
    case AUDIT_MODEST:
    case AUDIT_HONEST: *same = AUDIT_LOST; break;
    case AUDIT_FALSE: *same = AUDIT_BROKEN; break;
    default: return compare(solver, problem, p, other, same);
    }
    return IMP_OK;
}

imp_status audit_invariance(const audit_solver *solver, const imp_problem *problem, const double *p,
                            audit_way way, gen_stream *s, audit_sameness *same) {
    const size_t bytes = 3 * (size_t)problem->nc * sizeof *p;
    fresh_problem written;
    fresh_writing how;
    audit_answer there;
    *same = AUDIT_NOT_ASKED;
    if (way == AUDIT_ORDER && problem->nc == 1) return IMP_OK;
    double *answer = malloc(2 * bytes);
    if (!answer) return IMP_NO_MEMORY;
    double *const back = answer + 3 * (size_t)problem->nc;
    imp_status status = fresh_rewrite(problem, ways_of(solver->model, way), s, &written, &how);
    audit_solver anew = *solver;
    if (status == IMP_OK && rescale(&anew, &how)) {
        status = audit_ask(&anew, &written.problem, answer, &there);
        fresh_read_back(&how, answer, back);
        if (status == IMP_OK) status = judge(solver, problem, p, &there, back, same);
    }
    fresh_clear(&written);
    fresh_writing_clear(&how);
    free(answer);
    return status;
}
