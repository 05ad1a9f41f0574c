/* diagnosis.h - what is wrong with a wrong answer, where one mistake explains it. */
#ifndef AUDIT_DIAGNOSIS_H
#define AUDIT_DIAGNOSIS_H

#include "audit/answer.h"

typedef enum audit_fault {
    AUDIT_FALSELY,     /* of every one: it was claimed */
    AUDIT_TOUCHING,    /* at a single contact with q_n = 0 */
    AUDIT_NOTHING,     /* p = 0 while a contact closes */
    AUDIT_RESTITUTION, /* right for e = 0 */
    AUDIT_FRAME,       /* right with n first, or in tangents exchanged, reversed or turned */
    AUDIT_WIDE,        /* |p_to| > mu p_n, and that is what is most wrong */
    AUDIT_ALONG,       /* friction along the slip, not against it */
    AUDIT_OTHER,
    AUDIT_FAULTS
} audit_fault;

/* In words, as tables carry them. */
const char *audit_fault_text(audit_fault fault);

/* The first of them but AUDIT_FALSELY that fits an answer p (3nc, N s) that was claimed and is
 * wrong. *beyond <- for AUDIT_WIDE by how much all cones of the law would have to be wider,
 * INFINITY where none is wide enough, otherwise 0. Without memory AUDIT_OTHER. */
audit_fault audit_diagnose(const audit_solver *solver, const imp_problem *problem, const double *p,
                           const audit_answer *answer, double *beyond);

#endif
