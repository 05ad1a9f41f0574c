/* fresh.h - instances of every class of problems that nobody has seen before: drawn by a seed,
 * turned, scaled and shuffled.
 *
 * Instance k of a class and a seed is the same for ever, and can be made alone. */
#ifndef FRESH_H
#define FRESH_H

#include "contact/problem.h"
#include "gen.h"

#include <stdbool.h>

/* A problem over memory of its own; points into itself: do not copy. */
typedef struct fresh_problem {
    imp_problem problem;
    imp_operator W;
    imp_blocks blocks;
    int *structure;  /* start (nc + 1), column (start[nc]) */
    double *numbers; /* the blocks, then q (3nc), mu (nc), e (nc) */
} fresh_problem;

typedef struct fresh_class {
    const char *name, *contacts, *about; /* "wall", "8 to 160", one line */
    bool one;                            /* one contact: a row of a table */
} fresh_class;

/* All classes, ended by one without a name. */
extern const fresh_class fresh_classes[];

/* *made <- instance k. Free with fresh_clear. IMP_OK, or IMP_NO_MEMORY with *made empty. */
imp_status fresh_make(const fresh_class *c, uint64_t seed, uint64_t k, fresh_problem *made);

/* *made <- `from` written in another way: its contacts shuffled, the tangents of each turned and
 * perhaps mirrored, W and q in other units, both by powers of two. Every other contact is turned by
 * a quarter only, which keeps ties; with `planar` all of them by half turns, which keep the plane
 * (n, t). mu_v and gap are left out. IMP_OK, or IMP_NO_MEMORY with *made empty. */
imp_status fresh_disguise(const imp_problem *from, bool planar, gen_stream *s, fresh_problem *made);

/* In which ways a problem is written anew. */
enum {
    FRESH_ORDER = 1,    /* contacts shuffled */
    FRESH_FRAMES = 2,   /* the tangents of each contact turned */
    FRESH_QUARTERS = 4, /* these by quarter turns alone, */
    FRESH_HALVES = 8,   /* or by half turns */
    FRESH_MIRROR = 16,  /* the third axis of each reversed */
    FRESH_MASS = 32,    /* W in other units */
    FRESH_UNITS = 64,   /* q in other units */
};

/* How one is written: contact i is the old one order[i], its axes (n, t, o) those of the rows
 * (1, 0, 0), (0, c, s), mirror (0, -s, c); W and q in units of w and v. */
typedef struct fresh_writing {
    int nc, *order, *place; /* (nc each) place[order[i]] = i */
    double *turn;           /* (3nc) c, s, mirror of each */
    double w, v;
} fresh_writing;

/* *made <- `from` written anew in these ways alone, *how <- in which. Free both. mu_v and gap are
 * left out. IMP_OK, or IMP_NO_MEMORY with both empty. */
imp_status fresh_rewrite(const imp_problem *from, unsigned ways, gen_stream *s, fresh_problem *made,
                         fresh_writing *how);

/* old (3nc, N s) <- the impulse p (3nc) of the problem written so, for the problem that it was
 * written from. */
void fresh_read_back(const fresh_writing *how, const double *p, double *old);

void fresh_writing_clear(fresh_writing *how);

void fresh_clear(fresh_problem *p);

#endif
