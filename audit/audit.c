/* audit.c - the loop over classes and problems, and what is counted. */
#include "audit/audit.h"
#include "audit/solutions.h"
#include "base/hash.h"
#include "outside/outside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *audit_verdict_text(audit_verdict verdict) {
    static const char *const text[] = {"ok", "failed", "unsolved", "unsupported"};
    return text[verdict];
}

long audit_taken(const audit_row *row) {
    return row->count[AUDIT_COUNT_PROBLEMS] - row->count[AUDIT_COUNT_UNTAKEN] -
           row->count[AUDIT_COUNT_UNDECIDED];
}

long audit_right(const audit_row *row) {
    long right = audit_taken(row);
    for (int k = AUDIT_COUNT_HONEST; k <= AUDIT_COUNT_BAD_ANSWER; k++)
        if (k != AUDIT_COUNT_MODEST) right -= row->count[k];
    return right;
}

audit_verdict audit_verdict_of(const audit_row *row) {
    static const audit_counted failures[] = {
        AUDIT_COUNT_FALSE, AUDIT_COUNT_TIMED_OUT,  AUDIT_COUNT_CRASHED, AUDIT_COUNT_BAD_ANSWER,
        AUDIT_COUNT_UNITS, AUDIT_COUNT_MASS,       AUDIT_COUNT_FRAMES,  AUDIT_COUNT_MIRROR,
        AUDIT_COUNT_ORDER, AUDIT_COUNT_UNANSWERED, AUDIT_COUNT_REPEAT,  AUDIT_COUNT_SEQUENCE};
    for (size_t k = 0; k < sizeof failures / sizeof *failures; k++)
        if (row->count[failures[k]] > 0) return AUDIT_FAILED;
    if (audit_taken(row) == 0) return AUDIT_NOTHING_TAKEN;
    const double right = (double)audit_right(row), taken = (double)audit_taken(row);
    return right > 0 && 100 * right >= row->least * taken ? AUDIT_OK : AUDIT_UNSOLVED;
}

/* What is kept of an answer until it is asked for again. */
typedef struct kept {
    uint64_t hash; /* of its bits */
    bool again;    /* it is asked for again */
} kept;

/* An audit as it runs. */
typedef struct auditing {
    const audit_terms *terms;
    audit_report *report;
    audit_row *row;
    kept *first; /* (terms->count) of this class */
    long done;
    double *p;          /* (3 room) N s */
    int room;           /* contacts */
    audit_wrong *wrong; /* (wrongs) of (wrong_room) */
    long wrongs, wrong_room;
} auditing;

static uint64_t hash_of(const double *p, int nc, const audit_answer *answer) {
    return imp_hash(IMP_HASH_SEED ^ (uint64_t)(answer->said + 100), p, 3 * (size_t)nc * sizeof *p);
}

static void count(auditing *a, audit_counted what) {
    a->row->count[what]++;
}

/* A question without an answer, with the reason of the first. */
static void count_unanswered(auditing *a, audit_counted what) {
    const char *fault = outside_fault(a->terms->solver.model);
    count(a, what);
    if (fault && !*a->row->reason) snprintf(a->row->reason, sizeof a->row->reason, "%s", fault);
}

static void count_residual(audit_row *row, const char *name, long count) {
    int k = 0;
    while (row->residual[k].name && strcmp(row->residual[k].name, name) != 0)
        k++;
    if (k == AUDIT_KINDS - 1) return;
    row->residual[k].name = name;
    row->residual[k].count += count;
}

/* Is a worse than b? */
static bool is_worse(const audit_problem *a, const audit_problem *b) {
    static const int rank[AUDIT_OUTCOMES] = {
        [AUDIT_HONEST] = 1, [AUDIT_FALSE] = 2, [AUDIT_NO_ANSWER] = 3};
    if (!b->class) return true;
    if (rank[a->outcome] != rank[b->outcome]) return rank[a->outcome] > rank[b->outcome];
    return a->residual > b->residual;
}

static void keep_worst(audit_report *report, audit_problem problem) {
    if (isnan(problem.residual)) problem.residual = INFINITY;
    for (int k = 0; k < AUDIT_WORST; k++)
        if (is_worse(&problem, &report->worst[k])) {
            const audit_problem other = report->worst[k];
            report->worst[k] = problem;
            problem = other;
            if (!problem.class) return;
        }
}

static void note_outcome(auditing *a, const audit_answer *answer) {
    static const audit_counted outcomes[AUDIT_OUTCOMES] = {
        [AUDIT_MODEST] = AUDIT_COUNT_MODEST,
        [AUDIT_HONEST] = AUDIT_COUNT_HONEST,
        [AUDIT_FALSE] = AUDIT_COUNT_FALSE,
        [AUDIT_UNSUPPORTED] = AUDIT_COUNT_UNTAKEN,
        [AUDIT_NOT_JUDGED] = AUDIT_COUNT_UNDECIDED};
    count(a, AUDIT_COUNT_PROBLEMS);
    if (answer->outcome == AUDIT_NO_ANSWER)
        count_unanswered(a, answer->said == IMP_TIMED_OUT ? AUDIT_COUNT_TIMED_OUT
                            : answer->said == IMP_CRASHED ? AUDIT_COUNT_CRASHED
                                                          : AUDIT_COUNT_BAD_ANSWER);
    else if (answer->outcome != AUDIT_RIGHT)
        count(a, outcomes[answer->outcome]);
    if (answer->outcome == AUDIT_NOT_JUDGED || !(answer->residual <= 1e-4)) return;
    count(a, AUDIT_COUNT_SOLVED_4);
    if (answer->residual <= 1e-8) count(a, AUDIT_COUNT_SOLVED_8);
    if (answer->residual <= 1e-12) count(a, AUDIT_COUNT_SOLVED_12);
}

static imp_status note_wrong(auditing *a, const imp_problem *problem, const audit_answer *answer) {
    if (a->wrongs == a->wrong_room) {
        const long room = 2 * a->wrong_room + 16;
        audit_wrong *more = realloc(a->wrong, (size_t)room * sizeof *more);
        if (!more) return IMP_NO_MEMORY;
        a->wrong = more;
        a->wrong_room = room;
    }
    audit_wrong *wrong = &a->wrong[a->wrongs++];
    wrong->row = (int)(a->row - a->report->row);
    count_residual(a->row, *answer->worst ? answer->worst : "overflow", 1);
    return audit_mend(&a->terms->solver, problem, a->p, answer, &wrong->mends);
}

static void count_fault(audit_row *row, audit_fault fault, double by) {
    row->fault[fault]++;
    if (fabs(by) > fabs(row->by[fault])) row->by[fault] = by;
}

/* Of all rows, once all answers are there. */
static imp_status count_faults(auditing *a) {
    const imp_status status = audit_diagnose(&a->terms->solver, a->wrong, a->wrongs);
    for (long i = 0; status == IMP_OK && i < a->wrongs; i++) {
        const audit_wrong *wrong = &a->wrong[i];
        const int rows[] = {wrong->row, a->report->rows - 1};
        for (int k = 0; k < 2; k++) {
            count_fault(&a->report->row[rows[k]], AUDIT_FALSELY, 0);
            count_fault(&a->report->row[rows[k]], wrong->found, wrong->mends.by[wrong->found]);
        }
    }
    return status;
}

/* Which solution it is, where there are several. */
static void note_solution(auditing *a, const imp_problem *problem) {
    imp_coulomb_set set;
    if (!a->terms->solver.model->law->several) return;
    const int given = audit_solution(problem, a->p, &set);
    if (given < 0 || set.count < 2) return;
    static const audit_counted kinds[] = {[IMP_ZERO] = AUDIT_COUNT_ZERO,
                                          [IMP_STICK] = AUDIT_COUNT_STICK,
                                          [IMP_SLIP] = AUDIT_COUNT_SLIP,
                                          [IMP_SEGMENT] = AUDIT_COUNT_SEGMENT};
    count(a, AUDIT_COUNT_SEVERAL);
    count(a, kinds[set.solution[given].kind]);
    if (given == 0) count(a, AUDIT_COUNT_MOST);
}

static imp_status note_ways(auditing *a, const imp_problem *problem, uint64_t number) {
    imp_status status = IMP_OK;
    gen_stream s = gen_seed(a->terms->seed, number);
    for (audit_way way = 0; status == IMP_OK && way < AUDIT_WAYS; way++) {
        audit_sameness same;
        status = audit_invariance(&a->terms->solver, problem, a->p, way, &s, &same);
        if (same == AUDIT_BROKEN) count(a, AUDIT_COUNT_UNITS + (audit_counted)way);
        if (same == AUDIT_ANOTHER) count(a, AUDIT_COUNT_ANOTHER);
        if (same == AUDIT_LOST) count(a, AUDIT_COUNT_LOST);
        if (same == AUDIT_UNANSWERED) count_unanswered(a, AUDIT_COUNT_UNANSWERED);
    }
    return status;
}

/* Asks once more for what was answered before; other bits count as `what`. */
static imp_status ask_again(auditing *a, const imp_problem *problem, const kept *before,
                            audit_counted what) {
    audit_answer answer = {0};
    const imp_status status = audit_ask(&a->terms->solver, problem, a->p, &answer);
    if (status != IMP_OK) return status;
    if (answer.outcome == AUDIT_NO_ANSWER)
        count_unanswered(a, AUDIT_COUNT_UNANSWERED);
    else if (hash_of(a->p, problem->nc, &answer) != before->hash)
        count(a, what);
    return IMP_OK;
}

static imp_status ask_first(auditing *a, const fresh_class *class, uint64_t number,
                            const imp_problem *problem) {
    audit_answer answer;
    kept *first = &a->first[number];
    imp_status status = audit_ask(&a->terms->solver, problem, a->p, &answer);
    if (status != IMP_OK) return status;
    const bool right = audit_is_right(&answer);
    first->hash = hash_of(a->p, problem->nc, &answer);
    first->again = right || answer.outcome == AUDIT_FALSE || answer.outcome == AUDIT_HONEST;
    note_outcome(a, &answer);
    if (answer.outcome != AUDIT_UNSUPPORTED && answer.outcome != AUDIT_NOT_JUDGED)
        keep_worst(a->report, (audit_problem){class, number, answer.outcome, answer.residual});
    if (answer.outcome == AUDIT_FALSE) status = note_wrong(a, problem, &answer);
    if (right) note_solution(a, problem);
    if (answer.outcome == AUDIT_RIGHT) status = note_ways(a, problem, number);
    return status == IMP_OK && first->again ? ask_again(a, problem, first, AUDIT_COUNT_REPEAT)
                                            : status;
}

/* Forwards each is asked, written anew and asked again; backwards it is asked a last time. */
static imp_status put(auditing *a, const fresh_class *class, uint64_t number, bool forwards) {
    fresh_problem made;
    if (!forwards && !a->first[number].again) return IMP_OK;
    imp_status status = fresh_make(class, a->terms->seed, number, &made);
    if (status == IMP_OK && !audit_room(made.problem.nc, &a->p, &a->room)) status = IMP_NO_MEMORY;
    if (status == IMP_OK)
        status = forwards ? ask_first(a, class, number, &made.problem)
                          : ask_again(a, &made.problem, &a->first[number], AUDIT_COUNT_SEQUENCE);
    fresh_clear(&made);
    return status;
}

static imp_status audit_class(auditing *a, const fresh_class *class, long all) {
    imp_status status = IMP_OK;
    for (long k = 0; status == IMP_OK && k < a->terms->count; k++) {
        if (a->terms->progress) a->terms->progress(a->terms->context, a->done, all);
        status = put(a, class, (uint64_t)k, true);
        a->done++;
    }
    for (long k = a->terms->count - 1; status == IMP_OK && k >= 0; k--)
        status = put(a, class, (uint64_t)k, false);
    return status;
}

static void add(audit_row *all, const audit_row *row) {
    for (int i = 0; i < AUDIT_COUNTS; i++)
        all->count[i] += row->count[i];
    for (int i = 0; row->residual[i].name; i++)
        count_residual(all, row->residual[i].name, row->residual[i].count);
    if (!*all->reason) memcpy(all->reason, row->reason, sizeof all->reason);
}

imp_status audit_run(const audit_terms *terms, audit_report *report) {
    int classes = 0;
    while (terms->classes[classes])
        classes++;
    *report = (audit_report){.rows = classes + 1,
                             .row = calloc((size_t)classes + 1, sizeof *report->row)};
    auditing a = {
        .terms = terms, .report = report, .first = calloc((size_t)terms->count, sizeof *a.first)};
    imp_status status = report->row && a.first ? IMP_OK : IMP_NO_MEMORY;
    for (int i = 0; status == IMP_OK && i < classes; i++) {
        a.row = &report->row[i];
        a.row->class = terms->classes[i]->name;
        a.row->least = terms->least;
        status = audit_class(&a, terms->classes[i], terms->count * classes);
        add(&report->row[classes], a.row);
    }
    if (status == IMP_OK) status = count_faults(&a);
    if (status == IMP_OK) {
        report->row[classes].class = "all";
        report->row[classes].least = terms->least;
    }
    free(a.first);
    free(a.p);
    free(a.wrong);
    if (status != IMP_OK) audit_clear(report);
    return status;
}

void audit_clear(audit_report *report) {
    free(report->row);
    *report = (audit_report){0};
}
