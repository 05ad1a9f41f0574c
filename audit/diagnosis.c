/* diagnosis.c - wrong answers of one solver taken together: many mistakes explain one, few all. */
#include "audit/diagnosis.h"

#include <math.h>
#include <stdlib.h>

const char *audit_fault_text(audit_fault fault) {
    static const char *const text[AUDIT_FAULTS] = {
        [AUDIT_FALSELY] = "claims success falsely",
        [AUDIT_TOUCHING] = "wrong where q_n = 0",
        [AUDIT_NOTHING] = "no impulse where a contact closes",
        [AUDIT_SIGN] = "wrong sign",
        [AUDIT_RESTITUTION] = "restitution dropped",
        [AUDIT_BOUNCE] = "another restitution",
        [AUDIT_ALONG] = "friction along the slip",
        [AUDIT_BEFORE] = "friction against the slip before",
        [AUDIT_PYRAMID] = "friction of each tangent by itself",
        [AUDIT_FRAME] = "wrong frame",
        [AUDIT_TURNED] = "wrong frame",
        [AUDIT_MIRRORED] = "wrong frame",
        [AUDIT_LAYOUT] = "numbers in another order",
        [AUDIT_VELOCITY] = "velocity in place of impulse",
        [AUDIT_SCALE] = "wrong scale",
        [AUDIT_BLOCKS] = "only the diagonal blocks of W",
        [AUDIT_DIAGONAL] = "only the diagonal of W",
        [AUDIT_SOFT] = "softened by a number",
        [AUDIT_SOFT_ENTRY] = "softened by a share of each entry",
        [AUDIT_SOFT_MEAN] = "softened by a share of the mean",
        [AUDIT_WIDE] = "cone too wide",
        [AUDIT_NARROW] = "cone too narrow",
        [AUDIT_ROUGH] = "inexact",
        [AUDIT_OTHER] = "unexplained"};
    return text[fault];
}

static bool has_number(audit_fault fault) {
    return fault == AUDIT_TURNED || fault == AUDIT_MIRRORED || fault == AUDIT_SCALE ||
           fault == AUDIT_SOFT || fault == AUDIT_SOFT_ENTRY || fault == AUDIT_SOFT_MEAN;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Which a program has in every answer, where it has them. */
static bool is_general(audit_fault fault) {
    return has_number(fault) || fault == AUDIT_SIGN || fault == AUDIT_FRAME ||
           fault == AUDIT_LAYOUT || fault == AUDIT_VELOCITY || fault == AUDIT_BLOCKS ||
           fault == AUDIT_DIAGONAL || fault == AUDIT_NARROW;
}

/* Which answers one fault explains: those with its number within so much, relative. */
typedef struct explained {
    audit_fault fault;
    long count;
    double least, within;
} explained;

static bool explains(const explained *e, const audit_wrong *w) {
    const double number = w->mends.by[e->fault];
    return w->found == AUDIT_OTHER && w->mends.fits[e->fault] &&
           (!has_number(e->fault) ||
            (number >= e->least && number - e->least <= e->within * fabs(e->least)));
}

/* The number that most have; room (count). */
static explained agreed(audit_fault fault, double within, const audit_wrong *wrong, long count,
                        double *room) {
    explained best = {fault, 0, 0, within};
    long all = 0, open = 0;
    for (long i = 0; i < count; i++) {
        if (!wrong[i].mends.fits[fault]) continue;
        all++;
        if (wrong[i].found == AUDIT_OTHER) room[open++] = wrong[i].mends.by[fault];
    }
    qsort(room, (size_t)open, sizeof *room, ascending);
    for (long first = 0, end = 0; first < open; first++) {
        while (end < open && room[end] - room[first] <= within * fabs(room[first]))
            end++;
        if (end - first > best.count) best.count = end - first, best.least = room[first];
    }
    if (best.count < 2 || 2 * best.count <= all) best.count = 0;
    return best;
}

static explained explanation(audit_fault fault, double within, const audit_wrong *wrong, long count,
                             double *room) {
    if (has_number(fault)) return agreed(fault, within, wrong, count, room);
    explained e = {fault, 0, 0, within};
    for (long i = 0; i < count; i++)
        e.count += explains(&e, &wrong[i]);
    return e;
}

/* Small integers, planes and symmetries let what is wrong otherwise look so, now and then; and what
 * rounding leaves of a stick points anywhere. */
static bool is_chance(const explained *e, const audit_wrong *wrong, long count) {
    enum { SHARE = 5 };
    long rough = 0;
    for (long i = 0; i < count; i++)
        rough += explains(e, &wrong[i]) && wrong[i].mends.fits[AUDIT_ROUGH];
    return 2 * rough > e->count ||
           (is_general(e->fault) && e->count < count && (e->count < 2 || SHARE * e->count < count));
}

imp_status audit_diagnose(const audit_solver *solver, audit_wrong *wrong, long count) {
    /* a number of an answer that is right to the tolerance is sharp to some of it */
    const double within = fmax(1e-6, 100 * solver->tolerance);
    if (count == 0) return IMP_OK;
    double *room = malloc((size_t)count * sizeof *room);
    if (!room) return IMP_NO_MEMORY;
    for (long i = 0; i < count; i++)
        wrong[i].found = AUDIT_OTHER;
    for (explained best = {.count = 1}; best.count > 0;) {
        best.count = 0;
        for (audit_fault fault = AUDIT_TOUCHING; fault < AUDIT_ROUGH; fault++) {
            const explained e = explanation(fault, within, wrong, count, room);
            if (e.count > best.count && !is_chance(&e, wrong, count)) best = e;
        }
        const bool turned = best.fault == AUDIT_TURNED || best.fault == AUDIT_MIRRORED;
        for (long i = 0; i < count && best.count > 0; i++)
            if (explains(&best, &wrong[i])) wrong[i].found = turned ? AUDIT_FRAME : best.fault;
    }
    for (long i = 0; i < count; i++)
        if (wrong[i].found == AUDIT_OTHER && wrong[i].mends.fits[AUDIT_ROUGH])
            wrong[i].found = AUDIT_ROUGH;
    free(room);
    return IMP_OK;
}
