/* parallel.c - the one parallel loop of the granular room: a team of threads that share the pieces of a loop.
 *
 * A step has some 30 loops of tens of microseconds. A team that meets at a barrier after each waits for every member,
 * also for one that a busy machine has not let run at all. Here whoever runs takes the next piece, and the loop ends
 * when its pieces are done: members that come late find nothing. Who waits looks on for some microseconds and then
 * sleeps. */
#include "granular/granular_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOOKS = 1000 }; /* before sleeping: about 10 us, the gap between two loops */

typedef struct job {
    void (*run)(void *context, int k);
    void *context;
    int first, stride, pieces;
} job;

struct team {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    job job;                    /* stands still while a piece of it is not done */
    atomic_ullong open;         /* number of the loop << 32 | its pieces not yet taken */
    atomic_int left;            /* pieces not yet done */
    atomic_int sleepers, waits; /* members asleep; does the one that gave the job sleep? */
    atomic_bool stop;
    int members;
    pthread_t member[];
};

static void relax(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Takes and runs pieces while there are any. The number of the loop in `open` keeps a late one from taking a piece of
 * the next with what it knows of this. */
static void work_on(team *t) {
    unsigned long long open = atomic_load(&t->open);
    while (open & 0xffffffff) {
        if (!atomic_compare_exchange_weak(&t->open, &open, open - 1)) continue;
        const job *j = &t->job;
        j->run(j->context, j->first + (j->pieces - (int)(open & 0xffffffff)) * j->stride);
        if (atomic_fetch_sub(&t->left, 1) == 1 && atomic_load(&t->waits)) {
            pthread_mutex_lock(&t->lock);
            pthread_cond_signal(&t->done);
            pthread_mutex_unlock(&t->lock);
        }
        open = atomic_load(&t->open);
    }
}

static bool is_open(team *t) {
    return (atomic_load(&t->open) & 0xffffffff) || atomic_load(&t->stop);
}

static void *serve(void *own) {
    team *t = own;
    while (!atomic_load(&t->stop)) {
        work_on(t);
        for (int i = 0; i < LOOKS && !is_open(t); i++)
            relax();
        if (is_open(t)) continue;
        pthread_mutex_lock(&t->lock);
        atomic_fetch_add(&t->sleepers, 1);
        while (!is_open(t))
            pthread_cond_wait(&t->work, &t->lock);
        atomic_fetch_sub(&t->sleepers, 1);
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

static void wake(team *t) {
    if (atomic_load(&t->sleepers) == 0) return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
}

/* A team of `threads`, the caller one of them; fewer where the system gives no more. NULL: none. */
static team *gather(int threads) {
    team *t = calloc(1, sizeof *t + (size_t)(threads - 1) * sizeof t->member[0]);
    if (!t) return NULL;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->work, NULL);
    pthread_cond_init(&t->done, NULL);
    while (t->members < threads - 1 && pthread_create(&t->member[t->members], NULL, serve, t) == 0)
        t->members++;
    return t;
}

void imp_granular_dismiss(team *t) {
    if (!t) return;
    atomic_store(&t->stop, true);
    wake(t);
    for (int i = 0; i < t->members; i++)
        pthread_join(t->member[i], NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->work);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

static void share(team *t, job one) {
    t->job = one;
    atomic_store(&t->left, one.pieces);
    atomic_store(&t->open, ((atomic_load(&t->open) >> 32) + 1) << 32 | (unsigned)one.pieces);
    wake(t);
    work_on(t);
    for (int i = 0; i < LOOKS && atomic_load(&t->left) > 0; i++)
        relax();
    if (atomic_load(&t->left) == 0) return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->waits, 1);
    while (atomic_load(&t->left) > 0)
        pthread_cond_wait(&t->done, &t->lock);
    atomic_store(&t->waits, 0);
    pthread_mutex_unlock(&t->lock);
}

void imp_granular_parallel(imp_granular *g, int first, int stride, int n, void (*run)(void *context, int k),
                           void *context) {
    const job one = {run, context, first, stride, n > first ? (n - first + stride - 1) / stride : 0};
    if (g->set.threads > 1 && one.pieces > 1 && !g->team) g->team = gather(g->set.threads);
    if (g->team && one.pieces > 1) {
        share(g->team, one);
        return;
    }
    for (int i = 0; i < one.pieces; i++)
        run(context, first + i * stride);
}
