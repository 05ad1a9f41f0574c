/* diagnosis.h - what is wrong with wrong answers: the fewest mistakes that explain the most. */
#ifndef AUDIT_DIAGNOSIS_H
#define AUDIT_DIAGNOSIS_H

#include "audit/mends.h"

/* In words, as tables carry them. */
const char *audit_fault_text(audit_fault fault);

typedef struct audit_wrong {
    audit_mends mends;
    int row;           /* whose it is */
    audit_fault found; /* neither AUDIT_TURNED nor AUDIT_MIRRORED: both are AUDIT_FRAME */
} audit_wrong;

/* found of each of count answers of a solver <- the fault that explains most of them, of what that
 * leaves the one that explains most, and so on; the first of several. What is measured by a number
 * that each answer may have its own of, a scale or an angle, is a fault where two answers and most
 * that it fits have the same; what a program has in all its answers, where it explains a fifth, and
 * two or the only one; and none is that explains mostly answers with AUDIT_ROUGH. AUDIT_ROUGH where
 * nothing else fits, AUDIT_OTHER where it does not either. IMP_OK or IMP_NO_MEMORY. */
imp_status audit_diagnose(const audit_solver *solver, audit_wrong *wrong, long count);

#endif
