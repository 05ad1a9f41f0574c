/* audit.h - a solver put to fresh problems of many classes, and every question answered by counts:
 * is it right, does it know, do other words or another turn change its answer, which of several
 * solutions does it return. */
#ifndef AUDIT_H
#define AUDIT_H

#include "audit/diagnosis.h"
#include "audit/invariance.h"
#include "io/error.h"

/* What is counted, in the order of tables: constant, column, what it says. */
#define AUDIT_COUNT_LIST(X)                                                                        \
    X(PROBLEMS, "problems", "put to it")                                                           \
    X(UNTAKEN, "unsupported", "which its law, or a model of the library, does not take")           \
    X(UNDECIDED, "not_judged", "which its law cannot decide")                                      \
    X(SOLVED_4, "solved_1e-4", "with no residual above 1e-4, whatever it says")                    \
    X(SOLVED_8, "solved_1e-8", "the same for 1e-8")                                                \
    X(SOLVED_12, "solved_1e-12", "the same for 1e-12")                                             \
    X(HONEST, "honest", "said failed or unsupported, and is")                                      \
    X(MODEST, "modest", "said failed, and is right")                                               \
    X(FALSE, "false", "said solved, and is not")                                                   \
    X(TIMED_OUT, "timed_out", "no answer in time")                                                 \
    X(CRASHED, "crashed", "it ended instead")                                                      \
    X(BAD_ANSWER, "bad_answer", "no numbers, or too few")                                          \
    X(UNITS, "units", "broken by other units of length and time")                                  \
    X(MASS, "mass", "broken by another unit of mass")                                              \
    X(FRAMES, "frames", "broken by turned tangents")                                               \
    X(MIRROR, "mirror", "broken in the mirror")                                                    \
    X(ORDER, "order", "broken by another order of contacts")                                       \
    X(ANOTHER, "another", "written anew: another solution, as right")                              \
    X(LOST, "lost", "written anew: said failed")                                                   \
    X(UNANSWERED, "unanswered", "written anew or asked again: no answer")                          \
    X(REPEAT, "repeat", "other bits when asked again")                                             \
    X(SEQUENCE, "sequence", "other bits after other problems")                                     \
    X(SEVERAL, "several", "right, where Coulomb's law has several solutions")                      \
    X(MOST, "most_dissipative", "of these the one of most dissipation")                            \
    X(ZERO, "zero", "of these p = 0")                                                              \
    X(STICK, "stick", "of these sticking")                                                         \
    X(SLIP, "slip", "of these sliding")                                                            \
    X(SEGMENT, "segment", "of these in a continuum")
#define AUDIT_COUNT_ENUM(name, column, meaning) AUDIT_COUNT_##name,
typedef enum audit_counted { AUDIT_COUNT_LIST(AUDIT_COUNT_ENUM) AUDIT_COUNTS } audit_counted;
#undef AUDIT_COUNT_ENUM

enum { AUDIT_KINDS = 2 * IMP_RESIDUALS, AUDIT_WORST = 10 };

typedef struct audit_row {
    const char *class; /* "all": of all classes together */
    double least;      /* percent of what is taken that have to be right */
    long count[AUDIT_COUNTS];
    struct {
        const char *name;
        long count;
    } residual[AUDIT_KINDS]; /* of the false ones the largest, ended by a NULL */
    long fault[AUDIT_FAULTS];
    char reason[IMP_ERROR_TEXT]; /* why a solver outside first gave no answer; "": it always did */
    double by[AUDIT_FAULTS];     /* the most that a fault of that kind has by (mends.h); 0: none */
} audit_row;

/* How many were taken and judged, and how many of these are right. */
long audit_taken(const audit_row *row);
long audit_right(const audit_row *row);

typedef enum audit_verdict {
    AUDIT_OK,
    AUDIT_FAILED,        /* something is false, no answer, broken or other bits */
    AUDIT_UNSOLVED,      /* none of that, and nothing is right, or less than has to be */
    AUDIT_NOTHING_TAKEN, /* nor put to it */
} audit_verdict;

/* "ok", "failed", "unsolved", "unsupported". */
const char *audit_verdict_text(audit_verdict verdict);
audit_verdict audit_verdict_of(const audit_row *row);

/* A problem that fresh_make makes again, and what came of it. */
typedef struct audit_problem {
    const fresh_class *class; /* NULL: none */
    uint64_t number;
    audit_outcome outcome;
    double residual;
} audit_problem;

typedef struct audit_report {
    int rows;
    audit_row *row; /* (rows) one a class, then that of all together */
    /* no answer and false ones first, then those said to have failed, by falling residual */
    audit_problem worst[AUDIT_WORST];
} audit_report;

typedef struct audit_terms {
    audit_solver solver;
    const fresh_class *const *classes; /* ended by NULL */
    uint64_t seed;
    long count;   /* problems of each class */
    double least; /* percent of what is taken that have to be right; 0: one answer */
    void (*progress)(void *context, long done, long all); /* of problems; NULL: nobody asks */
    void *context;
} audit_terms;

/* *report <- the audit; the same for the same terms, but for what depends on time limits. Free with
 * audit_clear. IMP_OK, or IMP_NO_MEMORY with *report empty. */
imp_status audit_run(const audit_terms *terms, audit_report *report);

void audit_clear(audit_report *report);

#endif
