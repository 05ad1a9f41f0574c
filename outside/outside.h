/* outside.h - somebody's solvers as models of this run: programs that are asked in JSON lines, and
 * plugins. They see the problem alone; what they answer is judged by a law of the library. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "outside/contained.h"
#include "contact/model.h"

/* Solvers of one run, and the room for the name of one. */
enum { OUTSIDE_MOST = 8, OUTSIDE_NAME = 128 };

typedef struct outside_terms {
    const char *command, *plugin; /* one of them; the other is NULL */
    const char *law;              /* NULL: the plugin's */
    double tolerance;             /* the largest residual of an `ok` */
    double seconds, bytes;        /* it may have for a problem; bytes 0: no limit */
} outside_terms;

/* One more solver of this run; NULL with one line in *error. What the terms point to must outlive
 * it. Its name is that of the program or plugin; where a model of the library or another solver of
 * the run has that, the command or path as it was given, with a number where that is taken, too.
 * Besides the statuses of a model its answers have IMP_CRASHED, IMP_TIMED_OUT and
 * IMP_BAD_ANSWER. */
const imp_model *outside_open(const outside_terms *terms, imp_error *error);

/* What was wrong with the last answer of that model, or why it cannot be judged, in one line; NULL:
 * nothing, or it is no solver outside. */
const char *outside_fault(const imp_model *model);

/* The iterations that the last answer of that model says, 0 among them; -1: it says none, or is no
 * solver outside. */
int outside_iterations(const imp_model *model);

/* Ends all of them. */
void outside_close(void);

/* How solvers are asked: fronts of one contract. */
typedef struct outside_front {
    /* The solver, where it is one; NULL with one line in *error. name: what it calls itself; law:
     * the law that it names, or empty. */
    void *(*open)(const outside_terms *terms, char name[OUTSIDE_NAME], char law[OUTSIDE_NAME],
                  imp_error *error);
    /* p (3nc) <- its answer, all finite; untouched where the status is < 0, with one line in *fault
     * that says why. takes: the model that it is in this run. > 0: it says itself that p is no
     * solution, and p may be untouched. info->iterations: untouched where it says none. */
    imp_status (*ask)(void *solver, const outside_terms *terms, const imp_model *takes,
                      const imp_problem *problem, double *p, imp_info *info, imp_error *fault);
    void (*close)(void *solver);
} outside_front;

extern const outside_front outside_program, outside_plugin;

/* name <- what is printed of a text: whole characters of at most so many bytes, those that are no
 * UTF-8 as '?', and control characters, which would break lines and tables, as blanks. */
void outside_name(char name[OUTSIDE_NAME], const char *text, size_t most);

/* p (3nc) <- the line that a program answered with, which was asked problem number `asked`; p
 * may be untouched unless IMP_OK. What it says of itself, or IMP_BAD_ANSWER, IMP_NO_MEMORY;
 * unless IMP_OK with one line in *fault. */
imp_status outside_read_answer(char *line, size_t length, size_t asked, int nc, double *p,
                               imp_info *info, imp_error *fault);

#endif
