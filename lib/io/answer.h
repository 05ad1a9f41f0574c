/* answer.h - what a model answers to a problem, judged by its own law, as JSON and as a row of a
 * table. */
#ifndef IMP_ANSWER_H
#define IMP_ANSWER_H

#include "contact/bilateral.h"
#include "contact/model.h"
#include "io/columns.h"
#include "io/error.h"
#include "base/public.h"

#include <stdio.h>

IMP_PUBLIC_BEGIN

struct imp_fclib; /* io/fclib.h */

/* A model's answer to a problem, with its certificate. */
typedef struct imp_answer {
    imp_status status;   /* of the model; IMP_OVERFLOW where its impulse is fine but u, energy or a
                          residual is none */
    imp_info info;       /* what the solve did */
    int nc;              /* contacts */
    const double *p, *u; /* (3nc) N s, m/s; NULL where the model left no impulse */
    imp_certificate certificate; /* of p by the model's law */
    const imp_path *path;        /* how it came about, NULL: not asked for */
} imp_answer;

/* Solves and certifies; p and u (3nc) are the caller's room. settings NULL: presets; guess (3nc) of
 * p, or NULL, for models that take one with their setting `start`; path as imp_solve_certified.
 * Returns answer->status. Assumes a problem that imp_problem_check accepts, as every imp_case is.
 * Where joints of its bodies rub (bilateral NULL: none) problem is the one without them: contacts
 * under the joints' impulses and joints under those of the contacts are solved in turn until
 * neither changes; then u and the certificate are of p under the last of the joints'.
 * IMP_NOT_CONVERGED besides. Thread-safe. */
imp_status imp_answer_solve(const imp_bilateral *bilateral, const imp_model *model,
                            const imp_problem *problem, const void *settings, const double *guess,
                            double *p, double *u, imp_path *path, imp_answer *answer);

/* The same for n problems of one contact at once, by a model that has a batch; p and u (3n). The
 * answers tell nothing of how they came about. Where the certificate of one does not hold it is
 * imp_answer_solve's. Thread-safe. */
void imp_answer_solve_batch(const imp_model *model, int n, const imp_problem *problem,
                            const void *settings, double *p, double *u, imp_answer *answer);

/* The columns of the table of one-contact answers. */
extern const imp_column imp_answer_columns[];

/* One row of that table, to `out` (errors: ferror); id and answer are its fields. Where there is no
 * number the field is empty. */
void imp_answer_write_row(const char *id, const imp_answer *answer, FILE *out);

/* The answer as a JSON object; id NULL: without. A new reference, NULL without memory. */
struct json_t *imp_answer_json(const char *id, const imp_model *model, const imp_answer *answer);

/* What the constraints do when the answer's impulse acts, for its JSON object: {"lambda": [rows], N
 * s or N m s, "velocities": [[6] for each body], m/s and rad/s, "constraints": {"rank", "velocity",
 * "momentum"}}, the last two as imp_bilateral_judge, and of joints that rub "joint_friction":
 * [rubs], N m s or N s, "bound", "slip" and "gain" among the constraints. Above 1e-12, or where W
 * and q move the contacts otherwise than these bodies move, by more than 1e-9, an answer that is
 * IMP_OK becomes IMP_NOT_CERTIFIED, and "reason" says in words by which. Without an impulse: empty.
 * A new reference, NULL without memory. */
struct json_t *imp_answer_constraints(const imp_bilateral *bilateral, imp_answer *answer);

/* {"rank", "velocity", "momentum"} of these errors, and "bound", "slip", "gain" where joints rub. A
 * new reference, NULL without memory. */
struct json_t *imp_constraints_json(const imp_bilateral *bilateral,
                                    const imp_bilateral_errors *errors);

/* What imp_operator_facts says of W, {"rows", "rank", "redundancy", "condition", "asymmetry"}; null
 * where not computed. A new reference, NULL without memory, or where W is not finite. */
struct json_t *imp_operator_json(const imp_operator *W);

/* The answer as the solution of an FCLIB file, with the facts of W where they are asked for. Of one
 * with bilateral constraints, which are missed by more than 1e-12, an answer that is IMP_OK becomes
 * IMP_NOT_CERTIFIED; where their impulses overflow, IMP_OVERFLOW without an impulse. IMP_OK,
 * IMP_IO, IMP_NO_MEMORY, or a status of imp_operator_facts_of. */
imp_status imp_answer_write_fclib(const struct imp_fclib *fclib, const imp_model *model,
                                  const imp_problem *problem, imp_answer *answer, bool facts,
                                  FILE *out, const char *name, imp_error *error);

/* The residuals of a certificate by name. A new reference, NULL without memory. */
struct json_t *imp_certificate_json(const imp_certificate *certificate);

IMP_PUBLIC_END

#endif
