/* race.c - every solver on every problem that all of them take. */
#include "audit/race.h"
#include "outside/outside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Within which factors of the time of the fastest. */
static const double race_factors[RACE_FACTORS] = {1, 2, 4, 8, 16};

static const double shift = 1e-6;  /* s, below which calls and clocks are most of a time */
static const double is_long = 0.1; /* s, a time that is not taken again */
enum { TIMES = 3 };                /* rounds */

double race_mean(const race_report *report, const race_row *row) {
    return exp(row->log_time / (double)report->problems) - shift;
}

/* A race as it runs: by problems, class after class. */
typedef struct racing {
    const race_terms *terms;
    race_report *report;
    long problems;
    int *contacts;                        /* (problems) */
    audit_answer *answers;                /* (problems, solvers) */
    const audit_answer *first[RACE_MOST]; /* of each solver */
    double *p;                            /* (3 room) N s */
    int room;                             /* contacts */
} racing;

static audit_answer *answers_of(const racing *r, long k) {
    return r->answers + (size_t)k * (size_t)r->terms->solvers;
}

/* Is it a problem for all of them? */
static bool is_raced(const race_terms *terms, const audit_answer *answers) {
    for (int s = 0; s < terms->solvers; s++)
        if (answers[s].outcome == AUDIT_UNSUPPORTED || answers[s].outcome == AUDIT_NOT_JUDGED)
            return false;
    return true;
}

/* The first of a solver may have waited for the start of its program. */
static bool is_timed_again(const audit_answer *answer, const audit_answer *first) {
    return audit_is_right(answer) && (answer == first || answer->seconds <= is_long);
}

/* Why it gave none, where it is the first time. */
static void note_reason(const imp_model *model, race_row *row) {
    const char *fault = outside_fault(model);
    if (fault && !*row->reason) snprintf(row->reason, sizeof row->reason, "%s", fault);
}

/* Asks all of them in turn; each keeps the least of its times. */
static imp_status ask_all(racing *r, const imp_problem *problem, int round, audit_answer *answers) {
    for (int s = 0; s < r->terms->solvers; s++) {
        const audit_solver *solver = &r->terms->solver[s];
        audit_answer answer;
        if (round > 0 && !is_timed_again(&answers[s], r->first[s])) continue;
        const imp_status status = audit_ask(solver, problem, r->p, &answer);
        if (status != IMP_OK) return status;
        if (!r->first[s]) r->first[s] = &answers[s];
        if (answer.outcome == AUDIT_NO_ANSWER) note_reason(solver->model, &r->report->row[s]);
        if (round == 0 || !audit_is_right(&answer))
            answers[s] = answer;
        else
            answers[s].seconds = fmin(answers[s].seconds, answer.seconds);
    }
    return IMP_OK;
}

static void note(const race_terms *terms, int s, const audit_answer *answer, double best,
                 race_row *row) {
    const bool solved = audit_is_right(answer);
    row->solved += solved;
    row->timed_out += answer->said == IMP_TIMED_OUT;
    row->failed += !solved && answer->said != IMP_TIMED_OUT;
    row->wrong += answer->outcome == AUDIT_FALSE;
    row->log_time += log((solved ? answer->seconds : terms->solver[s].seconds) + shift);
    for (int k = 0; k < RACE_FACTORS; k++)
        row->within[k] += solved && answer->seconds <= race_factors[k] * best;
}

static void note_loss(const audit_answer *own, const audit_answer *other, race_loss *loss) {
    if (!audit_is_right(other)) return;
    if (!audit_is_right(own)) {
        loss->unsolved++;
    } else if (own->seconds > other->seconds) {
        loss->slower++;
        loss->log_factor += log((own->seconds + shift) / (other->seconds + shift));
    }
}

static void take(const race_terms *terms, const fresh_class *class, uint64_t number, int contacts,
                 const audit_answer *answers, race_report *report) {
    double best = 0;
    if (!is_raced(terms, answers)) {
        report->left_out++;
        return;
    }
    report->problems++;
    for (int s = 0; s < terms->solvers; s++)
        if (audit_is_right(&answers[s]) && (best == 0 || answers[s].seconds < best))
            best = answers[s].seconds;
    for (int s = 0; s < terms->solvers; s++) {
        note(terms, s, &answers[s], best, &report->row[s]);
        for (int other = 0; other < terms->solvers; other++)
            note_loss(&answers[s], &answers[other], &report->row[s].to[other]);
    }
    if (terms->each) terms->each(terms->context, class, number, contacts, answers, best);
}

static bool all_take(const race_terms *terms, const imp_problem *problem) {
    for (int s = 0; s < terms->solvers; s++)
        if (imp_model_takes(terms->solver[s].model, problem) != IMP_OK) return false;
    return true;
}

/* Problem k, made anew in every round. */
static imp_status put(racing *r, long k, int round) {
    const race_terms *terms = r->terms;
    audit_answer *answers = answers_of(r, k);
    fresh_problem made;
    imp_status status = fresh_make(terms->classes[k / terms->count], terms->seed,
                                   (uint64_t)(k % terms->count), &made);
    if (status != IMP_OK) return status;
    r->contacts[k] = made.problem.nc;
    if (!all_take(terms, &made.problem))
        answers[0].outcome = AUDIT_UNSUPPORTED;
    else
        status = audit_room(made.problem.nc, &r->p, &r->room)
                     ? ask_all(r, &made.problem, round, answers)
                     : IMP_NO_MEMORY;
    fresh_clear(&made);
    return status;
}

/* Round by round, so that all others stand between a problem and its next time: what a solver keeps
 * of the last one is no help. */
static imp_status put_all(racing *r) {
    imp_status status = IMP_OK;
    for (int round = 0; round < TIMES; round++)
        for (long k = 0; status == IMP_OK && k < r->problems; k++) {
            if (r->terms->progress)
                r->terms->progress(r->terms->context, (round * r->problems + k) / TIMES,
                                   r->problems);
            status = put(r, k, round);
        }
    return status;
}

imp_status race_run(const race_terms *terms, race_report *report) {
    racing r = {.terms = terms, .report = report};
    long classes = 0;
    while (terms->classes[classes])
        classes++;
    memset(report, 0, sizeof *report);
    r.problems = classes * terms->count;
    r.contacts = calloc((size_t)r.problems + 1, sizeof *r.contacts);
    r.answers = calloc((size_t)r.problems + 1, (size_t)terms->solvers * sizeof *r.answers);
    const imp_status status = r.contacts && r.answers ? put_all(&r) : IMP_NO_MEMORY;
    for (long k = 0; status == IMP_OK && k < r.problems; k++)
        take(terms, terms->classes[k / terms->count], (uint64_t)(k % terms->count), r.contacts[k],
             answers_of(&r, k), report);
    free(r.contacts);
    free(r.answers);
    free(r.p);
    return status;
}
