/* faults.c - commands in which an allocation fails, a call on a file fails, or that are killed:
 * each one in turn. What a command does then is judged by what it says and leaves; it must go on
 * from there to the bytes of a run in which nothing went wrong. */
#include "campaign/campaign.h"
#include "campaign/commands.h"

#include "benchmarks/harness/instrumented.h"

#include "impact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const campaign_column columns[] = {{"problems", false},
                                          {"faults", false},
                                          {"refused", false}, /* said to have failed */
                                          {"went on", false}, /* to the same bytes */
                                          {NULL, false}};
static const campaign_column columns_of_memory[] = {{"problems", false},
                                                    {"faults", false},
                                                    {"refused", false},
                                                    {"for leaks", false}, /* looked for, too */
                                                    {NULL, false}};
enum { REFUSED = CAMPAIGN_OWN, WENT_ON, FOR_LEAKS = WENT_ON };

/* Groups of commands, in their order. */
static const char *row(int k) {
    const char *last = NULL;
    for (const command *c = commands; c->line; c++) {
        if (last && strcmp(c->group, last) == 0) continue;
        last = c->group;
        if (k-- == 0) return last;
    }
    return NULL;
}

static int row_of(const command *of) {
    for (int k = 0; row(k); k++)
        if (strcmp(row(k), of->group) == 0) return k;
    return 0;
}

/* A command with a model: they are counted through. */
typedef struct scenario {
    const command *command;
    const imp_model *model;
} scenario;

enum { MOST_SCENARIOS = 128, BLOCK = 8, SEED = 36 }; /* bits of a number below its seed */

/* What can go wrong at each call: of these kinds, in one of these ways. */
typedef struct way {
    traced_act act;
    int error;
} way;

typedef struct trouble {
    unsigned kinds; /* 0: allocations */
    const way *ways;
    int count;
} trouble;

static const way alone_or_on[] = {{TRACED_FAIL, 0}, {TRACED_FAIL, 1}};
static const way errors[] = {
    {TRACED_FAIL, EIO}, {TRACED_FAIL, ENOSPC}, {TRACED_FAIL, EINTR}, {TRACED_SHORT, 0}};
static const way kills[] = {{TRACED_KILL_BEFORE, 0}, {TRACED_KILL_AFTER, 0}};
static const trouble no_memory = {0, alone_or_on, 2}, bad_files = {TRACED_ALL, errors, 4},
                     killed = {TRACED_ALL, kills, 2};

static int list_scenarios(scenario list[MOST_SCENARIOS]) {
    int n = 0;
    for (const command *c = commands; c->line; c++) {
        for (const imp_model *const *m = imp_models; *m && n < MOST_SCENARIOS; m++) {
            if (c->models == COMMAND_SEVERAL && !((*m)->takes & IMP_TAKES_MANY)) continue;
            list[n++] = (scenario){c, *m};
            if (c->models == COMMAND_ITS_OWN) break;
        }
    }
    return n;
}

static const char no_leaks[] =
    "ASAN_OPTIONS=detect_leaks=0"; /* cannot be looked for under ptrace */

/* How often the command can be hit. */
static long count_calls(command_run *run, const trouble *t) {
    char count[280], preload[720], path[240];
    snprintf(path, sizeof path, "%s/count", run->home->path);
    snprintf(count, sizeof count, "FAILING_COUNT=%s", path);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", run->home->preload);
    const char *const memory[] = {"OMP_NUM_THREADS=1", COMMAND_LEAKS, preload, count, NULL},
                      *const files[] = {"OMP_NUM_THREADS=1", no_leaks, NULL};
    traced with = {.set = t->kinds ? files : memory, .kinds = t->kinds};
    if (!command_do(run, false, &with)) return -1;
    if (t->kinds) return with.calls;
    char text[32] = "-1";
    FILE *from = fopen(path, "r");
    if (!from) return -1;
    const bool good = fgets(text, sizeof text, from) != NULL;
    fclose(from);
    return good ? strtol(text, NULL, 10) : -1;
}

/* The command with its `at`th call hit in one way; what is wrong then. */
static const char *hit(command_run *run, const trouble *t, long at, const way *w, bool spoil,
                       traced *with) {
    static char preload[720], which[40];
    const char *const memory[] = {"OMP_NUM_THREADS=1", COMMAND_LEAKS, preload, which, NULL},
                      *const files[] = {"OMP_NUM_THREADS=1", no_leaks, NULL};
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", run->home->preload);
    snprintf(which, sizeof which, "FAILING=%ld%s", at, w->error ? "+" : "");
    *with = (traced){.kinds = t->kinds, .act = w->act, .at = at, .error = w->error};
    with->set = t->kinds ? files : memory;
    if (!command_do(run, false, with)) return "it cannot be run";
    if (spoil) command_spoil(run);
    return command_judge(run, with, !t->kinds);
}

static const char *go_on(command_run *run) {
    traced with = {.set = (const char *const[]){"OMP_NUM_THREADS=1", NULL}};
    return command_do(run, true, &with) ? command_judge_again(run, &with) : "it cannot be run";
}

static void one(campaign_lot *lot, const trouble *t, command_run *run, uint64_t number,
                long place) {
    const way *w = &t->ways[place % t->count];
    const int k = row_of(run->command);
    traced with;
    campaign_begin(lot, k, number);
    const char *wrong = hit(run, t, place / t->count, w, lot->planted, &with);
    const bool refused = with.status != run->status;
    campaign_count(lot, k, REFUSED, refused);
    if (!t->kinds) campaign_count(lot, k, FOR_LEAKS, run->home->finds_leaks);
    if (!wrong && refused && t->kinds) {
        wrong = go_on(run);
        campaign_count(lot, k, WENT_ON, !wrong);
    }
    char what[700];
    if (!wrong) return;
    snprintf(what, sizeof what, "call %ld of `impact %.200s` (%s): %s", place / t->count,
             run->command->line, run->model, wrong);
    campaign_fault(lot, k, NULL, NULL, what);
}

/* Problems of one scenario, from `number`, whose calls and ways are gone through from `turn` in an
 * order that jumps about, so that a few problems are spread over all of them. */
static void pose_block(campaign_lot *lot, const trouble *t, const command_home *home,
                       const scenario *of, uint64_t number, long count, uint64_t turn) {
    static command_run run;
    const char *why;
    if (!command_open(&run, home, of->command, of->model->name, &why)) {
        campaign_begin(lot, row_of(of->command), number);
        campaign_fault(lot, row_of(of->command), NULL, NULL, why);
        return;
    }
    const long calls = count_calls(&run, t), places = calls * t->count;
    if (calls < 1) campaign_fault(lot, row_of(run.command), NULL, NULL, "nothing is counted");
    for (long k = 0; k < count && (long)turn + k < places; k++)
        one(lot, t, &run, number + (uint64_t)k,
            (long)((turn + (uint64_t)k + (number >> SEED)) * 1000003 % (uint64_t)places));
    command_close(&run);
}

/* Problem n: of block n / BLOCK; blocks go through the scenarios, each seed from another one. */
static void pose(campaign_lot *lot, uint64_t first, long count, const trouble *t) {
    static scenario list[MOST_SCENARIOS];
    const uint64_t n = (uint64_t)list_scenarios(list);
    command_home home = {0};
    const char *why;
    if (n == 0 || (t->kinds && !traced_possible())) return;
    if (!command_home_make(&home, &why)) {
        campaign_fault(lot, 0, NULL, NULL, why);
        return;
    }
    for (uint64_t done = 0, many; done < (uint64_t)count; done += many) {
        const uint64_t number = first + done, own = number & (((uint64_t)1 << SEED) - 1),
                       block = own / BLOCK, seed = number >> SEED;
        many = BLOCK - own % BLOCK;
        if (many > (uint64_t)count - done) many = (uint64_t)count - done;
        pose_block(lot, t, &home, &list[(block + 7 * seed) % n], number, (long)many,
                   block / n * BLOCK + own % BLOCK);
    }
    command_home_clear(&home);
}

/* Sanitisers have an allocator of their own, and counts of lines are written with that which
 * fails: nothing is posed. */
static void pose_memory(campaign_lot *lot, uint64_t first, long count) {
    if (!INSTRUMENTED) pose(lot, first, count, &no_memory);
}

static void pose_files(campaign_lot *lot, uint64_t first, long count) {
    pose(lot, first, count, &bad_files);
}

static void pose_kills(campaign_lot *lot, uint64_t first, long count) {
    pose(lot, first, count, &killed);
}

const campaign_inquiry campaign_memory = {
    .name = "memory",
    .about = "each allocation of commands of `impact` fails, alone and with all after it",
    .row = row,
    .columns = columns_of_memory,
    .lot = 16,
    .goal = 2e6,
    .pose = pose_memory};
const campaign_inquiry campaign_files = {
    .name = "files",
    .about = "each open, read, write, fsync, rename and close of commands fails or falls short",
    .row = row,
    .columns = columns,
    .lot = 16,
    .goal = 2e5,
    .pose = pose_files};
const campaign_inquiry campaign_kills = {
    .name = "kills",
    .about = "commands killed before and after each of those calls go on to the same bytes",
    .row = row,
    .columns = columns,
    .lot = 16,
    .goal = 1e5,
    .pose = pose_kills};
