/* blockwise_sweep.c - sweeps over all contacts: Gauss-Seidel, with a proximal term, and its blend
 * with Jacobi. */
#include "blocks/blockwise_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_blockwise_stiffen(blockwise *b, double alpha) {
    if (!b->stiff) b->stiff = calloc((size_t)b->nc, sizeof *b->stiff);
    if (!b->stiff) b->no_memory = true;
    if (!b->stiff) return false;
    for (int c = 0; alpha != b->alpha && c < b->nc; c++) {
        const contact_block *own = &b->contact[c];
        contact_block *stiff = &b->stiff[c];
        memcpy(stiff->A, own->A, sizeof stiff->A);
        for (int r = 0; r < 3; r++)
            stiff->A[4 * r] += alpha * own->weight;
        stiff->mu = own->mu;
        stiff->faint = own->faint;
        imp_contact_block(stiff);
        stiff->weight = own->weight;
    }
    b->alpha = alpha;
    return true;
}

/* Does the contact go without this impulse as it goes with it, to rounding of its own q? Its
 * certificate is relative to that at least, and sees no difference; but where contacts beside it
 * rest, theirs is relative to nothing else, and would ask for as many digits of that. */
static inline bool is_faint(const contact_block *c, const double p[3]) {
    return fabs(p[0]) <= c->faint && fabs(p[1]) <= c->faint && fabs(p[2]) <= c->faint;
}

/* One visit: contact c goes where the rule takes it. A proximal term alpha weight (p - centre)
 * stands in the contact's stiffened block together with W_cc, so that its free velocity is u - A p
 * + alpha weight (p - centre). */
static inline void visit(blockwise *b, int c, const sweep_rule *rule) {
    contact_block *own = rule->centre ? &b->stiff[c] : &b->contact[c];
    const double *p = b->p + 3 * (size_t)c, *A = own->A;
    const double *centre = rule->centre ? rule->centre + 3 * (size_t)c : p,
                 push = b->alpha * own->weight;
    const bool open = p[0] == 0 && p[1] == 0 && p[2] == 0;
    double u[3], v[3], next[3];
    /* and staying so */
    if (open && local_opens(rule->law, normal_velocity(b, c) - push * centre[0])) return;
    whole_velocity(b, c, u);
    for (int r = 0; r < 3; r++)
        v[r] = u[r] - (A[3 * r] * p[0] + A[3 * r + 1] * p[1] + A[3 * r + 2] * p[2]);
    for (int r = 0; r < 3 && rule->centre; r++)
        v[r] += push * (p[r] - centre[r]);
    memcpy(next, p, sizeof next);
    imp_blockwise_local(own, rule->law, v, next);
    for (int r = 0; r < 3 && rule->relaxation != 1; r++)
        next[r] = p[r] + rule->relaxation * (next[r] - p[r]);
    if (is_faint(own, next)) next[0] = next[1] = next[2] = 0;
    change_impulse(b, c, next);
}

void imp_blockwise_sweep(blockwise *b, const sweep_rule *rule) {
    for (int k = 0; k < b->nc; k++) {
        const int c = rule->backwards ? b->nc - 1 - k : k;
        visit(b, c, rule);
    }
}

void imp_sweep_parts_clear(sweep_parts *parts) {
    free(parts->start);
    free(parts->order);
    free(parts->p);
    *parts = (sweep_parts){0};
}

static int part_of(const blockwise *b, int count, int c) {
    if (count == b->nc) return c;
    const imp_gram_entries own = imp_gram_contact(b->gram, c);
    if (own.count == 0) return (int)((double)c * count / b->nc);
    return (int)((double)own.row[0] * count / imp_gram_rows(b->gram));
}

bool imp_sweep_parts_new(const blockwise *b, double count, sweep_parts *parts) {
    const size_t nc = (size_t)b->nc;
    const int parts_count = (int)fmax(1, fmin(count, b->nc));
    *parts = (sweep_parts){.count = parts_count,
                           .start = calloc((size_t)parts_count + 2, sizeof *parts->start),
                           .order = malloc(nc * sizeof *parts->order),
                           .p = malloc((3 * nc + (size_t)b->states) * sizeof *parts->p)};
    if (!parts->start || !parts->order || !parts->p) {
        imp_sweep_parts_clear(parts);
        return false;
    }
    parts->state = parts->p + 3 * nc;
    for (int c = 0; c < b->nc; c++)
        parts->start[part_of(b, parts_count, c) + 2]++;
    for (int k = 0; k < parts_count; k++)
        parts->start[k + 2] += parts->start[k + 1];
    for (int c = 0; c < b->nc; c++)
        parts->order[parts->start[part_of(b, parts_count, c) + 1]++] = c;
    return true;
}

/* The state as it was before contact c changed it. */
static void take_back(blockwise *b, int c, const double *state) {
    if (b->over_bodies) {
        const imp_gram_entries own = imp_gram_contact(b->gram, c);
        for (int k = 0; k < own.count; k++)
            b->state[own.row[k]] = state[own.row[k]];
        return;
    }
    for (int k = b->columns.start[c]; k < b->columns.start[c + 1]; k++) {
        const size_t at = 3 * (size_t)b->columns.column[k];
        memcpy(b->u + at, state + at, 3 * sizeof *state);
    }
}

void imp_blockwise_sweep_parts(blockwise *b, const sweep_rule *rule, const sweep_parts *parts,
                               double blend) {
    const size_t n = 3 * (size_t)b->nc;
    memcpy(parts->p, b->p, n * sizeof *b->p);
    memcpy(parts->state, b->state, (size_t)b->states * sizeof *b->state);
    for (int part = 0; part < parts->count; part++) {
        const int first = parts->start[part], end = parts->start[part + 1];
        for (int k = 0; k < end - first; k++) {
            const int c = parts->order[rule->backwards ? end - 1 - k : first + k];
            visit(b, c, rule);
        }
        for (int k = first; k < end; k++)
            take_back(b, parts->order[k], parts->state);
    }
    for (size_t i = 0; i < n; i++)
        b->p[i] = parts->p[i] + blend * (b->p[i] - parts->p[i]);
    imp_blockwise_refresh(b);
}
