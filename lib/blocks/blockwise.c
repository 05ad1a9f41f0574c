/* blockwise.c - coupling by block columns or over bodies, and natural-map errors. */
#include "blocks/blockwise.h"

#include "base/exact.h"
#include "blocks/blockwise_state.h"
#include "linear/sparse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool imp_blockwise_cancelled(const blockwise *b) {
    return b->cancel && *b->cancel;
}

void imp_blockwise_free(blockwise *b) {
    if (!b) return;
    free(b->stiff);
    free(b);
}

/* W' by rows out of an operator that answers by rows: W_jc stands in row j. First the counts, then
 * the blocks, into arrays with room for all of them; list (nc) is scratch. */
static void fill_columns(const imp_operator *W, int *list, int *start, int *column, double *block) {
    const imp_blocks *stored = imp_operator_stored(W);
    const int nc = W->nc;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < nc; j++) {
            const int *columns = stored ? stored->column + stored->start[j] : list;
            const int count =
                stored ? stored->start[j + 1] - stored->start[j] : W->kind->columns(W, j, list);
            for (int k = 0; k < count; k++) {
                const int c = columns[k];
                if (pass == 0) {
                    start[c + 1]++;
                    continue;
                }
                double B[9], *to = block + 9 * (size_t)start[c];
                const double *from =
                    stored ? stored->block + 9 * ((size_t)stored->start[j] + (size_t)k) : B;
                if (!stored) W->kind->block(W, j, c, B);
                for (int e = 0; e < 9; e++)
                    to[3 * (e % 3) + e / 3] = from[e];
                column[start[c]++] = j;
            }
        }
        for (int c = 0; pass == 0 && c < nc; c++)
            start[c + 1] += start[c];
    }
    /* filling moved every start to its end */
    memmove(start + 1, start, (size_t)nc * sizeof *start);
    start[0] = 0;
}

/* The entries of G by pairs of neighbouring rows: for a body of six coordinates, three. */
static void fill_pairs(blockwise *b) {
    for (int c = 0, at = 0; c < b->nc; c++) {
        const imp_gram_entries own = imp_gram_contact(b->gram, c);
        for (int k = 0; k < own.count; k++, at++) {
            const double *g = own.G + (size_t)k * own.by_entry;
            const bool both = k + 1 < own.count && own.row[k + 1] == own.row[k] + 1;
            b->row[at] = own.row[k];
            for (int r = 0; r < 3; r++, g += own.by_direction)
                b->pair[3 * (size_t)at + (size_t)r] = (two_lanes){*g, both ? g[own.by_entry] : 0};
            k += both;
        }
        b->start[c + 1] = at;
    }
}

/* The diagonal of W and q in units of the powers of two that bring the mean diagonal and the
 * largest velocity near 1. */
static void fill_contacts(blockwise *b, const imp_problem *problem) {
    double trace = 0, speed = 0;
    for (int c = 0; c < b->nc; c++) {
        double *A = b->contact[c].A;
        problem->W->kind->block(problem->W, c, c, A);
        trace += (A[0] + A[4] + A[8]) / (3.0 * b->nc);
        for (int r = 0; r < 3; r++)
            speed = imp_larger(speed, fabs(problem->q[3 * (size_t)c + (size_t)r]));
    }
    const int W_exponent = imp_exponent(trace), q_exponent = imp_exponent(speed);
    b->mean_diagonal = imp_ldexp(trace, -W_exponent);
    b->one = imp_ldexp(1, -W_exponent);
    b->impulse_exponent = q_exponent - W_exponent;
    for (int c = 0; c < b->nc; c++)
        for (int e = 0; e < 9; e++)
            b->contact[c].A[e] *= b->one;
    memcpy(b->q, problem->q, 3 * (size_t)b->nc * sizeof *b->q);
    imp_shift(b->q, 3 * (size_t)b->nc, -q_exponent);
}

/* Off-diagonal blocks that W has, as far as a cheap answer goes: 0 where its kind keeps none. */
static double blocks_of(const imp_operator *W) {
    const imp_blocks *stored = imp_operator_stored(W);
    return stored ? stored->start[W->nc] - W->nc : 0;
}

/* Bodies where W is not stored, or where reading and writing a contact's coordinates is less than
 * its neighbours. */
static void choose_coupling(blockwise *b, const imp_operator *W) {
    b->gram = imp_gram_of(W);
    b->over_bodies = (b->gram.factored || b->gram.sparse) &&
                     (!imp_operator_stored(W) || imp_gram_count(b->gram) < 2 * blocks_of(W));
    b->states = b->over_bodies ? imp_gram_rows(b->gram) : 3 * W->nc;
}

/* At most so many blocks or pairs are there to be filled in; list (nc) is scratch. */
static size_t most_of(const blockwise *b, const imp_operator *W, int *list) {
    const imp_blocks *stored = imp_operator_stored(W);
    if (b->over_bodies) return (size_t)imp_gram_count(b->gram);
    if (imp_operator_assembly(W)) return 0;
    if (stored) return (size_t)stored->start[b->nc];
    size_t most = 0;
    for (int c = 0; c < b->nc; c++)
        most += (size_t)W->kind->columns(W, c, list);
    return most;
}

/* `chosen` with all arrays in one piece, the blocks or pairs first; the others begin as zero. */
static blockwise *allocate(const blockwise *chosen, size_t most) {
    const size_t nc = (size_t)chosen->nc, in_blocks = (chosen->over_bodies ? 6 : 9) * most,
                 /* 1: the last row's neighbour */
        numbers = 9 * nc + (chosen->over_bodies ? (size_t)chosen->states + 1 : 0),
                 zeros = numbers * sizeof(double) + nc * sizeof(contact_block) +
                         (nc + 1 + most) * sizeof(int),
                 own = (sizeof *chosen + 15) / 16 * 16; /* as pairs are aligned */
    blockwise *b = malloc(own + in_blocks * sizeof(double) + zeros);
    if (!b) return NULL;
    void *arrays = (char *)b + own;
    *b = *chosen;
    b->pair = arrays;
    b->q = (double *)arrays + in_blocks;
    b->p = b->q + 3 * nc;
    b->u = b->p + 3 * nc;
    b->state = b->over_bodies ? b->u + 3 * nc : b->u;
    b->contact = (void *)(b->q + numbers);
    b->start = (void *)(b->contact + nc);
    b->row = b->start + nc + 1;
    memset(b->q, 0, zeros);
    return b;
}

/* The coupling by blocks of W or over bodies; list (nc) is scratch. */
static void fill(blockwise *b, const imp_operator *W, int *list) {
    if (b->over_bodies) {
        fill_pairs(b);
    } else if (imp_operator_assembly(W)) {
        b->columns = *imp_operator_stored(W);
    } else {
        double *block = (double *)b->pair;
        fill_columns(W, list, b->start, b->row, block);
        b->columns = (imp_blocks){b->nc, b->start, b->row, block};
    }
}

/* contact_block.faint of one among several: by itself it is asked for its approach whatever its
 * slip. 0 where friction can wedge it shut, mu |W_n,to| >= W_nn: there maximum dissipation has some
 * impulse, however little it approaches by. */
static double faint_of(const contact_block *c, const double q[3]) {
    if (!(c->mu * (fabs(c->pushes[0]) + fabs(c->pushes[1])) < 1)) return 0;
    return imp_velocity_rounding(imp_largest(q, 3, 1)) / c->weight;
}

blockwise *imp_blockwise_new(const imp_problem *problem, bool field_too) {
    const size_t nc = (size_t)problem->nc;
    const bool stored = imp_operator_stored(problem->W);
    int *list = stored ? NULL : malloc(nc * sizeof *list);
    blockwise chosen = {.nc = problem->nc, .field_too = field_too, .suspect = -1};
    choose_coupling(&chosen, problem->W);
    blockwise *b = stored || list ? allocate(&chosen, most_of(&chosen, problem->W, list)) : NULL;
    if (b) fill(b, problem->W, list);
    free(list);
    if (!b) return NULL;
    const bool definite = problem->nc == 1 && !imp_operator_factor(problem->W) &&
                          !imp_operator_singular(problem->W, 3);
    double square = 0;
    fill_contacts(b, problem);
    for (size_t i = 0; i < 3 * nc; i++)
        square += b->q[i] * b->q[i];
    b->q_norm = sqrt(square);
    for (size_t i = 0; i < nc; i++) {
        b->contact[i].mu = problem->mu[i];
        b->contact[i].still = IMP_UNSURE_VELOCITY * b->q_norm;
        if (definite)
            imp_contact_block_definite(&b->contact[i]);
        else
            imp_contact_block(&b->contact[i]);
        if (!(b->contact[i].weight > 0)) b->contact[i].weight = 1;
        if (nc > 1) b->contact[i].faint = faint_of(&b->contact[i], b->q + 3 * i);
        b->most_friction = imp_larger(b->most_friction, problem->mu[i]);
    }
    memcpy(b->u, b->q, 3 * nc * sizeof *b->u);
    return b;
}

const double *imp_blockwise_velocity(const blockwise *b, int c, double room[3]) {
    if (!b->over_bodies) return b->u + 3 * (size_t)c;
    whole_velocity(b, c, room);
    return room;
}

void imp_blockwise_look(blockwise *b) {
    for (int c = 0; b->over_bodies && c < b->nc; c++)
        (void)imp_blockwise_velocity(b, c, b->u + 3 * (size_t)c);
}

void imp_blockwise_refresh(blockwise *b) {
    if (b->over_bodies)
        memset(b->state, 0, (size_t)b->states * sizeof *b->state);
    else
        memcpy(b->u, b->q, 3 * (size_t)b->nc * sizeof *b->u);
    for (int c = 0; c < b->nc; c++) {
        const double *p = b->p + 3 * (size_t)c;
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) add_change(b, c, p);
    }
    imp_blockwise_look(b);
}

void imp_blockwise_set(blockwise *b, const double *impulse) {
    for (size_t i = 0; i < 3 * (size_t)b->nc; i++)
        b->p[i] = imp_ldexp(impulse[i], -b->impulse_exponent);
    imp_blockwise_refresh(b);
}

void imp_blockwise_start(blockwise *b, const double *guess) {
    const size_t n = 3 * (size_t)b->nc;
    bool finite = b->q_norm > 0; /* where nothing moves the answer is p = 0, to the last bit */
    memcpy(b->p, guess, n * sizeof *b->p);
    imp_shift(b->p, n, -b->impulse_exponent);
    for (size_t i = 0; i < n; i++)
        finite = finite && isfinite(b->p[i]);
    if (!finite) {
        memset(b->p, 0, n * sizeof *b->p);
        return;
    }
    imp_blockwise_refresh(b);
    for (int c = 0; c < b->nc; c++) { /* slips go on about as fast: u_t = -l p_t */
        const double *u = b->u + 3 * (size_t)c, *push = b->p + 3 * (size_t)c;
        const double slip = u[1] * u[1] + u[2] * u[2], rub = push[1] * push[1] + push[2] * push[2];
        /* but for friction that is next to nothing, as a slip's search has it */
        if (slip > 0 && slip <= rub * 0x1p800) b->contact[c].slowness = sqrt(slip / rub);
    }
}

void imp_blockwise_get(const blockwise *b, const double *p, double *impulse) {
    const size_t n = 3 * (size_t)b->nc;
    memcpy(impulse, p, n * sizeof *p);
    imp_shift(impulse, n, b->impulse_exponent);
}

void imp_blockwise_change(blockwise *b, int c, const double next[3]) {
    change_impulse(b, c, next);
}

anderson *imp_blockwise_mixing(const blockwise *b) {
    double *weight;
    anderson *a = imp_anderson_new(3 * b->nc, b->states, &weight);
    for (int i = 0; a && i < 3 * b->nc; i++)
        weight[i] = b->contact[i / 3].weight * b->contact[i / 3].weight;
    return a;
}

bool imp_blockwise_without_dust(const blockwise *b, double share, double *impulse) {
    bool any = false;
    for (int c = 0; c < b->nc; c++) {
        const double *p = b->p + 3 * (size_t)c;
        const double most = imp_largest(p, 3, 1);
        if (most == 0 || b->contact[c].weight * most > share * b->q_norm) continue;
        memset(impulse + 3 * (size_t)c, 0, 3 * sizeof *impulse);
        any = true;
    }
    return any;
}

/* The norm over `size`; of an iterate that ran away infinite, which no comparison takes for
 * good. */
static double relative(double square, double size) {
    return square < INFINITY ? sqrt(square) / size : INFINITY;
}

natural_error imp_blockwise_error(const blockwise *b) {
    double field = 0, scale_free = 0, approach = 0;
    for (int c = 0; c < b->nc; c++) {
        const double *p = b->p + 3 * (size_t)c, *u = b->u + 3 * (size_t)c, mu = b->contact[c].mu;
        if (u[0] >= 0 && p[0] == 0 && p[1] == 0 && p[2] == 0) continue;
        const double lift = mu * sqrt(u[1] * u[1] + u[2] * u[2]);
        if (b->field_too) field += imp_natural_square(p, u, mu, lift, b->one);
        scale_free += imp_natural_square(p, u, mu, lift, b->mean_diagonal);
        if (u[0] < 0) approach += u[0] * u[0];
    }
    const double size = b->q_norm > 0 ? b->q_norm : 1;
    return (natural_error){relative(field, size), relative(scale_free, size),
                           relative(approach, size)};
}

double imp_blockwise_judged(const blockwise *b, natural_error e) {
    const double least = imp_larger(e.scale_free, e.approach);
    return b->field_too ? imp_larger(e.field, least) : least;
}

double imp_blockwise_rounding(const blockwise *b) {
    double square = 0;
    for (int i = 0; i < 3 * b->nc; i++) {
        const double velocity = b->contact[i / 3].weight * b->p[i];
        square += velocity * velocity;
    }
    return imp_velocity_rounding(sqrt(square));
}

double imp_blockwise_work(const blockwise *b) {
    const double own = 250; /* a contact's own solve, about */
    const double coupling =
        b->over_bodies ? 24.0 * b->start[b->nc] : 18.0 * b->columns.start[b->nc];
    return coupling + own * b->nc;
}
