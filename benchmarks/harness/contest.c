/* contest.c - contestants in processes of their own. */
#include "benchmarks/harness/contest.h"
#include "base/worse.h"

#include "base/clock.h"
#include "blocks/blocks.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int contest_all(contestant list[CONTEST_MOST]) {
    int count = 0;
    for (const imp_model *const *m = imp_models; *m && count < CONTEST_MOST; m++)
        if ((*m)->takes & IMP_TAKES_MANY)
            list[count++] = (contestant){.name = (*m)->name, .model = *m};
    for (const siconos_solver *s = siconos_solvers; s->name && count < CONTEST_MOST; s++)
        list[count++] = (contestant){.name = s->name, .peer = s};
    return count;
}

/* Time per solve: the mean CPU time once enough of it has passed for its coarse clock, or the least
 * wall time, which is what short solves on a busy machine need; the smaller of the two. */
typedef struct stopwatch {
    double cpu_start, wall_start, cpu, least;
    int laps;
} stopwatch;

static void start(stopwatch *w) {
    w->cpu_start = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
    w->wall_start = imp_seconds(CLOCK_MONOTONIC);
}

static double lap(stopwatch *w) {
    const double wall = imp_seconds(CLOCK_MONOTONIC) - w->wall_start;
    w->cpu += imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - w->cpu_start;
    w->least = w->laps++ == 0 ? wall : fmin(w->least, wall);
    return w->cpu >= 0.05 ? fmin(w->least, w->cpu / w->laps) : w->least;
}

/* CPU seconds worth spending on repeats: the first solve of a new process waits for its memory, and
 * not by a solver's doing. */
static double worth(double limit) {
    return fmin(0.06, 0.1 * limit);
}

static bool again(const stopwatch *w, double limit) {
    return w->laps == 0 || (w->cpu < worth(limit) && w->laps < 3000);
}

/* What the child leaves for its parent. */
typedef struct board {
    int done; /* 1: one solve is complete */
    int verdict;
    double seconds;
    int iterations;
    double p[]; /* (3nc) */
} board;

static volatile int time_is_up; /* as sig_atomic_t is here */

static struct timeval time_of(double seconds) {
    return (struct timeval){(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))};
}

/* From now on the process has so much CPU time until SIGPROF comes, then so much until it comes
 * again (0: never). */
static void allow(double seconds, double grace) {
    const struct itimerval timer = {.it_interval = time_of(grace), .it_value = time_of(seconds)};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void note_time(int number) {
    (void)number;
    time_is_up = 1;
}

/* The first signal says that time is up, the second ends the process: an iteration stops with its
 * best answer, what does not is ended a little later. Sweeps, which count nothing but work, go on
 * until then. */
static void limit_time(const imp_model *model, imp_settings *settings, double limit) {
    const struct sigaction once = {.sa_handler = note_time, .sa_flags = SA_RESETHAND | SA_RESTART};
    (void)imp_model_set(model, settings, "max_sweeps", INFINITY);
    sigaction(SIGPROF, &once, NULL);
    allow(limit, 0.2 * limit);
}

static void solve_model(const imp_problem *problem, const contestant *who, double tolerance,
                        double limit, board *b) {
    imp_settings settings;
    imp_model_presets(who->model, &settings);
    (void)imp_model_set(who->model, &settings, "tolerance", tolerance);
    const size_t n = 3 * (size_t)problem->nc,
                 size = who->model->workspace ? who->model->workspace(problem, &settings) : 0;
    void *work = size ? malloc(size) : NULL;
    double *p = malloc(n * sizeof *p);
    stopwatch watch = {0};
    if (!p || (size && !work)) _exit(3);
    limit_time(who->model, &settings, limit);
    while (again(&watch, limit)) {
        imp_info info = {.cancel = &time_is_up};
        start(&watch);
        const imp_status status = who->model->solve(problem, &settings, p, work, &info);
        b->seconds = lap(&watch);
        b->verdict = status;
        b->iterations = info.iterations;
        if (status >= 0) memcpy(b->p, p, n * sizeof *p);
        b->done = 1;
    }
}

static void solve_peer(const imp_problem *problem, const contestant *who, double tolerance,
                       double limit, board *b) {
    const size_t n = 3 * (size_t)problem->nc;
    struct FrictionContactProblem *prepared = siconos_prepare(problem, who->peer);
    double *r = malloc(2 * n * sizeof *r);
    stopwatch watch = {0};
    if (!r || !prepared) _exit(3);
    allow(1.2 * limit, 0);
    while (again(&watch, limit)) {
        start(&watch);
        const int verdict = siconos_solve(prepared, who->peer, tolerance, 10000000, r, r + n);
        b->seconds = lap(&watch);
        b->verdict = verdict == 0 ? IMP_OK : IMP_NOT_CONVERGED;
        memcpy(b->p, r, n * sizeof *r);
        b->done = 1;
    }
}

/* Which has a process of its own already, though perhaps one that starts at the first question:
 * what does not take long is asked again. */
static void solve_outside(const imp_problem *problem, const contestant *who, double limit,
                          board *b) {
    imp_settings settings;
    const size_t n = 3 * (size_t)problem->nc;
    double *p = malloc(n * sizeof *p), spent = 0;
    int laps = 0;
    imp_model_presets(who->model, &settings);
    if (!p) return;
    do {
        imp_info info = {0};
        const double began = imp_seconds(CLOCK_MONOTONIC);
        const imp_status status = who->model->solve(problem, &settings, p, NULL, &info);
        const double seconds = imp_seconds(CLOCK_MONOTONIC) - began;
        spent += seconds;
        b->seconds = laps++ == 0 ? seconds : fmin(b->seconds, seconds);
        b->verdict = status;
        b->iterations = info.iterations;
        if (status >= 0) memcpy(b->p, p, n * sizeof *p);
        b->done = 1;
    } while (b->verdict == IMP_OK && laps < 3000 &&
             (spent < worth(limit) || (laps == 1 && spent < limit / 10)));
    free(p);
}

/* Runs in the child, which ends here. */
__attribute__((noreturn)) static void play(const imp_problem *problem, const contestant *who,
                                           double tolerance, double limit, board *b) {
    const rlim_t seconds = (rlim_t)ceil(1.3 * limit) + 10; /* 10: to set up W */
    const struct rlimit cpu = {seconds, seconds + 1}, no_core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &no_core);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    if (who->model)
        solve_model(problem, who, tolerance, limit, b);
    else
        solve_peer(problem, who, tolerance, limit, b);
    _exit(0);
}

/* Errors of the impulses that were left, and whether they are good enough. What its own model does
 * not call an answer is not certified: a process is judged by doing it again, which nothing
 * limits. */
static void judge(const imp_problem *problem, const contestant *who, double tolerance,
                  const board *b, contest_result *result) {
    imp_certificate certificate;
    for (int i = 0; i < 3 * problem->nc; i++)
        if (!isfinite(b->p[i])) return;
    imp_natural_error(problem, b->p, &result->field, &result->scale_free);
    if (who->model && b->verdict == IMP_OK &&
        imp_certify(problem, who->model->law, NULL, b->p, NULL, &certificate) == IMP_OK &&
        !certificate.unjudged)
        result->residual = certificate.worst;
    /* Coulomb's law alone leaves several answers */
    const bool coulomb = who->model && who->model->law->several;
    if (who->peer)
        result->solved = result->field <= 2 * tolerance;
    else if (coulomb)
        result->solved = imp_worse(result->field, result->scale_free) <= 1.001 * tolerance;
    else
        result->solved = result->residual <= tolerance;
}

/* Plays in a child; returns how that ended. */
static int play_apart(const imp_problem *problem, const contestant *who, double tolerance,
                      double limit, board *b) {
    int how = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) play(problem, who, tolerance, limit, b);
    if (child > 0) waitpid(child, &how, 0);
    return how;
}

/* The statuses of what gave no answer, in the words of a contest. */
static const char *word_of(imp_status verdict) {
    return verdict == IMP_CRASHED     ? "crash"
           : verdict == IMP_TIMED_OUT ? "time"
                                      : imp_status_text(verdict);
}

contest_result contest_run(const imp_problem *problem, const contestant *who, double tolerance,
                           double limit) {
    contest_result result = {.status = "crash",
                             .field = NAN,
                             .scale_free = NAN,
                             .residual = NAN,
                             .milliseconds = NAN,
                             .outside = who->outside};
    const size_t size = sizeof(board) + 3 * (size_t)problem->nc * sizeof(double);
    if (who->model && imp_model_takes(who->model, problem) != IMP_OK) {
        snprintf(result.status, sizeof result.status, "%s", imp_status_text(IMP_UNSUPPORTED));
        return result;
    }
    board *b = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED) return result;
    int how = 0;
    if (who->model && who->outside)
        solve_outside(problem, who, limit, b);
    else
        how = play_apart(problem, who, tolerance, limit, b);
    if (b->done) {
        snprintf(result.status, sizeof result.status, "%s", word_of((imp_status)b->verdict));
        result.milliseconds = 1e3 * b->seconds;
        result.iterations = b->iterations;
        if (b->verdict >= 0) judge(problem, who, tolerance, b, &result);
    } else if (WIFSIGNALED(how) &&
               (WTERMSIG(how) == SIGPROF || WTERMSIG(how) == SIGXCPU || WTERMSIG(how) == SIGKILL))
        snprintf(result.status, sizeof result.status, "time");
    munmap(b, size);
    return result;
}
