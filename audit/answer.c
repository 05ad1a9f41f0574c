/* answer.c - asking a solver, and its word against its residual. */
#include "audit/answer.h"
#include "base/clock.h"
#include "base/finite.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

const char *audit_outcome_text(audit_outcome outcome) {
    static const char *const text[AUDIT_OUTCOMES] = {
        "right", "modest", "honest", "false", "no-answer", "unsupported", "not-judged"};
    return text[outcome];
}

bool audit_is_right(const audit_answer *answer) {
    return answer->outcome == AUDIT_RIGHT || answer->outcome == AUDIT_MODEST;
}

bool audit_room(int nc, double **p, int *room) {
    if (*p && nc <= *room) return true;
    free(*p);
    *p = malloc(3 * (size_t)nc * sizeof **p);
    *room = *p ? nc : 0;
    return *p != NULL;
}

static volatile int late; /* what a model of the library is ended by */

static void on_alarm(int signal_number) {
    (void)signal_number;
    late = 1;
}

/* From now on, until `seconds` 0. */
static void alarm_in(double seconds) {
    const double whole = floor(seconds);
    const struct itimerval timer = {
        .it_value = {(time_t)whole, (suseconds_t)(1e6 * (seconds - whole))}};
    if (seconds > 0) late = 0;
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

/* By imp_solve, which holds the answer against the path that was recorded. What comes too late is
 * no answer, as of a solver outside, whether or not it heeded the clock. */
static imp_status solve_ours(const audit_solver *s, const imp_problem *problem, double *p,
                             imp_certificate *certificate, bool *judged, double *seconds) {
    enum { LONGEST = 1000000 }; /* s */
    const struct sigaction ends = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct sigaction before;
    const bool limited = s->seconds > 0 && s->seconds < LONGEST;
    if (limited) {
        (void)sigaction(SIGALRM, &ends, &before);
        alarm_in(fmax(s->seconds, 1e-6));
    }
    const double began = imp_seconds(CLOCK_MONOTONIC);
    const imp_status status = imp_solve_until(limited ? &late : NULL, s->model, problem,
                                              &s->settings, p, NULL, certificate, NULL);
    *seconds = imp_seconds(CLOCK_MONOTONIC) - began;
    if (limited) {
        alarm_in(0);
        (void)sigaction(SIGALRM, &before, NULL);
    }
    *judged = certificate->count > 0;
    return limited && late && status != IMP_NO_MEMORY ? IMP_TIMED_OUT : status;
}

/* By the process that it is. */
static imp_status solve_outside(const audit_solver *s, const imp_problem *problem, double *p,
                                imp_certificate *certificate, bool *judged, double *seconds) {
    imp_info info = {0};
    imp_status status = imp_model_takes(s->model, problem);
    const double began = imp_seconds(CLOCK_MONOTONIC);
    if (status == IMP_OK) status = s->model->solve(problem, &s->settings, p, NULL, &info);
    *seconds = imp_seconds(CLOCK_MONOTONIC) - began;
    if (status < 0 || !imp_all_finite(p, 3 * (size_t)problem->nc)) return status;
    const imp_status found =
        imp_certify(problem, s->model->law, &s->settings, p, NULL, certificate);
    *judged = true;
    if (found == IMP_NOT_FINITE) *certificate = (imp_certificate){.worst = INFINITY};
    if (found != IMP_OK && found != IMP_NOT_FINITE) certificate->unjudged = imp_status_text(found);
    return found == IMP_NO_MEMORY ? found : status;
}

static audit_outcome outcome_of(imp_status said, bool judged, const imp_certificate *certificate,
                                double tolerance) {
    const bool fails =
        said == IMP_CRASHED || said == IMP_TIMED_OUT || said == IMP_BAD_ANSWER || said == IMP_IO;
    if (fails) return AUDIT_NO_ANSWER;
    if (!judged) return said == IMP_OK ? AUDIT_NO_ANSWER : AUDIT_HONEST;
    if (certificate->worst <= tolerance) {
        if (certificate->unjudged) return AUDIT_NOT_JUDGED;
        return said == IMP_OK ? AUDIT_RIGHT : AUDIT_MODEST;
    }
    return said == IMP_OK ? AUDIT_FALSE : AUDIT_HONEST;
}

/* One outside has no say in that: what its law takes, and it does not, it has failed at. */
static bool is_untaken(const audit_solver *solver, const imp_problem *problem, imp_status said) {
    return said == IMP_UNSUPPORTED &&
           !(solver->outside && imp_model_takes(solver->model, problem) == IMP_OK);
}

imp_status audit_ask(const audit_solver *solver, const imp_problem *problem, double *p,
                     audit_answer *answer) {
    imp_certificate certificate = {0};
    bool judged = false;
    double seconds = 0;
    memset(p, 0, 3 * (size_t)problem->nc * sizeof *p);
    const imp_status said = (solver->outside ? solve_outside : solve_ours)(
        solver, problem, p, &certificate, &judged, &seconds);
    *answer =
        (audit_answer){.said = said,
                       .outcome = is_untaken(solver, problem, said)
                                      ? AUDIT_UNSUPPORTED
                                      : outcome_of(said, judged, &certificate, solver->tolerance),
                       .residual = judged ? certificate.worst : NAN,
                       .worst = judged ? audit_worst(&certificate) : "",
                       .seconds = seconds};
    if (!judged) memset(p, 0, 3 * (size_t)problem->nc * sizeof *p);
    return said == IMP_NO_MEMORY ? IMP_NO_MEMORY : IMP_OK;
}

double audit_residual(const audit_solver *solver, const imp_problem *problem, const double *p) {
    imp_certificate certificate;
    const imp_status status =
        imp_certify(problem, solver->model->law, &solver->settings, p, NULL, &certificate);
    return status == IMP_OK && !certificate.unjudged ? certificate.worst : INFINITY;
}

const char *audit_worst(const imp_certificate *certificate) {
    int worst = 0;
    for (int i = 1; i < certificate->count; i++)
        if (certificate->residual[i].value > certificate->residual[worst].value) worst = i;
    return certificate->count > 0 ? certificate->residual[worst].name : "";
}
