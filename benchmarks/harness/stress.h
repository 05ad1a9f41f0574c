/* stress.h - hard little contact problems (generators/stress_problems.h), and what no answer to one
 * may be. */
#ifndef STRESS_H
#define STRESS_H

#include "generators/stress_problems.h"

/* s of this process' time that an answer may take: several times what the slowest takes on a
 * machine that does nothing else, more where a sanitiser slows the build (MemorySanitizer by
 * ten). A test of late answers lowers it. */
extern double stress_seconds;

typedef enum stress_fault {
    STRESS_SOUND,
    STRESS_REFUSED,  /* bad-argument, not-finite, no-memory, ...: the problem is a good one */
    STRESS_NAN,      /* a number in p that is none, with a status >= 0 */
    STRESS_RESIDUAL, /* ok, and a residual above 1e-6 or none */
    STRESS_APPROACH, /* ok, and a contact approaches or pulls by more than 1e-6 of what its velocity
                        is made of */
    STRESS_ENERGY,   /* ok, and energy gained beyond rounding and beyond the residual, though the
                        model promises that none is */
    STRESS_SLOW,     /* more than stress_seconds */
} stress_fault;

const char *stress_fault_text(stress_fault fault);

/* What one solve came to. */
typedef struct stress_verdict {
    stress_fault fault;
    imp_status status;
    double residual; /* of ok: the certificate's worst, computed anew along the answer's path */
    double gain;     /* of ok: energy gained, over the stake (docs/laws.md); <= 0: none */
    double seconds;
} stress_verdict;

stress_verdict stress_judge(const imp_model *model, const stress_case *c);

/* What many came to. */
typedef struct stress_tally {
    int problems, ok, not_certified, not_converged, no_solution, other, faults;
    double residual, gain, seconds; /* the worst; the energy of models that promise no gain */
} stress_tally;

/* Problems first .. first + count - 1 through the model. `found` (may be NULL) is told of each
 * fault. */
stress_tally stress_run(const imp_model *model, uint64_t first, uint64_t count,
                        void (*found)(const imp_model *model, uint64_t index, const stress_case *c,
                                      const stress_verdict *verdict));

#endif
