/* ranks_sweep.c - velocities between ranks during the sweeps: in the order of the whole flow, or damped.
 *
 * In order: a rank that touched a particle in one parity sends its velocity to the rank that touches it next, and
 * behind the last parity to all who hold it; a message therefore carries a body only where it changes hands. Damped
 * (Preclik, Eibl, Ruede 2017; Preclik, Ruede 2015): ranks sweep for themselves, the owner adds up what all copies
 * changed and takes the share `blend` of it. The paper's program also leaves impulses 1/blend too large; here they are
 * what the bodies got.
 */
#include "granular/ranks/ranks_internal.h"

#include <stdlib.h>
#include <string.h>

static letter *letter_for(letters *l, int rank) {
    for (int k = 0; k < l->n; k++)
        if (l->letter[k].rank == rank) return &l->letter[k];
    const int before = l->room;
    if (!imp_granular_grow(&l->letter, &l->room, l->n + 1, sizeof *l->letter)) return NULL;
    if (l->room > before) memset(l->letter + before, 0, (size_t)(l->room - before) * sizeof *l->letter);
    letter *one = &l->letter[l->n++];
    one->rank = rank;
    one->n = 0;
    return one;
}

/* The particles [from, to) on the list for a rank. */
static bool enter(letters *l, int rank, int from, int to) {
    letter *one = letter_for(l, rank);
    if (!one || !imp_granular_grow(&one->index, &one->room, one->n + to - from, sizeof *one->index)) return false;
    for (int i = from; i < to; i++)
        one->index[one->n++] = i;
    l->bodies += to - from;
    return true;
}

/* `from` sends the particles to `to`, as far as one of the two is this rank. */
static bool pass_on(imp_granular *g, int which, int from, int to, int begin, int end) {
    const int self = g->spread->to.rank;
    exchange *e = &g->spread->exchange[which];
    if (from == to) return true;
    return (from != self || enter(&e->send, to, begin, end)) && (to != self || enter(&e->receive, from, begin, end));
}

static bool plan_cell(imp_granular *g, const int cell[3], int begin, int end) {
    int toucher[PARITIES], holder[PARITIES], first = -1, last = -1;
    const int holders = imp_granular_holders(g, cell, holder);
    bool good = true;
    if (holders == 1) return true;
    imp_granular_touchers(g, cell, toucher);
    for (int p = 0; p < PARITIES; p++) {
        if (toucher[p] < 0) continue;
        if (last >= 0)
            good = good && pass_on(g, last, toucher[last], toucher[p], begin, end) &&
                   pass_on(g, BACKWARD + p, toucher[p], toucher[last], begin, end);
        if (first < 0) first = p;
        last = p;
    }
    for (int k = 0; k < holders; k++) {
        good = good && pass_on(g, PARITIES - 1, toucher[last], holder[k], begin, end);
        good = good && pass_on(g, BACKWARD, toucher[first], holder[k], begin, end);
        good = good && pass_on(g, TO_OWNER, holder[k], holder[0], begin, end);
        good = good && pass_on(g, FROM_OWNER, holder[0], holder[k], begin, end);
    }
    return good;
}

static void forget(letters *l) {
    l->n = l->bodies = 0;
}

static bool by_cells(imp_granular *g) {
    const int *w = g->window, self = g->spread->to.rank;
    for (int x = w[0]; x < w[0] + g->held[0]; x++)
        for (int y = w[1]; y < w[1] + g->held[1]; y++)
            for (int z = w[2]; z < w[2] + g->held[2]; z++) {
                const int cell[3] = {x, y, z}, number = cell_number(g, x, y, z);
                const int begin = g->cell_start[number], end = g->cell_start[number + 1];
                int brick[3];
                if (begin == end) continue;
                imp_granular_brick(g, cell, brick);
                memset(g->own + begin, imp_granular_rank_of(g, brick) == self, (size_t)(end - begin));
                if (!plan_cell(g, cell, begin, end)) return false;
            }
    return true;
}

bool imp_granular_plan(imp_granular *g) {
    spread *s = g->spread;
    int bodies = 0, messages = 0;
    for (int k = 0; k < EXCHANGES; k++) {
        forget(&s->exchange[k].send);
        forget(&s->exchange[k].receive);
    }
    if (!by_cells(g)) return false;
    for (int k = 0; k < EXCHANGES; k++) {
        const exchange *e = &s->exchange[k];
        if (e->send.bodies + e->receive.bodies > bodies) bodies = e->send.bodies + e->receive.bodies;
        if (e->send.n + e->receive.n > messages) messages = e->send.n + e->receive.n;
    }
    return imp_granular_grow(&s->out, &s->out_room, bodies, sizeof *s->out) &&
           imp_granular_grow(&s->in, &s->in_room, bodies, sizeof *s->in) &&
           imp_granular_grow(&s->message, &s->message_room, messages, sizeof *s->message);
}

static void address(const letters *l, double (*data)[6], imp_message *message) {
    for (int k = 0; k < l->n; k++) {
        const letter *one = &l->letter[k];
        message[k] = (imp_message){one->rank, (size_t)one->n * sizeof *data, data};
        data += one->n;
    }
}

/* Messages of an exchange both ways, from spread.out to spread.in. */
static void swap(spread *s, const exchange *e) {
    imp_message *receive = s->message + e->send.n;
    address(&e->send, s->out, s->message);
    address(&e->receive, s->in, receive);
    if (e->send.n + e->receive.n > 0) s->to.swap(s->to.context, e->send.n, s->message, e->receive.n, receive);
}

static void copy(double to[6], const body *from) {
    memcpy(to, from->v, sizeof from->v);
    memcpy(to + 3, from->q, sizeof from->q);
}

static void paste(body *to, const double from[6]) {
    memcpy(to->v, from, sizeof to->v);
    memcpy(to->q, from + 3, sizeof to->q);
}

static void swap_velocities(imp_granular *g, int which) {
    spread *s = g->spread;
    const exchange *e = &s->exchange[which];
    double(*at)[6] = s->out;
    for (int k = 0; k < e->send.n; k++)
        for (int i = 0; i < e->send.letter[k].n; i++)
            copy(*at++, &g->body[e->send.letter[k].index[i]]);
    swap(s, e);
    at = s->in;
    for (int k = 0; k < e->receive.n; k++)
        for (int i = 0; i < e->receive.letter[k].n; i++)
            paste(&g->body[e->receive.letter[k].index[i]], *at++);
}

void imp_granular_swap(imp_granular *g, int parity, bool backward) {
    swap_velocities(g, backward ? BACKWARD + parity : parity);
}

/* g->body_spare holds the velocities at the begin of the damped sweep. */
void imp_granular_blend_begin(imp_granular *g) {
    memcpy(g->body_spare, g->body, (size_t)g->count * sizeof *g->body);
}

static void change(double d[6], const body *now, const body *before) {
    for (int x = 0; x < 3; x++) {
        d[x] = now->v[x] - before->v[x];
        d[3 + x] = now->q[x] - before->q[x];
    }
}

/* What the copies on other ranks changed, added to the owner's in an order that the cells give. */
static void collect(imp_granular *g) {
    spread *s = g->spread;
    const exchange *e = &s->exchange[TO_OWNER];
    double(*at)[6] = s->out;
    for (int k = 0; k < e->send.n; k++)
        for (int i = 0; i < e->send.letter[k].n; i++) {
            const int one = e->send.letter[k].index[i];
            change(*at++, &g->body[one], &g->body_spare[one]);
        }
    swap(s, e);
    at = s->in;
    for (int k = 0; k < e->receive.n; k++)
        for (int i = 0; i < e->receive.letter[k].n; i++, at++) {
            body *b = &g->body[e->receive.letter[k].index[i]];
            for (int x = 0; x < 3; x++) {
                b->v[x] += (*at)[x];
                b->q[x] += (*at)[3 + x];
            }
        }
}

void imp_granular_blend_end(imp_granular *g) {
    if (g->spread) collect(g);
    for (int i = 0; i < g->count; i++) {
        double d[6];
        change(d, &g->body[i], &g->body_spare[i]);
        for (int x = 0; x < 3; x++) {
            g->body[i].v[x] = g->body_spare[i].v[x] + g->set.blend * d[x];
            g->body[i].q[x] = g->body_spare[i].q[x] + g->set.blend * d[3 + x];
        }
    }
    if (g->spread) swap_velocities(g, FROM_OWNER);
}

static void free_letters(letters *l) {
    for (int k = 0; k < l->room; k++)
        free(l->letter[k].index);
    free(l->letter);
}

void imp_granular_spread_free(spread *s) {
    if (!s) return;
    for (int k = 0; k < EXCHANGES; k++) {
        free_letters(&s->exchange[k].send);
        free_letters(&s->exchange[k].receive);
    }
    free(s->out);
    free(s->in);
    free(s->message);
    free(s->arrived.bytes);
    free(s);
}
