/* step_internal.h - what the files of the stepper share. */
#ifndef IMP_STEP_INTERNAL_H
#define IMP_STEP_INTERNAL_H

#include "multibody/step.h"

/* What a contact of the last step pushed with, N s in the world's axes. */
typedef struct imp_step_push {
    long long pair;
    double impulse[3];
} imp_step_push;

/* A piece of memory that grows and is used again by every step. */
typedef struct imp_step_memory {
    void *at;
    size_t bytes;
} imp_step_memory;

/* The moving trees that a contact touches, ascending, and their degrees of freedom. */
typedef struct imp_step_touch {
    int count, tree[2], nv[2];
} imp_step_touch;

/* Memory behind a stepper. */
typedef struct imp_step_store {
    double *q, *v;                  /* (nq), (nv) before the step */
    double *work;                   /* (3 nv) */
    double *H;                      /* (n x n) of the largest tree */
    void *friction;                 /* workspace of joint friction for it */
    imp_sparse half;                /* as J, its columns multiplied by L'^-1: W = half' half */
    imp_step_touch *touch;          /* (nc) */
    int laid_out;                   /* nc, where the arrays have the pattern of these; 0: not */
    int *start, *column, *mirrored; /* block rows of W; (nc) scratch */
    double *block, *mu, *e, *q_free;
    double *q_shifted, *e_shifted; /* (3nc), (nc) what the model is given */
    double *mu_v;                  /* (nc) kg, viscous friction times h */
    imp_assembled assembled;       /* W in blocks, with M, J and half */
    imp_operator W;
    imp_factored *left; /* W where loops leave their part of it */
    /* all arrays of the problem; the contacts of each tree, and its reverse; the last step's
     * impulses; the model's workspace */
    imp_step_memory arrays, lists, touches, pushed, workspace;
    bool kept;  /* pushed are those of the last step, whatever the problem at hand is */
    int pushes; /* in pushed: imp_step_push, ascending pairs */
} imp_step_store;

/* The pattern of M, a square for each tree. False without memory, or beyond what an int counts;
 * to be cleared all the same. */
bool imp_step_mass(const imp_world *world, imp_sparse *M);

/* Fills problem, gap, M and J from the list of contacts; the world is placed and its trees are
 * factorised.
 * IMP_OK, IMP_BAD_ARGUMENT (a link out of range, nothing that moves), IMP_NO_MEMORY; no problem (nc
 * = 0) then. */
imp_status imp_step_assemble(imp_stepper *stepper, const imp_step_settings *settings);

/* Rows of contact i in J and L'^-1 J along which joints let nothing move <- 0, and its q: by their
 * rounding any impulse would be free. */
void imp_step_leave_out_rows(imp_stepper *stepper, int i);

/* Row r of L'^-1 J, and its q, <- 0 where its entry of W is rounding of what loops leave. Was
 * it? */
bool imp_step_leave_out_row(imp_stepper *stepper, const imp_loops *loops, int r);

/* Overlaps that no impulse parts, since joints let nothing move along the normal, stay. */
void imp_step_leave_overlaps(imp_stepper *stepper);

/* Makes it a larger piece, its content lost, where `bytes` are more than there are. False without
 * memory. */
bool imp_step_grow(imp_step_memory *memory, size_t bytes);

/* Loops that lock or come open end a run. */
static inline imp_status imp_step_held(imp_status status) {
    return status > 0 ? IMP_UNSUPPORTED : status;
}

/* What a joint's friction takes in a step that gives it this impulse, J. */
static inline double imp_step_taken(const imp_stepper *s, int dof, double impulse) {
    return -0.5 * impulse * (s->store->v[dof] + s->world->v[dof]);
}

/* torque (of tree t) <- explicit friction: what opposes the velocities before the step. row (nv) is
 * scratch. */
void imp_step_oppose(const imp_stepper *stepper, const imp_step_settings *settings, int t,
                     double *row, double *torque);

/* v <- v with the friction of tree t's joints, whose bounds belong to the velocity before the step;
 * of a world of one tree with loops that of theirs, too. */
imp_status imp_step_rub(imp_stepper *stepper, const imp_step_settings *settings, int t);

/* Keeps the impulses of the last step, and makes them the guess p of the next: zero for contacts
 * that are new. False without memory. */
bool imp_step_remember(imp_stepper *stepper);
void imp_step_recall(imp_stepper *stepper);

#endif
