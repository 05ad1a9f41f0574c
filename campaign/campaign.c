/* campaign.c - problems by the million against what their answers must be; goes on from its log.
 *
 *     campaign [--hours H | --problems N] [--seed S] [--jobs J] [--log FILE] [--found FOLDER]
 *              [--plant] [INQUIRY ...]
 *     campaign --list | --rows | --table [--log FILE] [INQUIRY ...]
 *     campaign --compact [--log FILE]
 *
 * Exit 0: no fault in the log; 1: some, each with the number and the file of its problem on
 * standard error; 2: bad use, or the log cannot be read or written. */
#include "campaign/crew.h"

#include "io/number.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int stop;

static void interrupted(int signal_number) {
    stop = signal_number;
}

typedef enum task { RUN, LIST, ROWS, TABLE, COMPACT } task;

typedef struct asked {
    campaign_terms terms;
    task task;
    double hours, problems, seed, jobs;
} asked;

static const char usage[] =
    "usage: campaign [--hours H | --problems N] [--seed S] [--jobs J] [--log FILE] [--found "
    "FOLDER]\n"
    "                [--plant] [INQUIRY ...]\n"
    "       campaign --list | --rows | --table [--log FILE] [INQUIRY ...]\n"
    "       campaign --compact [--log FILE]\n\n"
    "Poses problems by the million and holds each answer against what it must be. Each lot of "
    "them\n"
    "runs in a process of its own and leaves a line in the log, from which a campaign that was\n"
    "ended goes on. Without --hours and --problems each inquiry goes to its goal.\n\n"
    "  --hours H       no lot begins after H hours\n"
    "  --problems N    of each inquiry, rounded up to lots\n"
    "  --seed S        which problems (0)\n"
    "  --jobs J        processes (the processors that are online)\n"
    "  --log FILE      (campaign.tsv)\n"
    "  --found FOLDER  where problems with faults are kept, for impact solve (beside the log)\n"
    "  --plant         spoils some answers: every inquiry must find faults\n"
    "  --list          the inquiries\n"
    "  --rows          what the log says of each, by classes and models\n"
    "  --table         the same in a line each, as docs/trust.md has it\n"
    "  --compact       the log with all lots of a seed in one line, from which campaigns go on, "
    "too\n\n"
    "A log may hold lots by several versions of what an inquiry runs: those of this one count.\n";

static int refuse(const char *what, const char *word) {
    fprintf(stderr, "campaign: %s%s%s (campaign --help)\n", what, word ? " " : "",
            word ? word : "");
    return 2;
}

static int list(void) {
    for (const campaign_inquiry *const *i = campaign_inquiries; *i; i++)
        printf("%-12s %-9.3g %s\n", (*i)->name, (*i)->goal, (*i)->about);
    return 0;
}

static const campaign_inquiry *find(const char *name) {
    for (const campaign_inquiry *const *i = campaign_inquiries; *i; i++)
        if (strcmp((*i)->name, name) == 0) return *i;
    return NULL;
}

/* Prints what the log holds. 0, 1 (faults), 2 (no such log). */
static int report(const asked *a) {
    long faults = 0, others = 0;
    if (a->task == TABLE) fputs(campaign_head, stdout);
    for (const campaign_inquiry *const *i = a->terms.inquiries; *i; i++) {
        campaign_sums sums;
        long line;
        if (campaign_read(a->terms.log, *i, a->terms.seed, &sums, &line) != IMP_OK)
            return refuse("cannot read", a->terms.log);
        if (sums.lots > 0) (a->task == TABLE ? campaign_line : campaign_print)(stdout, *i, &sums);
        faults += campaign_faults(&sums);
        others += sums.others;
        campaign_sums_clear(&sums);
    }
    if (a->task == TABLE) {
        if (others)
            puts("\n| inquiry | before its code changed | problems | faults | core-hours |\n"
                 "|---|---|---|---|---|");
        if (others && !campaign_other_code(stdout, a->terms.log, true))
            return refuse("cannot read", a->terms.log);
    } else
        printf("%s: %ld faults\n", faults ? "FAIL" : "pass", faults);
    return faults > 0;
}

static int compact(const asked *a) {
    long line;
    const imp_status status = campaign_compact(stdout, a->terms.log, &line);
    if (status != IMP_OK) return campaign_refuse_log(a->terms.log, line, status), 2;
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : refuse("cannot write", "the log");
}

static int run(const asked *a) {
    if (a->terms.folder && mkdir(a->terms.folder, 0777) != 0 && errno != EEXIST)
        return refuse("cannot make", a->terms.folder);
    const struct sigaction on = {.sa_handler = interrupted};
    sigaction(SIGINT, &on, NULL);
    sigaction(SIGTERM, &on, NULL);
    if (!campaign_run(&a->terms, &stop)) return 2;
    if (stop) {
        fprintf(stderr, "campaign: ended; the same command goes on from %s\n", a->terms.log);
        return 2;
    }
    return report(a);
}

/* *x <- a number of an option, whole where `whole`. */
static bool number(const char *text, double low, double high, bool whole, double *x) {
    return !imp_number_parse(text, x) && *x >= low && *x <= high && (!whole || *x == floor(*x));
}

enum { HOURS = 1, PROBLEMS, SEED, JOBS, LOG, FOUND };

static bool take(int option, const char *value, asked *a) {
    switch (option) {
    case HOURS: return number(value, 1e-6, 1e5, false, &a->terms.hours);
    case PROBLEMS: return number(value, 1, 1e12, true, &a->terms.problems);
    case SEED: return number(value, 0, 1e7, true, &a->seed);
    case JOBS: return number(value, 1, 1024, true, &a->jobs);
    case LOG: a->terms.log = value; return true;
    case FOUND: a->terms.folder = value; return true;
    default: return true;
    }
}

int main(int argc, char **argv) {
    asked a = {.terms.log = "campaign.tsv", .jobs = (double)sysconf(_SC_NPROCESSORS_ONLN)};
    int todo = RUN, plant = 0, help = 0, at = 0;
    const struct option options[] = {{"hours", 1, NULL, HOURS},
                                     {"problems", 1, NULL, PROBLEMS},
                                     {"seed", 1, NULL, SEED},
                                     {"jobs", 1, NULL, JOBS},
                                     {"log", 1, NULL, LOG},
                                     {"found", 1, NULL, FOUND},
                                     {"plant", 0, &plant, 1},
                                     {"list", 0, &todo, LIST},
                                     {"rows", 0, &todo, ROWS},
                                     {"table", 0, &todo, TABLE},
                                     {"compact", 0, &todo, COMPACT},
                                     {"help", 0, &help, 1},
                                     {0}};
    const campaign_inquiry *chosen[32] = {NULL};
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, &at)) != -1;)
        if (o == '?' || !take(o, optarg, &a))
            return refuse("bad option or value", o == '?' ? argv[optind - 1] : options[at].name);
    for (int k = 0; optind < argc; optind++) {
        if (k == 31 || !(chosen[k++] = find(argv[optind])))
            return refuse("no inquiry is called", argv[optind]);
    }
    if (help) return fputs(usage, stdout) < 0;
    if (todo == LIST) return list();
    a.terms.inquiries = chosen[0] ? chosen : campaign_inquiries;
    a.terms.seed = (uint64_t)a.seed;
    a.terms.jobs = (int)a.jobs;
    a.terms.planted = plant;
    a.task = (enum task)todo;
    if (todo != RUN && access(a.terms.log, R_OK) != 0) return refuse("cannot read", a.terms.log);
    if (todo == COMPACT)
        return chosen[0] ? refuse("--compact takes no", chosen[0]->name) : compact(&a);
    return todo == RUN ? run(&a) : report(&a);
}
