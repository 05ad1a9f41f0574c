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
enum { TIMES = 3 };

bool race_solved(const audit_answer *answer) {
    return answer->outcome == AUDIT_RIGHT || answer->outcome == AUDIT_MODEST;
}

double race_mean(const race_report *report, const race_row *row) {
    return exp(row->log_time / (double)report->problems) - shift;
}

/* Asks all of them in turn, again and again; each keeps the least of its times. */
static imp_status ask_all(const race_terms *terms, const imp_problem *problem, double *p,
                          audit_answer *answers) {
    for (int round = 0; round < TIMES; round++)
        for (int s = 0; s < terms->solvers; s++) {
            audit_answer answer;
            if (round > 0 && (!race_solved(&answers[s]) || answers[s].seconds > is_long)) continue;
            const imp_status status = audit_ask(&terms->solver[s], problem, p, &answer);
            if (status != IMP_OK) return status;
            if (round == 0 || !race_solved(&answer))
                answers[s] = answer;
            else
                answers[s].seconds = fmin(answers[s].seconds, answer.seconds);
        }
    return IMP_OK;
}

static void note(const race_terms *terms, int s, const audit_answer *answer, double best,
                 race_row *row) {
    const bool solved = race_solved(answer);
    /* of this very answer: one that was not solved is not asked for again */
    const char *fault =
        answer->outcome == AUDIT_NO_ANSWER ? outside_fault(terms->solver[s].model) : NULL;
    if (fault && !*row->reason) snprintf(row->reason, sizeof row->reason, "%s", fault);
    row->solved += solved;
    row->timed_out += answer->said == IMP_TIMED_OUT;
    row->failed += !solved && answer->said != IMP_TIMED_OUT;
    row->wrong += answer->outcome == AUDIT_FALSE;
    row->log_time += log((solved ? answer->seconds : terms->solver[s].seconds) + shift);
    for (int k = 0; k < RACE_FACTORS; k++)
        row->within[k] += solved && answer->seconds <= race_factors[k] * best;
}

static void note_loss(const audit_answer *own, const audit_answer *other, race_loss *loss) {
    if (!race_solved(other)) return;
    if (!race_solved(own)) {
        loss->unsolved++;
    } else if (own->seconds > other->seconds) {
        loss->slower++;
        loss->log_factor += log((own->seconds + shift) / (other->seconds + shift));
    }
}

/* Is it a problem for all of them? */
static bool is_raced(const race_terms *terms, const audit_answer *answers) {
    for (int s = 0; s < terms->solvers; s++)
        if (answers[s].outcome == AUDIT_UNSUPPORTED || answers[s].outcome == AUDIT_NOT_JUDGED)
            return false;
    return true;
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
        if (race_solved(&answers[s]) && (best == 0 || answers[s].seconds < best))
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

static imp_status put(const race_terms *terms, const fresh_class *class, uint64_t number,
                      race_report *report) {
    fresh_problem made;
    audit_answer answers[RACE_MOST];
    imp_status status = fresh_make(class, terms->seed, number, &made);
    if (status != IMP_OK) return status;
    const int nc = made.problem.nc;
    if (!all_take(terms, &made.problem)) {
        report->left_out++;
    } else {
        double *p = malloc(3 * (size_t)nc * sizeof *p);
        status = p ? ask_all(terms, &made.problem, p, answers) : IMP_NO_MEMORY;
        if (status == IMP_OK) take(terms, class, number, nc, answers, report);
        free(p);
    }
    fresh_clear(&made);
    return status;
}

imp_status race_run(const race_terms *terms, race_report *report) {
    imp_status status = IMP_OK;
    long classes = 0, done = 0;
    while (terms->classes[classes])
        classes++;
    memset(report, 0, sizeof *report);
    for (long i = 0; status == IMP_OK && i < classes; i++)
        for (long k = 0; status == IMP_OK && k < terms->count; k++) {
            if (terms->progress) terms->progress(terms->context, done++, classes * terms->count);
            status = put(terms, terms->classes[i], (uint64_t)k, report);
        }
    return status;
}
