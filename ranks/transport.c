/* transport.c - the messages of a granular flow on ranks, by MPI. */
#include "ranks/transport.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SWAP = 1, DELIVER = 2 }; /* tags; two for deliveries, by turns */

/* Ends all ranks: what goes wrong here cannot be mended. */
static _Noreturn void give_up(const char *why) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "impact: rank %d: %s\n", rank, why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort();
}

static int length(const imp_message *m) {
    if (m->size > INT_MAX) give_up("a message of more than 2 GB");
    return (int)m->size;
}

static MPI_Request *requests(mpi_context *c, int n) {
    if (n > c->room) {
        free(c->request);
        c->room = 2 * n;
        c->request = malloc((size_t)c->room * sizeof(MPI_Request));
        if (!c->request) give_up("no memory");
    }
    return c->request;
}

/* Between two looks at what is not there yet: at first none, but who has waited for 0.1 ms sleeps,
 * so that on a machine with more work than cores those it waits for get on. */
typedef struct patience {
    int looks;
    struct timespec began;
} patience;

static void be_patient(patience *p) {
    static const struct timespec nap = {0, 20000};
    struct timespec now;
    if (p->looks++ % 16 != 0) return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (p->looks == 1) p->began = now;
    const double waited =
        (double)(now.tv_sec - p->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - p->began.tv_nsec);
    if (waited < 1e-4) return;
    p->looks = 16; /* nap again after each look */
    nanosleep(&nap, NULL);
}

static void wait_for(int n, MPI_Request *r) {
    patience p = {0};
    for (int done = 0; !done;) {
        MPI_Testall(n, r, &done, MPI_STATUSES_IGNORE);
        if (!done) be_patient(&p);
    }
}

static void reduce(void *context, int maxima, double *most, int sums, int64_t *sum) {
    MPI_Request r[2];
    int n = 0;
    (void)context;
    if (maxima > 0)
        MPI_Iallreduce(MPI_IN_PLACE, most, maxima, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &r[n++]);
    if (sums > 0)
        MPI_Iallreduce(MPI_IN_PLACE, sum, sums, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &r[n++]);
    wait_for(n, r);
} /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker) : wait_for looks until they are done */

static void swap(void *context, int sends, const imp_message *send, int receives,
                 const imp_message *receive) {
    MPI_Request *r = requests(context, sends + receives);
    for (int k = 0; k < receives; k++)
        MPI_Irecv(receive[k].data, length(&receive[k]), MPI_BYTE, receive[k].rank, SWAP,
                  MPI_COMM_WORLD, &r[k]);
    for (int k = 0; k < sends; k++)
        MPI_Isend(send[k].data, length(&send[k]), MPI_BYTE, send[k].rank, SWAP, MPI_COMM_WORLD,
                  &r[receives + k]);
    wait_for(sends + receives, r);
}

/* A message that is there, if one is. false: no memory. */
static bool receive_one(int tag, void *into,
                        bool (*take)(void *into, const void *data, size_t size)) {
    MPI_Status status;
    int there, size;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (!there) return true;
    MPI_Get_count(&status, MPI_BYTE, &size);
    void *data = malloc((size_t)size + 1);
    if (!data) give_up("no memory");
    MPI_Recv(data, size, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const bool good = take(into, data, (size_t)size);
    free(data);
    return good;
}

/* Nobody knows who sends (Hoefler, Siebert, Lumsdaine 2010, "NBX"): synchronous sends are done when
 * they are received; who has sent all enters a barrier, and once everybody has, nothing is under
 * way. The next delivery may begin while a rank has not yet seen that this one is over, so it has
 * another tag. */
static bool deliver(void *context, int sends, const imp_message *send, void *into,
                    bool (*take)(void *into, const void *data, size_t size)) {
    mpi_context *c = context;
    MPI_Request *r = requests(c, sends), barrier = MPI_REQUEST_NULL;
    const int tag = DELIVER + (c->deliveries++ & 1);
    bool good = true, waiting = false;
    patience p = {0};
    for (int k = 0; k < sends; k++)
        MPI_Issend(send[k].data, length(&send[k]), MPI_BYTE, send[k].rank, tag, MPI_COMM_WORLD,
                   &r[k]);
    for (int over = 0; !over;) {
        int sent;
        good = receive_one(tag, into, take) && good;
        be_patient(&p);
        if (waiting) {
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Testall(sends, r, &sent, MPI_STATUSES_IGNORE);
        if (sent) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        waiting = sent;
    }
    return good;
}

static void give_up_all(void *context, const char *why) {
    (void)context;
    give_up(why);
}

imp_transport mpi_transport(mpi_context *context) {
    imp_transport t = {.context = context,
                       .reduce = reduce,
                       .swap = swap,
                       .deliver = deliver,
                       .give_up = give_up_all};
    MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t.ranks);
    return t;
}
