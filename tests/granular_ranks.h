/* granular_ranks.h - ranks of a granular flow as threads of one process, for the tests: their
 * messages by memory. */
#ifndef GRANULAR_RANKS_H
#define GRANULAR_RANKS_H

#include "granular_box.h"

#include <pthread.h>

enum { RANKS_MOST = 8 };

/* A message under way. */
typedef struct ranks_mail {
    struct ranks_mail *next;
    size_t size;
    unsigned char data[];
} ranks_mail;

typedef struct ranks_room {
    int ranks;
    pthread_mutex_t lock;
    pthread_cond_t come;
    pthread_barrier_t all;
    ranks_mail *mail[RANKS_MOST][RANKS_MOST]; /* to, from: in the order of sending */
    double most[RANKS_MOST][32];
    int64_t sum[RANKS_MOST][32];
    const imp_message *sent[RANKS_MOST]; /* of a delivery */
    int sends[RANKS_MOST];
} ranks_room;

/* One rank: what it says to the others, and what it does. */
typedef struct ranks_member {
    ranks_room *room;
    int rank;
    int fails_in; /* deliveries until one finds no memory; negative: never */
    int deliveries;
    long long delivered[2]; /* bytes to others by deliveries, of the even and of the odd ones */
    void (*run)(const imp_transport *transport, void *context);
    void *context;
} ranks_member;

static inline void ranks_reduce(void *self, int maxima, double *most, int sums, int64_t *sum) {
    const ranks_member *m = self;
    ranks_room *room = m->room;
    if (maxima > 0) memcpy(room->most[m->rank], most, (size_t)maxima * sizeof *most);
    if (sums > 0) memcpy(room->sum[m->rank], sum, (size_t)sums * sizeof *sum);
    pthread_barrier_wait(&room->all);
    for (int r = 0; r < room->ranks; r++) {
        for (int k = 0; k < maxima; k++)
            if (room->most[r][k] > most[k]) most[k] = room->most[r][k];
        for (int k = 0; r != m->rank && k < sums; k++)
            sum[k] += room->sum[r][k];
    }
    pthread_barrier_wait(&room->all);
}

static inline void ranks_swap(void *self, int sends, const imp_message *send, int receives,
                              const imp_message *receive) {
    const ranks_member *m = self;
    ranks_room *room = m->room;
    pthread_mutex_lock(&room->lock);
    for (int k = 0; k < sends; k++) {
        ranks_mail **last = &room->mail[send[k].rank][m->rank],
                   *one = malloc(sizeof *one + send[k].size);
        if (!one) abort();
        *one = (ranks_mail){.size = send[k].size};
        memcpy(one->data, send[k].data, send[k].size);
        while (*last)
            last = &(*last)->next;
        *last = one;
    }
    pthread_cond_broadcast(&room->come);
    for (int k = 0; k < receives; k++) {
        ranks_mail **first = &room->mail[m->rank][receive[k].rank], *one;
        while (!*first)
            pthread_cond_wait(&room->come, &room->lock);
        one = *first;
        *first = one->next;
        if (one->size != receive[k].size) abort();
        memcpy(receive[k].data, one->data, one->size);
        free(one);
    }
    pthread_mutex_unlock(&room->lock);
}

static inline bool ranks_deliver(void *self, int sends, const imp_message *send, void *into,
                                 bool (*take)(void *into, const void *data, size_t size)) {
    ranks_member *m = self;
    ranks_room *room = m->room;
    bool good = m->fails_in < 0 || m->fails_in-- > 0;
    for (int k = 0; k < sends; k++)
        m->delivered[m->deliveries % 2] += (long long)send[k].size;
    m->deliveries++;
    room->sent[m->rank] = send;
    room->sends[m->rank] = sends;
    pthread_barrier_wait(&room->all);
    for (int r = room->ranks - 1; r >= 0; r--) /* any order will do */
        for (int k = 0; k < room->sends[r]; k++) {
            const imp_message *one = &room->sent[r][k];
            if (one->rank == m->rank) good = take(into, one->data, one->size) && good;
        }
    pthread_barrier_wait(&room->all);
    return good;
}

static inline void *ranks_thread(void *self) {
    ranks_member *m = self;
    const imp_transport transport = {.rank = m->rank,
                                     .ranks = m->room->ranks,
                                     .context = m,
                                     .reduce = ranks_reduce,
                                     .swap = ranks_swap,
                                     .deliver = ranks_deliver};
    m->run(&transport, m->context);
    return NULL;
}

/* Runs `run` on every rank with its own transport; `fails` (a rank, -1: none) finds no memory in
 * delivery `fails_in`.
 */
static inline void ranks_run(int ranks, int fails, int fails_in,
                             void (*run)(const imp_transport *transport, void *context),
                             void *context) {
    ranks_room room = {
        .ranks = ranks, .lock = PTHREAD_MUTEX_INITIALIZER, .come = PTHREAD_COND_INITIALIZER};
    ranks_member member[RANKS_MOST];
    pthread_t thread[RANKS_MOST];
    pthread_barrier_init(&room.all, NULL, (unsigned)ranks);
    for (int r = 0; r < ranks; r++) {
        member[r] = (ranks_member){.room = &room,
                                   .rank = r,
                                   .fails_in = r == fails ? fails_in : -1,
                                   .run = run,
                                   .context = context};
        if (pthread_create(&thread[r], NULL, ranks_thread, &member[r]) != 0) abort();
    }
    for (int r = 0; r < ranks; r++)
        pthread_join(thread[r], NULL);
    pthread_barrier_destroy(&room.all);
}

#endif
