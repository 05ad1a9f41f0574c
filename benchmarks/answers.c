/* answers.c - do the models answer the same on every machine (docs/machines.md)? */
#include "benchmarks/harness/usage.h"
#include "base/hash.h"
#include "base/worse.h"
#include "impact.h"
#include "generators/gen_situation.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONE, SEVERAL, HUNDRED, KINDS, POINTS = 100, ROWS = 3 * POINTS };

static const char *const kinds[KINDS] = {"one contact", "several", "a hundred"};
static const int part[KINDS] = {1, 4, 250}; /* of N */

/* Where a processor has a fused multiply-add at its least (the compiler says so), the package of
 * KLU was compiled to use it; on x86 none is. */
#if defined __FP_FAST_FMA && !defined __x86_64__
enum { OF_KLU = 9 };
#else
enum { OF_KLU = 0 };
#endif

/* Digits of velocity that are promised; 0 and what is not listed: the same bits. */
static const struct {
    const char *model;
    int kind, digits;
} promises[] = {
    {"darboux-stronge", ONE, 12},
    {"darboux-poisson", ONE, 12},
    {"darboux-newton", ONE, 12}, /* exp, log of libm */
    {"plus", ONE, 12},
    {"plus", SEVERAL, 12}, /* sin, cos, atan2 */
    {"single-phase", ONE, 12},
    {"single-phase", SEVERAL, 6},
    {"newton", ONE, 12},
    {"newton", SEVERAL, 12},
    {"poisson", ONE, 12},
    {"poisson", SEVERAL, 12},
    {"springs", ONE, 6}, /* pow, log1p set its scales, by which it chooses steps; bound 1e-7 */
    {"springs", SEVERAL, 6},
    {"drumwright", HUNDRED, 5}, /* BLAS; its tolerance is 1e-7 */
    {"auto", SEVERAL, OF_KLU},
    {"auto", HUNDRED, OF_KLU},
    {"moreau", SEVERAL, OF_KLU},
    {"moreau", HUNDRED, OF_KLU},
};

static int promised(const char *model, int kind) {
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        if (promises[i].kind == kind && strcmp(promises[i].model, model) == 0)
            return promises[i].digits;
    return 0;
}

typedef struct room {
    double W[ROWS * ROWS], q[ROWS], mu[POINTS];
    situation s;
} room;

/* A box that falls on a hundred points of its lower face: W has rank 6. */
static int box_on_points(gen_stream *s, imp_body *body, imp_contact *contact) {
    const double up[3] = {0, 0, 1};
    *body =
        (imp_body){1, {6, 0, 0, 0, 6, 0, 0, 0, 6}, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, -1}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        if (i < 2) body->velocity[i] = gen_uniform(s, -1, 1);
        body->spin[i] = gen_uniform(s, -1, 1);
    }
    for (int i = 0; i < POINTS; i++) {
        contact[i] = (imp_contact){
            IMP_GROUND, 0, {gen_uniform(s, -0.5, 0.5), gen_uniform(s, -0.5, 0.5), -0.5}, {0}};
        (void)imp_frame_from_normal(up, contact[i].frame);
    }
    return 1;
}

/* Fifty spheres in a ring on the ground, each in touch with its neighbours: sparse. */
static int ring_of_spheres(gen_stream *s, imp_body *body, imp_contact *contact) {
    enum { SPHERES = POINTS / 2 };
    const double up[3] = {0, 0, 1};
    for (int i = 0; i < SPHERES; i++) {
        body[i] = (imp_body){1,
                             {10, 0, 0, 0, 10, 0, 0, 0, 10},
                             {i, gen_uniform(s, -0.1, 0.1), 0.5},
                             {1, 0, 0, 0},
                             {0},
                             {0}};
        for (int k = 0; k < 3; k++)
            body[i].velocity[k] = gen_uniform(s, -1, 1) - (k == 2);
        contact[i] =
            (imp_contact){IMP_GROUND, i, {body[i].position[0], body[i].position[1], 0}, {0}};
        (void)imp_frame_from_normal(up, contact[i].frame);
    }
    for (int i = 0; i < SPHERES; i++) {
        const int j = (i + 1) % SPHERES;
        double along[3], half[3];
        for (int k = 0; k < 3; k++) {
            along[k] = body[j].position[k] - body[i].position[k];
            half[k] = body[i].position[k] + along[k] / 2;
        }
        if (j == 0) along[0] = half[0] = 1; /* the ring closes in one's mind */
        contact[SPHERES + i] = (imp_contact){i, j, {half[0], half[1], half[2]}, {0}};
        (void)imp_frame_from_normal(along, contact[SPHERES + i].frame);
    }
    return SPHERES;
}

static imp_problem hundred(const imp_model *model, uint64_t k, room *r, imp_operator *W) {
    static imp_contact contact[POINTS];
    static imp_body body[POINTS];
    gen_stream s = gen_seed(8100, k);
    const int bodies = (k % 2 ? ring_of_spheres : box_on_points)(&s, body, contact);
    for (int i = 0; i < POINTS; i++)
        r->mu[i] = model->takes & IMP_ONLY_FRICTIONLESS ? 0 : 0.3;
    (void)imp_delassus_dense(bodies, body, POINTS, contact, r->W, r->q);
    *W = imp_operator_dense(POINTS, r->W);
    return (imp_problem){.nc = POINTS, .W = W, .q = r->q, .mu = r->mu};
}

static imp_problem problem_of(const imp_model *model, int kind, uint64_t k, room *r,
                              imp_operator *W) {
    if (kind == HUNDRED) return hundred(model, k, r, W);
    r->s = kind == ONE ? situation_one(model, k) : situation_many(model, k);
    return situation_problem(&r->s, W);
}

typedef struct outcome {
    int status;
    double p[ROWS];
} outcome;

enum { STATUS_BYTES = 4, NUMBER_BYTES = 8, MOST_BYTES = STATUS_BYTES + NUMBER_BYTES * ROWS };

/* Kept are whole numbers of `size` bytes, the lowest first, whatever the machine's own order. */
static void put(uint64_t number, int size, unsigned char *to) {
    for (int i = 0; i < size; i++)
        to[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t take(const unsigned char *from, int size) {
    uint64_t number = 0;
    for (int i = size; i-- > 0;)
        number = number << 8 | from[i];
    return number;
}

static void pack(const outcome *is, int rows, unsigned char *to) {
    put((uint32_t)is->status, STATUS_BYTES, to);
    for (int i = 0; i < rows; i++) {
        uint64_t bits;
        memcpy(&bits, &is->p[i], sizeof bits);
        put(bits, NUMBER_BYTES, to + STATUS_BYTES + NUMBER_BYTES * i);
    }
}

static void unpack(const unsigned char *from, int rows, outcome *was) {
    was->status = (int)(int32_t)take(from, STATUS_BYTES);
    for (int i = 0; i < rows; i++) {
        const uint64_t bits = take(from + STATUS_BYTES + NUMBER_BYTES * i, NUMBER_BYTES);
        memcpy(&was->p[i], &bits, sizeof bits);
    }
}

typedef struct tally {
    uint64_t hash;
    int problems, unsolved, other_bits, other_status;
    /* worst difference, of the largest velocity before, of the largest impulse */
    double velocity, impulse;
} tally;

static void compare(const imp_problem *problem, const outcome *was, const outcome *is, tally *t) {
    const int rows = 3 * problem->nc;
    double difference[ROWS], speed = 0, push = 0, most = 0, velocity[ROWS];
    const double zero[ROWS] = {0};
    t->other_status += was->status != is->status;
    t->other_bits +=
        was->status != is->status || memcmp(was->p, is->p, (size_t)rows * sizeof *is->p) != 0;
    for (int i = 0; i < rows; i++) {
        difference[i] = is->p[i] - was->p[i];
        most = imp_worse(most, fabs(difference[i]));
        push = fmax(push, fabs(was->p[i]));
        speed = fmax(speed, fabs(problem->q[i]));
    }
    if (most == 0 || was->status != IMP_OK || is->status != IMP_OK) return;
    imp_operator_apply(problem->W, difference, zero, velocity);
    for (int i = 0; i < rows; i++)
        t->velocity = imp_worse(t->velocity, fabs(velocity[i]) / speed);
    t->impulse = imp_worse(t->impulse, most / push);
}

/* One model on all problems of a kind; false where the kept answers end early. */
static bool run(const imp_model *model, int kind, int count, FILE *to, FILE *from, tally *t) {
    static room r;
    static unsigned char bytes[MOST_BYTES];
    *t = (tally){.hash = IMP_HASH_SEED, .problems = count};
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        imp_operator W;
        const imp_problem problem = problem_of(model, kind, k, &r, &W);
        outcome is = {0}, was = {0};
        const int rows = 3 * problem.nc;
        const size_t size = STATUS_BYTES + NUMBER_BYTES * (size_t)rows;
        is.status = imp_solve(model, &problem, NULL, is.p, NULL);
        t->unsolved += is.status != IMP_OK;
        pack(&is, rows, bytes);
        t->hash = imp_hash(t->hash, bytes, size);
        if (to && fwrite(bytes, size, 1, to) != 1) return false;
        if (!from) continue;
        if (fread(bytes, size, 1, from) != 1) return false;
        unpack(bytes, rows, &was);
        compare(&problem, &was, &is, t);
    }
    return true;
}

static bool report(const imp_model *model, int kind, const tally *t, bool compared) {
    const int digits = promised(model->name, kind);
    printf("%-22s %-12s %6d %5d %016llx", model->name, kinds[kind], t->problems, t->unsolved,
           (unsigned long long)t->hash);
    if (!compared) {
        putchar('\n');
        return true;
    }
    const bool good =
        digits ? t->velocity <= pow(10, -digits) && t->other_status == 0 : t->other_bits == 0;
    char promise[16] = "bits";
    if (digits) snprintf(promise, sizeof promise, "1e-%d", digits);
    printf(" %6d %6d %8.1e %8.1e  %-5s %s\n", t->other_bits, t->other_status, t->velocity,
           t->impulse, promise, good ? "holds" : "BROKEN");
    return good;
}

/* Lemke's method on a thousand rows, the intervals of PLUS and springs on a hundred contacts take
 * minutes. */
static bool takes(const imp_model *model, int kind) {
    static const char *const slow[] = {"anitescu", "plus",    "single-phase",
                                       "newton",   "poisson", "springs"};
    if (kind != ONE && !(model->takes & IMP_TAKES_MANY)) return false;
    for (size_t i = 0; kind == HUNDRED && i < sizeof slow / sizeof *slow; i++)
        if (strcmp(model->name, slow[i]) == 0) return false;
    return true;
}

/* How many problems of the kind; springs take ten milliseconds a problem. */
static int number_of(const imp_model *model, int kind, int count) {
    const int of = part[kind] * (strcmp(model->name, "springs") == 0 ? 20 : 1);
    return (count + of - 1) / of;
}

static int run_all(int count, FILE *to, FILE *from) {
    int broken = 0;
    unsigned char head[STATUS_BYTES];
    put((uint32_t)count, sizeof head, head);
    if ((to && fwrite(head, sizeof head, 1, to) != 1) ||
        (from &&
         (fread(head, sizeof head, 1, from) != 1 || take(head, sizeof head) != (uint64_t)count))) {
        fprintf(stderr, "answers: the kept answers are not those of --count %d\n", count);
        return 2;
    }
    printf("model                  contacts     solved unsolved, hash%s\n",
           from ? "; other bits, other status, worst change of velocity, of impulse; promised"
                : "");
    for (const imp_model *const *m = imp_models; *m; m++)
        for (int kind = 0; kind < KINDS; kind++) {
            tally t;
            if (!takes(*m, kind)) continue;
            if (!run(*m, kind, number_of(*m, kind, count), to, from, &t)) {
                fprintf(stderr, "answers: the file of answers is cut short\n");
                return 2;
            }
            broken += !report(*m, kind, &t, from != NULL);
        }
    return broken ? 1 : 0;
}

static const usage about = {
    .program = "answers",
    .arguments = "[--count N] [--write FILE] [--against FILE]",
    .most = USAGE_OWN,
    .text = "Solves N problems (2000) of one contact, N/4 of several and N/250 of a hundred "
            "contacts with every model that\n"
            "takes them, and prints a hash of the bits of all statuses and impulses. --write keeps "
            "the answers; --against\n"
            "holds them against answers that another compiler, CPU, BLAS or libm gave: what is "
            "promised is the same bits,\n"
            "or the velocities after the impact to so many digits of the fastest before it "
            "(docs/machines.md).\n"
            "Exit 0: what is promised holds; 1: it does not; 2: bad use.\n",
    .name = usage_model,
};

/* A file of answers; ends the program where it cannot be opened. */
static FILE *open_answers(const char *option, const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (!file) usage_refuse(&about, "%s %s: %s", option, path, strerror(errno));
    return file;
}

int main(int argc, char **argv) {
    FILE *to = NULL, *from = NULL;
    int count = 2000;
    usage_answer(&about, argc, argv);
    for (int i = 1; i < argc; i += 2) {
        const char *value = argv[i + 1];
        const bool counts = strcmp(argv[i], "--count") == 0,
                   writes = strcmp(argv[i], "--write") == 0 && !to,
                   reads = strcmp(argv[i], "--against") == 0 && !from;
        if (!counts && !writes && !reads)
            usage_refuse(&about, "unknown argument \"%.60s\"", argv[i]);
        if (!value) usage_refuse(&about, "%s without its value", argv[i]);
        if (counts) count = (int)usage_whole(&about, "N", value, 1, 1e8);
        if (writes) to = open_answers("--write", value, "wb");
        if (reads) from = open_answers("--against", value, "rb");
    }
    int result = run_all(count, to, from);
    if (to && fclose(to) != 0) result = 2;
    if (from) fclose(from);
    return result;
}
