/* bilateral_judge.c - velocities and impulses held against G v+ = g and the balance of momentum.
 *
 * Sizes are those of impulses of the rows that follow from p: of redundant rows any others may be
 * added that cancel, and as large as they are they would hide what is missed. */
#include "contact/bilateral_internal.h"

#include "base/length.h"
#include "linear/join.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is summed up over impulses and rows. */
typedef struct sums {
    double *change;   /* (6nb) v+ - v less what the impulses give */
    double *moved;    /* (2nb) the lengths of the parts of velocity and spin */
    double *row;      /* (rows) G v+ - g */
    double *row_size; /* (rows) its absolute parts */
    double *own;      /* (rows) A_ii, each term for itself */
    double *slide, *slide_size, *slide_own; /* (rubs) w, and the same of it */
    const double *velocity;                 /* (6nb) after */
    double work, work_size;                 /* J, of all impulses, and its absolute parts */
    int *island;                            /* (nb) of bodies that contacts, rows and joints tie */
    int *row_home, *rub_home;               /* (rows), (rubs) a body of each that moves */
    double *largest; /* (nb) sqrt(J), velocity that one impulse of an island alone gives in energy
                        units, at its first body */
    double *fastest; /* (nb) m/s, of an island by own_speed, at its first body */
} sums;

/* Ties a body that moves to *home, the first such of a contact, row or joint; -1: none as yet. */
static void tie(const imp_bilateral *b, int body, int *home, sums *s) {
    if (body == IMP_GROUND || b->roots.first[body] < 0) return;
    if (*home < 0) *home = body;
    imp_join(s->island, *home, body);
}

static void find_islands(const imp_bilateral *b, sums *s) {
    for (int i = 0; i < b->nb; i++)
        s->island[i] = i;
    for (int r = 0; r < b->rows; r++)
        s->row_home[r] = -1;
    for (int r = 0; r < b->rubs; r++)
        s->rub_home[r] = -1;
    for (int i = 0; i < b->nc; i++) {
        int home = -1;
        tie(b, b->contact[i].a, &home, s);
        tie(b, b->contact[i].b, &home, s);
    }
    for (int t = 0; t < b->terms; t++)
        tie(b, b->term[t].body, s->row_home + b->term[t].row, s);
    for (int t = 0; t < b->rub_terms; t++)
        tie(b, b->rub[t].body, s->rub_home + b->rub[t].row, s);
}

/* The largest of the island of a body; of none that moves there is none. */
static double *largest_of(const sums *s, int body) {
    return body < 0 ? NULL : s->largest + imp_join_first(s->island, body);
}

static void note_largest(const sums *s, int body, double impulse, double own) {
    double *largest = largest_of(s, body);
    if (largest) *largest = fmax(*largest, fabs(impulse) * sqrt(own));
}

/* A velocity along a row or a joint that rubs, m/s or rad/s, less what rounding of the island's
 * impulses leaves there. What is left counts beside the row's own parts, not beside what these
 * impulses do elsewhere. */
static double beyond_dust(const sums *s, int body, double own, double velocity) {
    const double *largest = largest_of(s, body);
    return largest && fabs(velocity) < IMP_CANCELLED * sqrt(own) * *largest ? 0 : velocity;
}

/* Velocity and spin (6) before the impact. */
static void motion_of(const imp_body *body, double before[6]) {
    memcpy(before, body->velocity, sizeof body->velocity);
    memcpy(before + 3, body->spin, sizeof body->spin);
}

/* An impulse with the wrench axis (force, moment) on a body; `by` stands in its place in sizes and
 * works. Returns axis' M^-1 axis. */
static double push(const imp_bilateral *b, int body, double impulse, double by,
                   const double axis[6], sums *s) {
    double inverse[9], part[6], before[6], own = 0;
    const imp_body *it = &b->body[body];
    imp_body_inv_inertia_world(it, inverse);
    motion_of(it, before);
    for (int k = 0; k < 3; k++) {
        part[k] = it->inv_mass * axis[k];
        part[3 + k] =
            inverse[3 * k] * axis[3] + inverse[3 * k + 1] * axis[4] + inverse[3 * k + 2] * axis[5];
    }
    for (int k = 0; k < 6; k++) {
        own += axis[k] * part[k];
        s->change[6 * body + k] -= impulse * part[k];
        const double after = s->velocity[6 * body + k];
        s->work += 0.5 * by * axis[k] * (before[k] + after);
        s->work_size += 0.5 * fabs(by * axis[k]) * (fabs(before[k]) + fabs(after));
    }
    s->moved[2 * body] += fabs(by) * imp_length3(part);
    s->moved[2 * body + 1] += fabs(by) * imp_length3(part + 3);
    return own;
}

static void push_contacts(const imp_bilateral *b, const double *p, sums *s) {
    for (int k = 0; k < 6 * b->nc; k++) {
        const int i = k / 6, r = k / 2 % 3, body = k % 2 ? b->contact[i].b : b->contact[i].a;
        if (body == IMP_GROUND) continue;
        const imp_arm arm = imp_arm_of(&b->contact[i], body, b->body);
        double axis[6];
        for (int a = 0; a < 3; a++) {
            axis[a] = arm.sign * b->contact[i].frame[3 * r + a];
            axis[3 + a] = arm.sign * arm.angular[3 * r + a];
        }
        const double own = push(b, body, p[3 * i + r], p[3 * i + r], axis, s);
        note_largest(s, body, p[3 * i + r], own);
    }
}

/* A term's part of what its row is, after the impact, and the size of that. */
static void add_part(const imp_bilateral *b, const imp_term *term, const sums *s, double *row,
                     double *size) {
    double before[6];
    motion_of(&b->body[term->body], before);
    for (int k = 0; k < 6; k++) {
        const double after = term->axis[k] * s->velocity[6 * term->body + k];
        row[term->row] += after;
        size[term->row] += fabs(after) + fabs(term->axis[k] * before[k]);
    }
}

static void push_rows(const imp_bilateral *b, const double *lambda, const double *by, sums *s) {
    for (int t = 0; t < b->terms; t++) {
        const imp_term *term = &b->term[t];
        s->own[term->row] += push(b, term->body, lambda[term->row], by[term->row], term->axis, s);
        add_part(b, term, s, s->row, s->row_size);
    }
    for (int r = 0; r < b->rows; r++) {
        s->row[r] -= b->rate[r];
        s->row_size[r] += fabs(b->rate[r]);
        note_largest(s, s->row_home[r], by[r], s->own[r]);
    }
}

static void push_rubs(const imp_bilateral *b, const double *x, sums *s) {
    for (int t = 0; t < b->rub_terms; t++) {
        const imp_term *term = &b->rub[t];
        const double own = x ? x[term->row] : 0;
        s->slide_own[term->row] += push(b, term->body, own, own, term->axis, s);
        add_part(b, term, s, s->slide, s->slide_size);
    }
    for (int i = 0; x && i < b->rubs; i++)
        note_largest(s, s->rub_home[i], x[i], s->slide_own[i]);
}

/* m, of a body that no impulse moves in one of the two ways 0. */
static double radius_of_gyration(const imp_bilateral *b, int body) {
    double inverse[9];
    imp_body_inv_inertia_world(&b->body[body], inverse);
    const double turns = inverse[0] + inverse[4] + inverse[8];
    return b->roots.first[body] >= 0 && turns > 0 ? sqrt(3 * b->body[body].inv_mass / turns) : 0;
}

/* Speed, m/s, of a body by its impulses alone, of those that turn it too. */
static double own_speed(const imp_bilateral *b, int body, const sums *s) {
    return s->moved[2 * body] + radius_of_gyration(b, body) * s->moved[2 * body + 1];
}

static void find_fastest(const imp_bilateral *b, sums *s) {
    for (int i = 0; i < b->nb; i++) {
        double *fastest = s->fastest + imp_join_first(s->island, i);
        *fastest = fmax(*fastest, own_speed(b, i, s));
    }
}

/* What rounding of impulses leaves of the body's velocity; of its spin. Of its own impulses: where
 * they cancel, as in a joint that is held, nothing else may be there. And of its island's, whose
 * rounding rows spread to a body at rest: no more than of the fastest body, since the largest in
 * energy may be so heavy that as much would hide all of a light one's motion, nor than of that,
 * since the fastest may be so light that it would hide a heavy one's. */
static double dust_of(const imp_bilateral *b, int body, bool spin, const sums *s) {
    const double radius = radius_of_gyration(b, body);
    if (!(radius > 0)) return 0;
    const int first = imp_join_first(s->island, body);
    const double by_energy = sqrt(b->body[body].inv_mass) * s->largest[first],
                 spread = fmin(s->fastest[first], by_energy);
    return IMP_CANCELLED * fmax(own_speed(b, body, s), spread) / (spin ? radius : 1);
}

static double worst_body(const imp_bilateral *b, const double *velocity, sums *s) {
    double worst = 0;
    for (int i = 0; i < 2 * b->nb; i++) {
        const double *before = i % 2 ? b->body[i / 2].spin : b->body[i / 2].velocity,
                     *after = velocity + 3 * (size_t)i, *change = s->change + 3 * (size_t)i;
        double missed[3];
        for (int k = 0; k < 3; k++)
            missed[k] = change[k] + after[k] - before[k];
        const double size = s->moved[i] + imp_length3(before) + imp_length3(after);
        const double off = imp_length3(missed);
        if (!(off < dust_of(b, i / 2, i % 2, s)))
            worst = fmax(worst, imp_bilateral_relative(off, size));
    }
    return worst;
}

/* What the joints that rub are off by. */
static void judge_rubs(const imp_bilateral *b, const double *x, const sums *s,
                       imp_bilateral_errors *errors) {
    bool driven = false;
    for (int r = 0; r < b->rows; r++)
        driven = driven || b->rate[r] != 0;
    for (int i = 0; i < b->rubs; i++) {
        const double bound = b->bound[i], own = x ? x[i] : 0, size = s->slide_size[i],
                     w = beyond_dust(s, s->rub_home[i], s->slide_own[i], s->slide[i]);
        errors->bound =
            fmax(errors->bound,
                 fabs(own) > bound ? imp_bilateral_relative(fabs(own) - bound, fabs(own)) : 0);
        /* what it lacks of the power times the slip is of second order where both are little */
        const double idle = fmin(imp_bilateral_relative(fabs(w), size),
                                 imp_bilateral_relative(bound - fabs(own), bound));
        errors->slip = fmax(errors->slip,
                            imp_bilateral_relative(fabs(bound * fabs(w) + own * w), bound * size));
        errors->slip = fmax(errors->slip, idle);
    }
    if (b->rubs > 0 && !driven && !(s->work <= 0))
        errors->gain = imp_bilateral_relative(s->work, s->work_size);
}

imp_status imp_bilateral_judge_by(const imp_bilateral *b, const double *p, const double *x,
                                  const double *velocity, const double *lambda,
                                  const double *follows, imp_bilateral_errors *errors) {
    const size_t nb = (size_t)b->nb, m = (size_t)b->rows, rubs = (size_t)b->rubs;
    double *room = calloc(10 * nb + 3 * m + 3 * rubs + 1, sizeof *room),
           *slide = room + 8 * nb + 3 * m;
    int *label = malloc((nb + m + rubs + 1) * sizeof *label);
    if (!room || !label) {
        free(room);
        free(label);
        return IMP_NO_MEMORY;
    }
    sums s = {.velocity = velocity,
              .change = room,
              .moved = room + 6 * nb,
              .row = room + 8 * nb,
              .row_size = room + 8 * nb + m,
              .own = room + 8 * nb + 2 * m,
              .slide = slide,
              .slide_size = slide + rubs,
              .slide_own = slide + 2 * rubs,
              .largest = slide + 3 * rubs,
              .fastest = slide + 3 * rubs + nb,
              .island = label,
              .row_home = label + nb,
              .rub_home = label + nb + m};
    find_islands(b, &s);
    push_contacts(b, p, &s);
    push_rows(b, lambda, follows, &s);
    push_rubs(b, x, &s);
    find_fastest(b, &s);
    *errors = (imp_bilateral_errors){.momentum = worst_body(b, velocity, &s)};
    for (size_t r = 0; r < m; r++) {
        const double off = beyond_dust(&s, s.row_home[r], s.own[r], s.row[r]);
        errors->velocity = fmax(errors->velocity, imp_bilateral_relative(fabs(off), s.row_size[r]));
    }
    judge_rubs(b, x, &s, errors);
    free(label);
    free(room);
    return IMP_OK;
}

double imp_bilateral_worst(const imp_bilateral_errors *e) {
    return fmax(fmax(e->velocity, e->momentum), fmax(e->bound, fmax(e->slip, e->gain)));
}
