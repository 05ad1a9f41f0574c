/* answer.c - solving, judging, and writing what came out. */
#include "io/answer.h"
#include "base/finite.h"
#include "base/worse.h"
#include "contact/bilateral_internal.h"
#include "contact/model_internal.h"
#include "linear/rank.h"
#include "io/fclib.h"
#include "io/fclib_bilateral.h"
#include "io/json_write.h"
#include "io/path_json.h"
#include "blocks/blocks.h"
#include "single/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const imp_column imp_answer_columns[] = {IMP_WORDS("id"),
                                         IMP_WORDS("status"),
                                         IMP_AXES("p", "N s"),
                                         IMP_AXES("u", "m/s"),
                                         IMP_NUMBERS("energy", "J", IMP_EXACT),
                                         IMP_NUMBERS("residual", NULL, IMP_EXACT),
                                         IMP_COLUMNS_END};

/* The answer shows p (3nc), and u <- W p + q. */
static void give(const imp_problem *problem, const double *p, double *u, imp_answer *answer) {
    imp_operator_apply(problem->W, p, problem->q, u);
    answer->p = p;
    answer->u = u;
    if (answer->status == IMP_OK && !imp_all_finite(u, 3 * (size_t)problem->nc))
        answer->status = IMP_OVERFLOW;
}

/* Without joints that rub. */
static imp_status solve_alone(const imp_model *model, const imp_problem *problem,
                              const void *settings, const double *guess, double *p, double *u,
                              imp_path *path, imp_answer *answer) {
    const size_t rows = 3 * (size_t)problem->nc;
    *answer = (imp_answer){.nc = problem->nc, .path = path};
    for (size_t i = 0; i < rows; i++)
        /* NaN shows whether a model that does not succeed leaves an impulse */
        p[i] = guess && (model->takes & IMP_TAKES_GUESS) ? guess[i] : NAN;
    answer->status = imp_solve_until(NULL, model, problem, settings, p, path, &answer->certificate,
                                     &answer->info);
    if (answer->status >= 0 && answer->certificate.count > 0) give(problem, p, u, answer);
    return answer->status;
}

/* Of the largest velocity of a contact: joints that change less between two turns are settled. */
static const double SETTLED = 1e-14;
enum { TURNS = 2000 };

/* Contacts and joints that rub, in turn. */
typedef struct turns {
    const imp_bilateral *bilateral;
    const imp_problem *problem; /* without the joints */
    double *x;                  /* (rubs) */
    double *q, *next;           /* (3nc) under the joints that p was solved with, and under x */
    double change;              /* from one to the other, of the largest velocity */
} turns;

/* x and next from p. */
static imp_status rub(turns *t, const double *p) {
    const size_t rows = 3 * (size_t)t->problem->nc;
    const imp_status status = imp_bilateral_rub(t->bilateral, p, t->x);
    double change = 0, size = 0;
    if (status < 0) return status;
    memcpy(t->next, t->problem->q, rows * sizeof *t->next);
    imp_bilateral_rubbed(t->bilateral, t->x, t->next);
    for (size_t r = 0; r < rows; r++) {
        change = imp_worse(change, fabs(t->next[r] - t->q[r]));
        size = fmax(size, fmax(fabs(t->problem->q[r]), fabs(t->next[r])));
    }
    t->change = change == 0 ? 0 : isfinite(change) ? change / size : INFINITY;
    return status;
}

/* The answer p under the joints' last impulses: is there the memory to judge it? */
static bool judge_again(const imp_model *model, const imp_problem *shifted, const void *settings,
                        double *p, double *u, imp_answer *answer) {
    const imp_status judged =
        imp_certify(shifted, model->law, settings, p, answer->path, &answer->certificate);
    answer->status = judged != IMP_OK ? judged
                     : !answer->certificate.unjudged &&
                             answer->certificate.worst <= imp_model_bound(model, settings)
                         ? IMP_OK
                         : IMP_NOT_CONVERGED;
    give(shifted, p, u, answer);
    return judged != IMP_NO_MEMORY;
}

imp_status imp_answer_solve(const imp_bilateral *b, const imp_model *model,
                            const imp_problem *problem, const void *settings, const double *guess,
                            double *p, double *u, imp_path *path, imp_answer *answer) {
    const size_t rows = 3 * (size_t)problem->nc, rubs = b ? (size_t)imp_bilateral_rubs(b) : 0;
    if (rubs == 0) return solve_alone(model, problem, settings, guess, p, u, path, answer);
    double *room = calloc(rubs + 2 * rows, sizeof *room), last = INFINITY;
    turns t = {b, problem, room, room + rubs, room + rubs + rows, 0};
    imp_problem shifted = *problem;
    *answer = (imp_answer){.status = IMP_NO_MEMORY, .nc = problem->nc, .path = path};
    imp_status joints = room ? rub(&t, t.q) : IMP_NO_MEMORY; /* of no impulse */
    for (int turn = 0; joints >= 0 && turn < TURNS && (turn == 0 || t.change > SETTLED); turn++) {
        memcpy(t.q, t.next, rows * sizeof *t.q);
        shifted.q = t.q;
        if (path) imp_path_clear(path);
        solve_alone(model, &shifted, settings, guess, p, u, path, answer);
        if (answer->status != IMP_OK) break;
        joints = rub(&t, p);
        shifted.q = t.next;
        if (joints >= 0 && t.change > SETTLED &&
            !judge_again(model, &shifted, settings, p, u, answer))
            joints = IMP_NO_MEMORY;
        if (answer->status == IMP_OK && t.change > 0.99 * last)
            break; /* the model comes no nearer */
        last = t.change;
    }
    if (joints < 0) *answer = (imp_answer){.status = joints, .nc = problem->nc, .path = path};
    if (joints > 0 && answer->status == IMP_OK) answer->status = joints;
    free(room);
    return answer->status;
}

enum { AT_ONCE = 256, COLUMNS = 15 };

/* Row i of the columns W (6), q, mu, e. */
static void put(double column[COLUMNS][AT_ONCE], int i, const imp_problem *problem) {
    double W[6];
    imp_operator_packed(problem->W, 0, W);
    for (int k = 0; k < 6; k++)
        column[k][i] = W[k];
    for (int k = 0; k < 3; k++)
        column[6 + k][i] = problem->q[k];
    column[9][i] = problem->mu[0];
    column[10][i] = problem->e ? problem->e[0] : 0;
}

/* The answer that the batch has for a problem, where its certificate holds; else that of the solver
 * for one. */
static void take(const imp_model *model, const imp_problem *problem, const void *settings,
                 double bound, const imp_batch_columns *c, int i, double *p, double *u,
                 imp_answer *answer) {
    const imp_status taken = imp_model_takes(model, problem);
    imp_certificate *own = &answer->certificate;
    if (taken != IMP_OK) answer->status = taken;
    if (answer->status < 0) return;
    for (int k = 0; k < 3; k++)
        p[k] = c->p[k][i];
    const bool certified = answer->status == IMP_OK &&
                           imp_certify(problem, model->law, settings, p, NULL, own) == IMP_OK &&
                           !own->unjudged && own->worst <= bound && isfinite(own->energy);
    if (certified)
        give(problem, p, u, answer);
    else
        (void)solve_alone(model, problem, settings, NULL, p, u, NULL, answer);
}

static void solve_some(const imp_model *model, int n, const imp_problem *problem,
                       const void *settings, double *p, double *u, imp_answer *answer) {
    double column[COLUMNS][AT_ONCE];
    imp_status status[AT_ONCE];
    imp_batch_columns c = {.q = {column[6], column[7], column[8]},
                           .mu = column[9],
                           .e = column[10],
                           .p = {column[11], column[12], column[13]},
                           .residual = column[14],
                           .status = status};
    for (int k = 0; k < 6; k++)
        c.W[k] = column[k];
    for (int i = 0; i < n; i++)
        put(column, i, &problem[i]);
    const double bound = imp_model_bound(model, settings);
    const imp_status good = model->batch(&c, (size_t)n, settings);
    for (int i = 0; i < n; i++) {
        answer[i] = (imp_answer){.status = good == IMP_OK ? status[i] : good, .nc = 1};
        take(model, &problem[i], settings, bound, &c, i, p + 3 * (size_t)i, u + 3 * (size_t)i,
             &answer[i]);
    }
}

void imp_answer_solve_batch(const imp_model *model, int n, const imp_problem *problem,
                            const void *settings, double *p, double *u, imp_answer *answer) {
    imp_settings presets;
    if (settings && !imp_model_settings_valid(model, settings)) {
        for (int i = 0; i < n; i++)
            answer[i] = (imp_answer){.status = IMP_BAD_ARGUMENT, .nc = 1};
        return;
    }
    settings = imp_model_chosen(model, settings, &presets);
    for (int first = 0; first < n; first += AT_ONCE) {
        const size_t row = 3 * (size_t)first;
        solve_some(model, n - first < AT_ONCE ? n - first : AT_ONCE, problem + first, settings,
                   p + row, u + row, answer + first);
    }
}

void imp_answer_write_row(const char *id, const imp_answer *answer, FILE *out) {
    const imp_cell name = IMP_TEXT(id), status = IMP_TEXT(imp_status_text(answer->status));
    if (!answer->p)
        imp_write_row(imp_answer_columns, out, name, status);
    else
        imp_write_row(imp_answer_columns, out, name, status, IMP_VECTOR(answer->p),
                      IMP_VECTOR(answer->u), IMP_NUMBER(answer->certificate.energy),
                      IMP_NUMBER(answer->certificate.worst));
}

json_t *imp_certificate_json(const imp_certificate *certificate) {
    json_t *object = json_object();
    for (int k = 0; k < certificate->count; k++)
        imp_json_put(&object, certificate->residual[k].name,
                     imp_json_of(certificate->residual[k].value));
    return object;
}

static void put_count(json_t **object, const char *name, int count) {
    if (count != 0) imp_json_put(object, name, json_integer(count));
}

json_t *imp_answer_json(const char *id, const imp_model *model, const imp_answer *answer) {
    const size_t rows = 3 * (size_t)answer->nc;
    const imp_certificate *c = &answer->certificate;
    json_t *object = json_object();
    if (id) imp_json_put(&object, "id", imp_json_of_text(id));
    imp_json_put(&object, "model", json_string(model->name));
    imp_json_put(&object, "status", json_string(imp_status_text(answer->status)));
    if (answer->status == IMP_NOT_CERTIFIED && c->unjudged)
        imp_json_put(&object, "reason", json_string(c->unjudged));
    imp_json_put(&object, "p", answer->p ? imp_json_of_vector(answer->p, rows) : json_null());
    imp_json_put(&object, "u", answer->p ? imp_json_of_vector(answer->u, rows) : json_null());
    imp_json_put(&object, "energy", imp_json_of(answer->p ? c->energy : NAN));
    imp_json_put(&object, "residual", imp_json_of(answer->p ? c->worst : NAN));
    imp_json_put(&object, "residuals", imp_certificate_json(c));
    if (answer->path && answer->path->nc > 0)
        imp_json_put(&object, "path", imp_path_json(answer->path));
    put_count(&object, "iterations", answer->info.iterations);
    put_count(&object, "intervals", answer->info.intervals);
    put_count(&object, "rounds", answer->info.rounds);
    put_count(&object, "solutions", answer->info.solutions);
    return object;
}

json_t *imp_constraints_json(const imp_bilateral *bilateral, const imp_bilateral_errors *errors) {
    json_t *object = json_object();
    imp_json_put(&object, "rank", json_integer(imp_bilateral_rank(bilateral)));
    imp_json_put(&object, "velocity", imp_json_of(errors->velocity));
    imp_json_put(&object, "momentum", imp_json_of(errors->momentum));
    if (imp_bilateral_rubs(bilateral) > 0) {
        imp_json_put(&object, "bound", imp_json_of(errors->bound));
        imp_json_put(&object, "slip", imp_json_of(errors->slip));
        imp_json_put(&object, "gain", imp_json_of(errors->gain));
    }
    return object;
}

/* What constraints and the balance of momentum may be missed by. */
static const double KEPT = 1e-12;

/* Which of the errors is the largest, in words. */
static json_t *missed(const imp_bilateral_errors *e) {
    const double worst = imp_bilateral_worst(e);
    const char *what = e->velocity >= worst   ? "velocities miss the constraints"
                       : e->momentum >= worst ? "the balance of momentum is missed"
                       : e->bound >= worst    ? "a joint rubs beyond its bound"
                       : e->slip >= worst     ? "a joint does not rub against its motion"
                                              : "energy is gained";
    return json_sprintf("%s by %.1e, up to %.0e is ok", what, worst, KEPT);
}

json_t *imp_answer_constraints(const imp_bilateral *bilateral, imp_answer *answer) {
    const int bodies = imp_bilateral_bodies(bilateral), rows = imp_bilateral_rows(bilateral),
              rubs = imp_bilateral_rubs(bilateral);
    imp_bilateral_errors errors;
    json_t *object = json_object(), *velocities = json_array();
    double *velocity = malloc((6 * (size_t)bodies + (size_t)(rows + rubs) + 1) * sizeof *velocity),
           *lambda = velocity + 6 * (size_t)bodies, *x = lambda + rows;
    const bool good =
        velocity && answer->p && imp_bilateral_rub(bilateral, answer->p, x) >= 0 &&
        imp_bilateral_recover(bilateral, answer->p, x, velocity, lambda, &errors) == IMP_OK;
    for (int i = 0; good && i < bodies; i++)
        imp_json_push(&velocities, imp_json_of_vector(velocity + 6 * (size_t)i, 6));
    if (good) {
        imp_json_put(&object, "lambda", imp_json_of_vector(lambda, (size_t)rows));
        imp_json_put(&object, "velocities", velocities);
        if (rubs > 0) imp_json_put(&object, "joint_friction", imp_json_of_vector(x, (size_t)rubs));
        imp_json_put(&object, "constraints", imp_constraints_json(bilateral, &errors));
        if (answer->status == IMP_OK && !(imp_bilateral_worst(&errors) <= KEPT)) {
            answer->status = IMP_NOT_CERTIFIED;
            imp_json_put(&object, "reason", missed(&errors));
        }
        const double apart = imp_bilateral_apart(bilateral, answer->p, x, answer->u, velocity);
        if (answer->status == IMP_OK && !(apart <= IMP_BILATERAL_SAME)) {
            answer->status = IMP_NOT_CERTIFIED;
            imp_json_put(&object, "reason",
                         json_sprintf("bodies and contacts move apart by %.1e, up to %.0e is ok",
                                      apart, IMP_BILATERAL_SAME));
        }
    } else {
        json_decref(velocities);
    }
    free(velocity);
    if (good || !answer->p) return object;
    json_decref(object);
    return NULL;
}

json_t *imp_operator_json(const imp_operator *W) {
    imp_operator_facts facts;
    json_t *object = json_object();
    if (imp_operator_facts_of(W, &facts) != IMP_OK) {
        json_decref(object);
        return NULL;
    }
    imp_json_put(&object, "rows", json_integer(facts.rows));
    imp_json_put(&object, "rank", facts.rank >= 0 ? json_integer(facts.rank) : json_null());
    imp_json_put(&object, "redundancy", imp_json_of(facts.redundancy));
    imp_json_put(&object, "condition", imp_json_of(facts.condition));
    imp_json_put(&object, "asymmetry", imp_json_of(facts.asymmetry));
    return object;
}

/* Are the constraints of the file kept by the answer's impulse? Its status says it where not. */
static imp_status keep_fclib(const imp_fclib *fclib, imp_answer *answer) {
    imp_fclib local;
    double error = 0;
    if (fclib->bilateral == 0 || !answer->p) return IMP_OK;
    double *l = malloc((size_t)fclib->bilateral * sizeof *l);
    imp_status status = imp_fclib_local(fclib, &local);
    if (status == IMP_OK)
        status = l ? imp_fclib_constrain(fclib, &local, answer->p, l, NULL, &error) : IMP_NO_MEMORY;
    free(l);
    imp_fclib_clear(&local);
    if (status == IMP_OVERFLOW) {
        answer->status = IMP_OVERFLOW;
        answer->p = answer->u = NULL;
        return IMP_OK;
    }
    if (status == IMP_OK && answer->status == IMP_OK && !(error <= KEPT))
        answer->status = IMP_NOT_CERTIFIED;
    return status;
}

/* What could not be found out, and why. */
static imp_status refuse(imp_error *error, imp_status status, const char *name, const char *what) {
    if (status == IMP_NO_MEMORY) return imp_error_set(error, status, "%s: no memory", name);
    return imp_error_set(error, status, "%s: %s: %s", name, what, imp_status_text(status));
}

imp_status imp_answer_write_fclib(const imp_fclib *fclib, const imp_model *model,
                                  const imp_problem *problem, imp_answer *answer, bool facts,
                                  FILE *out, const char *name, imp_error *error) {
    imp_fclib solved = *fclib;
    imp_status status = keep_fclib(fclib, answer);
    if (status != IMP_OK) return refuse(error, status, name, "constraints");
    const size_t bytes = 3 * (size_t)problem->nc * sizeof(double);
    solved.solution = answer->p ? malloc(bytes) : NULL;
    if (answer->p && !solved.solution) return refuse(error, IMP_NO_MEMORY, name, "solution");
    solved.mark = (imp_fclib_mark){.model = model->name,
                                   .status = imp_status_text(answer->status),
                                   .field = NAN,
                                   .scale_free = NAN,
                                   .residual = answer->p ? answer->certificate.worst : NAN,
                                   .energy = answer->p ? answer->certificate.energy : NAN,
                                   .with_facts = facts};
    if (answer->p) {
        memcpy(solved.solution, answer->p, bytes);
        imp_natural_error(problem, answer->p, &solved.mark.field, &solved.mark.scale_free);
    }
    if (facts) status = imp_operator_facts_of(problem->W, &solved.mark.facts);
    if (status == IMP_OK)
        status = imp_fclib_write(out, name, &solved, error);
    else
        refuse(error, status, name, "rank of W");
    free(solved.solution);
    return status;
}
