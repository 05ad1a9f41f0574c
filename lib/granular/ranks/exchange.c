/* exchange.c - velocities between ranks during the sweeps: in the order of the whole flow, or
 * damped.
 *
 * In order: a rank that touched a particle in one parity sends its velocity to the rank that
 * touches it next, and behind the last parity to all who hold it; a message therefore carries a
 * body only where it changes hands. Damped (Preclik, Eibl, Ruede 2017; Preclik, Ruede 2015): ranks
 * sweep for themselves, the owner adds up what all copies changed and takes the share `blend` of
 * it. The paper's program also leaves impulses 1/blend too large; here they are what the bodies
 * got.
 */
#include "granular/ranks/part.h"

#include "granular/work.h"

#include <string.h>

static letter *letter_for(letters *l, int rank) {
    for (int k = 0; k < l->n; k++)
        if (l->letter[k].rank == rank) return &l->letter[k];
    if (!imp_grow(&l->letter, &l->room, l->n + 1, sizeof *l->letter)) return NULL;
    letter *one = &l->letter[l->n++];
    one->rank = rank;
    one->n = 0;
    return one;
}

/* The particles [from, to) on the list for a rank. */
static bool enter(letters *l, int rank, int from, int to) {
    letter *one = letter_for(l, rank);
    if (!one || !imp_grow(&one->index, &one->room, one->n + to - from, sizeof *one->index))
        return false;
    for (int i = from; i < to; i++)
        one->index[one->n++] = i;
    l->bodies += to - from;
    return true;
}

/* `from` sends the particles to `to`, as far as one of the two is this rank. */
static bool pass_on(part *p, int which, int from, int to, int begin, int end) {
    const int self = p->to.rank;
    exchange *e = &p->exchange[which];
    if (from == to) return true;
    return (from != self || enter(&e->send, to, begin, end)) &&
           (to != self || enter(&e->receive, from, begin, end));
}

static bool plan_cell(part *p, const cells *c, const int cell[3], int begin, int end) {
    int toucher[PARITIES], holder[PARITIES], first = -1, last = -1;
    const int holders = imp_part_holders(p, c, cell, holder);
    bool good = true;
    if (holders == 1) return true;
    imp_part_touchers(p, c, cell, toucher);
    for (int k = 0; k < PARITIES; k++) {
        if (toucher[k] < 0) continue;
        if (last >= 0)
            good = good && pass_on(p, last, toucher[last], toucher[k], begin, end) &&
                   pass_on(p, BACKWARD + k, toucher[k], toucher[last], begin, end);
        if (first < 0) first = k;
        last = k;
    }
    for (int k = 0; k < holders; k++) {
        good = good && pass_on(p, PARITIES - 1, toucher[last], holder[k], begin, end);
        good = good && pass_on(p, BACKWARD, toucher[first], holder[k], begin, end);
        good = good && pass_on(p, TO_OWNER, holder[k], holder[0], begin, end);
        good = good && pass_on(p, FROM_OWNER, holder[0], holder[k], begin, end);
    }
    return good;
}

static void forget(letters *l) {
    l->n = l->bodies = 0;
}

static bool plan_cells(part *p, const cells *c, bodies *b) {
    const int *w = c->window;
    for (int x = w[0]; x < w[0] + c->held[0]; x++)
        for (int y = w[1]; y < w[1] + c->held[1]; y++)
            for (int z = w[2]; z < w[2] + c->held[2]; z++) {
                const int cell[3] = {x, y, z}, number = cell_number(c, x, y, z);
                const int begin = c->start[number], end = c->start[number + 1];
                int brick[3];
                if (begin == end) continue;
                imp_cells_brick(c, cell, brick);
                memset(b->own + begin, imp_part_rank_of(p, c, brick) == p->to.rank,
                       (size_t)(end - begin));
                if (!plan_cell(p, c, cell, begin, end)) return false;
            }
    return true;
}

bool imp_part_plan(void *self, imp_granular *g) {
    part *p = self;
    int all = 0, messages = 0;
    for (int k = 0; k < EXCHANGES; k++) {
        forget(&p->exchange[k].send);
        forget(&p->exchange[k].receive);
    }
    if (!plan_cells(p, &g->cells, &g->bodies)) return false;
    for (int k = 0; k < EXCHANGES; k++) {
        const exchange *e = &p->exchange[k];
        if (e->send.bodies + e->receive.bodies > all) all = e->send.bodies + e->receive.bodies;
        if (e->send.n + e->receive.n > messages) messages = e->send.n + e->receive.n;
    }
    return imp_grow(&p->out, &p->out_room, all, sizeof *p->out) &&
           imp_grow(&p->in, &p->in_room, all, sizeof *p->in) &&
           imp_grow(&p->message, &p->message_room, messages, sizeof *p->message);
}

static void address(const letters *l, double (*data)[6], imp_message *message) {
    for (int k = 0; k < l->n; k++) {
        const letter *one = &l->letter[k];
        message[k] = (imp_message){one->rank, (size_t)one->n * sizeof *data, data};
        data += one->n;
    }
}

/* Messages of an exchange both ways, from part.out to part.in. */
static void swap(part *p, const exchange *e) {
    imp_message *receive = p->message + e->send.n;
    address(&e->send, p->out, p->message);
    address(&e->receive, p->in, receive);
    if (e->send.n + e->receive.n > 0)
        p->to.swap(p->to.context, e->send.n, p->message, e->receive.n, receive);
}

/* Velocities of the bodies into the numbers on their way. */
static void copy(const letters *l, double (*way)[6], const swept_bodies *all) {
    for (int k = 0; k < l->n; k++)
        for (int i = 0; i < l->letter[k].n; i++, way++) {
            const int number = l->letter[k].index[i];
            for (int x = 0; x < 3; x++) {
                (*way)[x] = all->single ? all->single[number].v[x] : all->body[number].v[x];
                (*way)[3 + x] = all->single ? all->single[number].q[x] : all->body[number].q[x];
            }
        }
}

/* And out of them, in single precision: they come from there, too. */
static void paste_single(const letters *l, double (*way)[6], single_body *all) {
    for (int k = 0; k < l->n; k++)
        for (int i = 0; i < l->letter[k].n; i++, way++) {
            single_body *one = &all[l->letter[k].index[i]];
            for (int x = 0; x < 3; x++) {
                one->v[x] = (float)(*way)[x];
                one->q[x] = (float)(*way)[3 + x];
            }
        }
}

/* In double precision the bodies take them, or, where `before` is given, add what they changed
 * since. */
static void paste(const letters *l, double (*way)[6], body *all, const body *before) {
    for (int k = 0; k < l->n; k++)
        for (int i = 0; i < l->letter[k].n; i++, way++) {
            const int number = l->letter[k].index[i];
            body *one = &all[number];
            for (int x = 0; x < 3; x++) {
                one->v[x] = before ? one->v[x] + ((*way)[x] - before[number].v[x]) : (*way)[x];
                one->q[x] =
                    before ? one->q[x] + ((*way)[3 + x] - before[number].q[x]) : (*way)[3 + x];
            }
        }
}

static void exchange_velocities(part *p, int which, const swept_bodies *all, const body *before) {
    const exchange *e = &p->exchange[which];
    copy(&e->send, p->out, all);
    swap(p, e);
    if (all->single)
        paste_single(&e->receive, p->in, all->single);
    else
        paste(&e->receive, p->in, all->body, before);
}

void imp_part_swap(void *self, const swept_bodies *all, int parity, bool backward) {
    exchange_velocities(self, backward ? BACKWARD + parity : parity, all, NULL);
}

/* In an order that the cells give. */
void imp_part_add_up(void *self, body *all, const body *before) {
    exchange_velocities(self, TO_OWNER, &(swept_bodies){.body = all}, before);
}

void imp_part_spread(void *self, body *all) {
    exchange_velocities(self, FROM_OWNER, &(swept_bodies){.body = all}, NULL);
}
