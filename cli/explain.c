/* explain.c - `impact solve --explain`: in words how an answer came about, what it does at the
 * contacts, its residuals, the other solutions that there are, and how well W determines it. */
#include "audit/solutions.h"
#include "cli/cli.h"
#include "outside/outside.h"
#include "scene/impact.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN, APPROACHES, SMOOTH, STICKS, SLIDES, STATES };

/* What contact i does: an impulse is there or none; what has no friction neither sticks nor slides;
 * and a velocity is none that is little beside what makes it up along its axes: what iterations
 * leave, or, of a single contact whose friction is at its limit as that of a slip is, rounding
 * alone. */
static int state_of(const imp_problem *problem, const imp_answer *a, int i) {
    static const double little = 1e-9, rounding = 4 * DBL_EPSILON;
    const double *p = a->p + 3 * i, *u = a->u + 3 * i;
    const imp_local c = imp_local_problem(problem, a->p, i);
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) return u[0] < -little * c.size[0] ? APPROACHES : OPEN;
    if (c.mu == 0 && p[1] == 0 && p[2] == 0) return SMOOTH;
    const bool at_limit = a->nc == 1 && hypot(p[1], p[2]) >= (1 - little) * c.mu * p[0];
    const double least = (at_limit ? rounding : little) * hypot(c.size[1], c.size[2]);
    return hypot(u[1], u[2]) <= least ? STICKS : SLIDES;
}

/* FCLIB files hold none. */
static double restitution_of(const imp_problem *problem, int contact) {
    return problem->e ? problem->e[contact] : 0;
}

static void write_contacts(const imp_problem *problem, const imp_answer *a, FILE *out) {
    static const char *const does[STATES] = {"opens, or touches without an impulse",
                                             "approaches without an impulse",
                                             "pushes without friction", "sticks", "slides"};
    int count[STATES] = {0};
    for (int i = 0; i < a->nc; i++)
        count[state_of(problem, a, i)]++;
    if (a->nc > 1) {
        fprintf(out, "  contacts   %d without an impulse, ", count[OPEN] + count[APPROACHES]);
        if (count[SMOOTH] > 0) fprintf(out, "%d without friction, ", count[SMOOTH]);
        fprintf(out, "%d stick, %d slide\n", count[STICKS], count[SLIDES]);
        return;
    }
    fprintf(out, "  contact    %s, mu %g, e %g\n", does[state_of(problem, a, 0)], problem->mu[0],
            restitution_of(problem, 0));
    fprintf(out, "  before     q = %.9g %.9g %.9g m/s (n, t, o)\n", problem->q[0], problem->q[1],
            problem->q[2]);
    fprintf(out, "  impulse    p = %.9g %.9g %.9g N s\n", a->p[0], a->p[1], a->p[2]);
    fprintf(out, "  after      u = %.9g %.9g %.9g m/s\n", a->u[0], a->u[1], a->u[2]);
}

static void write_residuals(const options *o, const imp_settings *settings, const imp_answer *a,
                            FILE *out) {
    const imp_certificate *c = &a->certificate;
    fprintf(out, "  law        %s: %s\n  residuals  ", o->model->law->name,
            o->model->law->statement);
    for (int i = 0; i < c->count; i++)
        fprintf(out, "%s%s %.1e", i ? ", " : "", c->residual[i].name, c->residual[i].value);
    if (a->nc > 1) fprintf(out, "; the largest at contact %d", c->contact);
    fprintf(out, "; up to %.1e is ok\n", imp_model_bound(o->model, settings));
    if (a->status == IMP_NOT_CERTIFIED && c->unjudged)
        fprintf(out, "  not judged %s\n", c->unjudged);
    fprintf(out, "  energy     %.9g J\n", c->energy);
}

/* By how much the constraints are missed, and what that costs an answer; NULL: there are none. */
static void write_constraints(const json_t *kept, FILE *out) {
    const char *name, *between = "", *reason = json_string_value(json_object_get(kept, "reason"));
    json_t *errors = json_object_get(kept, "constraints"), *error;
    if (errors) fputs("  missed     of constraints: ", out);
    json_object_foreach(errors, name, error) {
        if (!json_is_real(error)) continue; /* the rank is no error */
        fprintf(out, "%s%s %.1e", between, name, json_real_value(error));
        between = ", ";
    }
    if (errors) fputc('\n', out);
    if (reason) fprintf(out, "  reason     %s\n", reason);
}

/* Of one inelastic contact all that Coulomb's law allows, whatever law the model has. */
static void write_solutions(const options *o, const imp_problem *problem, const imp_answer *a,
                            FILE *out) {
    double W[6];
    imp_coulomb_set set = {0};
    if (problem->nc > 1 || restitution_of(problem, 0) > 0) {
        fputs("  solutions  not counted: they are of one contact without restitution\n", out);
        return;
    }
    imp_status status = imp_model_takes(&imp_model_coulomb, problem);
    const char *why = status == IMP_UNSUPPORTED ? not_taken(&imp_model_coulomb, problem) : NULL;
    imp_operator_packed(problem->W, 0, W);
    if (status == IMP_OK) status = imp_coulomb_enumerate(W, problem->q, problem->mu[0], &set);
    if (status < 0) {
        fprintf(out, "  solutions  not counted: %s\n", why ? why : imp_status_text(status));
        return;
    }
    const int own = a->status != IMP_OK      ? -1
                    : o->model->law->several ? audit_solution(problem, a->p, &set)
                    : strcmp(o->model->law->name, imp_law_maxdiss.name) == 0 ? set.maxdiss
                                                                             : -1;
    fprintf(out, "  solutions  %d of Coulomb's law, %s\n", set.count,
            set.proven ? "proven to be all" : "complete to rounding alone");
    for (int k = 0; k < set.count; k++) {
        const imp_coulomb_solution *s = &set.solution[k];
        fprintf(out, "             %-7s %.9g J, p = %.9g %.9g %.9g N s%s\n",
                imp_coulomb_kind_text(s->kind), s->energy, s->p[0], s->p[1], s->p[2],
                k == own ? " (the answer)" : "");
    }
    fprintf(out,
            "  eccentricity %.4g of the friction conic; below %.4g one solution is certain%s\n",
            set.eccentricity, set.unique_below, problem->q[0] < 0 ? "" : " where q_n < 0");
}

static imp_status write_operator(const imp_operator *W, FILE *out) {
    imp_operator_facts facts;
    const imp_status status = imp_operator_facts_of(W, &facts);
    if (status != IMP_OK) return status;
    fprintf(out, "  W          %d rows", facts.rows);
    if (facts.rank >= 0) fprintf(out, ", rank %d", facts.rank);
    if (facts.rank > 0) fprintf(out, ", condition %.2g", facts.condition); /* of 0 there is none */
    fprintf(out, ", asymmetry %.1e\n", facts.asymmetry);
    if (facts.rank >= 0 && facts.rank < facts.rows)
        fputs("             several impulses make the same velocities\n", out);
    return IMP_OK;
}

/* The contacts whose approaches, or what Moreau's law asks them to leave by, exclude each other,
 * where that is shown to be why there is no answer. False without memory. */
static bool write_contradiction(const imp_problem *problem, const imp_law *law, FILE *out) {
    enum { NAMED = 10 };
    static const double least = 1e-6; /* of the largest impulse that proves it: less is rounding */
    const size_t nc = (size_t)problem->nc;
    const bool bounces = strcmp(law->name, "moreau") == 0;
    double *z = malloc(4 * nc * sizeof *z), *q = z + nc;
    if (!z) return false;
    memcpy(q, problem->q, 3 * nc * sizeof *q);
    for (int i = 0; i < problem->nc && bounces; i++)
        q[3 * i] -= restitution_of(problem, i) * fmax(0, -q[3 * i]);
    imp_problem asked = *problem;
    asked.q = q;
    const imp_status status = imp_contradiction(&asked, z);
    int count = 0;
    for (int i = 0; status == IMP_NO_SOLUTION && i < problem->nc; i++)
        if (z[i] > least && count++ < NAMED)
            fprintf(out, count == 1 ? "  excluded   by contacts %d" : ", %d", i);
    if (count > NAMED) fprintf(out, " and %d more", count - NAMED);
    if (count > 0)
        fprintf(out, ": impulses along their normals that move nothing do work on %s\n",
                bounces ? "what Moreau's law asks of them" : "their approaches");
    free(z);
    return status != IMP_NO_MEMORY;
}

const char *not_taken(const imp_model *model, const imp_problem *problem) {
    for (int i = 0; i < problem->nc; i++) {
        if (restitution_of(problem, i) > 0 && !(model->takes & IMP_TAKES_RESTITUTION))
            return "restitution";
        if (problem->mu[i] > 0 && model->takes & IMP_ONLY_FRICTIONLESS) return "friction";
    }
    if (!imp_law_reads(model->law, problem)) return "viscous friction or gaps";
    /* a recorded W is the reason where the problem is taken with any other */
    imp_operator W = *problem->W;
    imp_problem other = *problem;
    W.as_given = 0;
    other.W = &W;
    if (problem->W->as_given && imp_model_takes(model, &other) == IMP_OK)
        return "a W that is asymmetric or indefinite";
    return scene_refusal(model, problem);
}

void doubt_note(doubt *first, imp_status found, const imp_problem *problem, const char *id) {
    if (first->status != IMP_OK || found == IMP_OK) return;
    first->status = found;
    if (found == IMP_UNSUPPORTED) first->why = not_taken(&imp_model_coulomb, problem);
    snprintf(first->id, sizeof first->id, "%s", id);
}

static imp_status explain_case(const options *o, const imp_problem_file *file, const imp_case *c,
                               FILE *out, bool *unsolved, imp_error *error) {
    const imp_problem *problem = &c->problem;
    imp_settings settings;
    imp_answer a;
    imp_status status = options_settings(o, file, c, &settings, error);
    if (status != IMP_OK) return status;
    double *p = malloc(6 * (size_t)problem->nc * sizeof *p);
    if (!p) return imp_error_set(error, IMP_NO_MEMORY, "no memory for %d contacts", problem->nc);
    imp_answer_solve(c->bilateral, o->model, problem, &settings, c->guess, p,
                     p + 3 * (size_t)problem->nc, NULL, &a);
    json_t *kept = c->bilateral ? imp_answer_constraints(c->bilateral, &a) : NULL; /* judges too */
    imp_error id;                                                                  /* in one line */
    imp_error_set(&id, IMP_OK, "%.60s", c->id);
    fprintf(out, "problem %s: %d contact%s\n  model      %s: %s", id.text, problem->nc,
            problem->nc > 1 ? "s" : "", o->model->name, imp_status_text(a.status));
    if (a.info.iterations > 0) fprintf(out, ", iterations %d", a.info.iterations);
    if (a.info.leaf > 0)
        fprintf(out, ", leaf %s", imp_maxdiss_leaf_text((imp_maxdiss_leaf)a.info.leaf));
    fprintf(out, "\n");
    const bool taken = imp_model_takes(o->model, problem) == IMP_OK;
    const char *why = taken ? NULL : not_taken(o->model, problem),
               *fault = taken ? outside_fault(o->model) : NULL;
    if (why) fprintf(out, "  not taken  %s\n", why);
    if (fault) fprintf(out, "  fault      %s\n", fault);
    if (a.p) {
        write_contacts(problem, &a, out);
        write_residuals(o, &settings, &a, out);
        write_constraints(kept, out);
        write_solutions(o, problem, &a, out);
    }
    const bool none = a.status == IMP_NO_SOLUTION || a.status == IMP_NOT_CONVERGED,
               told = !none || write_contradiction(problem, o->model->law, out);
    status = told ? write_operator(problem->W, out) : IMP_NO_MEMORY;
    if (status != IMP_OK) imp_error_set(error, status, "no memory to explain W");
    if (a.status != IMP_OK) *unsolved = true;
    json_decref(kept);
    free(p);
    return status;
}

int explain(const options *o) {
    imp_error error;
    imp_problem_file *file;
    const imp_case *c = NULL;
    bool unsolved = false;
    if (o->facts || o->path || o->dump_folder)
        return complain_of("solve: --explain stands with --facts, --path or --dump-failed, "
                           "expected it without");
    if (!output_fits(o->output_word, o->output, "an explanation", "text")) return EXIT_BAD;
    if (imp_problem_file_open(o->files[0], &file, &error) != IMP_OK) return complain(&error);
    int outcome = EXIT_BAD;
    FILE *out = output_open_whole(o->output);
    if (out) {
        imp_status status;
        do {
            status = imp_problem_file_next(file, &c, &error);
            if (status == IMP_OK && c) status = explain_case(o, file, c, out, &unsolved, &error);
        } while (status == IMP_OK && c && !ferror(out));
        if (status != IMP_OK) complain(&error);
        outcome = status == IMP_OK ? output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED)
                                   : output_abandon();
    }
    imp_problem_file_close(file);
    return outcome;
}
