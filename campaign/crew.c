/* crew.c - a process for each lot; what it counts stands in memory that both see. */
#include "campaign/crew.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_INQUIRIES = 32, TICK = 20 /* ms */ };
static const double longest = 900; /* s; lots take some seconds: it hangs */

typedef struct place {
    pid_t process; /* 0: idle */
    int of;        /* inquiry */
    campaign_lot *lot;
    campaign_done done;
    double begun;
} place;

typedef struct crew {
    const campaign_terms *terms;
    FILE *log;
    int inquiries, busy;
    campaign_sums sums[MOST_INQUIRIES];
    long next[MOST_INQUIRIES], begun[MOST_INQUIRIES]; /* lot to look at; lots done or in work */
    double spent[MOST_INQUIRIES];                     /* s of processors, of this run */
    place *places;                                    /* (jobs) */
    double start;
} crew;

static double target(const crew *c, int i) {
    return c->terms->problems > 0 ? c->terms->problems : c->terms->inquiries[i]->goal;
}

/* Share of inquiry i that is done or in work. */
static double share(const crew *c, int i) {
    return (double)c->begun[i] * (double)c->terms->inquiries[i]->lot / target(c, i);
}

/* Of the inquiries that are short of their end the one that took the least time so far; -1: none
 * is. Lots in work count as a second each. */
static int next_inquiry(const crew *c) {
    int least = -1;
    for (int i = 0; i < c->inquiries; i++)
        if (share(c, i) < 1 && (least < 0 || c->spent[i] < c->spent[least])) least = i;
    return least;
}

static bool time_is_over(const crew *c) {
    return c->terms->hours > 0 && imp_seconds(CLOCK_MONOTONIC) - c->start > 3600 * c->terms->hours;
}

static void work(const campaign_terms *terms, place *at) {
    const campaign_inquiry *inquiry = at->done.inquiry;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    const uint64_t first = (terms->seed << 36) + (uint64_t)at->done.lot * (uint64_t)inquiry->lot;
    if (inquiry->pose) inquiry->pose(at->lot, first, inquiry->lot);
    for (uint64_t k = 0; inquiry->one && k < (uint64_t)inquiry->lot; k++)
        inquiry->one(at->lot, first + k);
    _exit(0);
}

static bool begin(crew *c, int i, place *at) {
    const campaign_inquiry *inquiry = c->terms->inquiries[i];
    const campaign_sums *sums = &c->sums[i];
    while (c->next[i] < sums->room && sums->is_done[c->next[i]])
        c->next[i]++;
    *at->lot = (campaign_lot){
        .inquiry = inquiry, .folder = c->terms->folder, .planted = c->terms->planted};
    at->of = i;
    at->done = (campaign_done){.inquiry = inquiry, .seed = c->terms->seed, .lot = c->next[i]++};
    at->begun = imp_seconds(CLOCK_MONOTONIC);
    fflush(NULL);
    at->process = fork();
    if (at->process == 0) work(c->terms, at);
    if (at->process < 0) {
        at->process = 0;
        fprintf(stderr, "campaign: no process for a lot: %s\n", strerror(errno));
        return false;
    }
    c->begun[i]++;
    c->spent[i] += 1;
    c->busy++;
    return true;
}

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* The lot of a process that has ended, with this status, and what it and those it waited for
 * used. */
static bool end(crew *c, place *at, int status, const struct rusage *used) {
    at->process = 0;
    c->busy--;
    at->done.processor = seconds_of(&used->ru_utime) + seconds_of(&used->ru_stime);
    c->spent[at->of] += at->done.processor - 1;
    at->done.seconds = imp_seconds(CLOCK_MONOTONIC) - at->begun;
    const bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    at->done.ended = whole ? "whole" : at->done.seconds > longest ? "hung" : "crashed";
    at->done.at = whole ? 0 : at->lot->at;
    if (!whole)
        fprintf(stderr, "campaign: %s, number %llu: %s\n", at->done.inquiry->name,
                (unsigned long long)at->done.at, at->done.ended);
    if (campaign_log(c->log, &at->done, at->lot)) return true;
    fprintf(stderr, "campaign: %s cannot be written: %s\n", c->terms->log, strerror(errno));
    return false;
}

/* Looks after the processes for a moment. */
static bool look(crew *c, const volatile int *stop) {
    for (int k = 0; k < c->terms->jobs; k++) {
        place *at = &c->places[k];
        int status;
        struct rusage used;
        if (at->process == 0) continue;
        if (imp_seconds(CLOCK_MONOTONIC) - at->begun > longest) kill(at->process, SIGKILL);
        if (wait4(at->process, &status, WNOHANG, &used) != at->process) continue;
        if (*stop)
            at->process = 0; /* by the same signal */
        else if (!end(c, at, status, &used))
            return false;
    }
    usleep(1000 * TICK);
    return true;
}

static void progress(const crew *c) {
    double least = 1;
    for (int i = 0; i < c->inquiries; i++)
        least = share(c, i) < least ? share(c, i) : least;
    const double minutes = (imp_seconds(CLOCK_MONOTONIC) - c->start) / 60;
    fprintf(stderr, "\rcampaign: %.1f min, each inquiry at least %.3g %% of its goal ", minutes,
            100 * least);
}

static bool do_lots(crew *c, const volatile int *stop) {
    const bool terminal = isatty(STDERR_FILENO);
    bool good = true;
    while (good && !*stop) {
        const int i = time_is_over(c) ? -1 : next_inquiry(c);
        place *idle = NULL;
        for (int k = 0; k < c->terms->jobs && !idle; k++)
            if (c->places[k].process == 0) idle = &c->places[k];
        if (i < 0 && c->busy == 0) break;
        if (i >= 0 && idle)
            good = begin(c, i, idle);
        else
            good = look(c, stop);
        if (terminal) progress(c);
    }
    if (terminal) fputs("\r\033[K", stderr);
    for (int k = 0; k < c->terms->jobs; k++)
        if (c->places[k].process > 0) {
            kill(c->places[k].process, SIGKILL);
            waitpid(c->places[k].process, NULL, 0);
        }
    return good;
}

static bool read_log(crew *c) {
    long others = 0;
    for (int i = 0; c->terms->inquiries[i]; i++, c->inquiries++) {
        long line;
        int rows = 0;
        while (c->terms->inquiries[i]->row(rows))
            rows++;
        if (rows > CAMPAIGN_ROWS) {
            fprintf(stderr, "campaign: %s has %d rows, room is for %d\n",
                    c->terms->inquiries[i]->name, rows, CAMPAIGN_ROWS);
            return false;
        }
        const imp_status status = campaign_read(c->terms->log, c->terms->inquiries[i],
                                                c->terms->seed, &c->sums[i], &line);
        if (status != IMP_OK) {
            campaign_refuse_log(c->terms->log, line, status);
            return false;
        }
        for (long k = 0; k < c->sums[i].room; k++)
            c->begun[i] += c->sums[i].is_done[k];
        others += c->sums[i].others;
    }
    if (others > 0)
        fprintf(stderr, "campaign: %ld lines of %s are of other code and are left aside\n", others,
                c->terms->log);
    return true;
}

/* The log, to append to; what a killed writer left of a line is cut off. */
static FILE *open_log(const char *path) {
    FILE *log = fopen(path, "a+");
    if (!log) {
        fprintf(stderr, "campaign: %s cannot be written: %s\n", path, strerror(errno));
        return NULL;
    }
    fseek(log, 0, SEEK_END);
    long keep = ftell(log);
    while (keep > 0 && fseek(log, keep - 1, SEEK_SET) == 0 && getc(log) != '\n')
        keep--;
    if (ftruncate(fileno(log), keep) != 0) {
        fprintf(stderr, "campaign: %s cannot be cut: %s\n", path, strerror(errno));
        fclose(log);
        return NULL;
    }
    fseek(log, 0, SEEK_END);
    return log;
}

bool campaign_run(const campaign_terms *terms, const volatile int *stop) {
    crew c = {.terms = terms, .start = imp_seconds(CLOCK_MONOTONIC)};
    const size_t jobs = (size_t)terms->jobs;
    campaign_lot *lots =
        mmap(NULL, jobs * sizeof *lots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    c.places = calloc(jobs, sizeof *c.places);
    bool good = lots != MAP_FAILED && c.places;
    if (!good) fputs("campaign: no memory\n", stderr);
    for (size_t k = 0; good && k < jobs; k++)
        c.places[k].lot = &lots[k];
    good = good && read_log(&c) && (c.log = open_log(terms->log));
    good = good && do_lots(&c, stop);
    if (c.log) fclose(c.log);
    for (int i = 0; i < c.inquiries; i++)
        campaign_sums_clear(&c.sums[i]);
    free(c.places);
    if (lots != MAP_FAILED) munmap(lots, jobs * sizeof *lots);
    return good;
}
