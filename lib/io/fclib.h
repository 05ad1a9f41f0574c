/* fclib.h - FCLIB files: frictional contact problems of the field in HDF5, local and global.
 *
 * Acary, Bremond, Huber, Brogliato et al., FCLIB 3. Local: u = W r + V l + q, V'r + R l + s = 0.
 * Global: M v = H r + G l + f, u = H'v + w, G'v + b = 0, l the impulses of bilateral constraints,
 * which most problems have not. Contact frames are normal first, as here. Files are read on the
 * HDF5 C interface itself; every size is checked against the file before anything is allocated. The
 * HDF5 library is not thread-safe as Debian builds it: one call at a time. */
#ifndef IMP_FCLIB_H
#define IMP_FCLIB_H

#include "linear/factored.h"
#include "contact/problem.h"
#include "linear/rank.h"
#include "linear/sparse.h"
#include "io/error.h"
#include "io/stream.h"

/* What came of solving: attributes of the solution group. model NULL: none. */
typedef struct imp_fclib_mark {
    const char *model, *status;
    double field, scale_free; /* natural-map errors, imp_natural_error */
    double residual;          /* of the certificate by the model's law */
    double energy;            /* J */
    bool with_facts;
    imp_operator_facts facts; /* of W; written where with_facts, but for a rank that is not known */
} imp_fclib_mark;

/* A problem as the file holds it; what a form does not have is empty or NULL. */
typedef struct imp_fclib {
    int nc;          /* contacts */
    int dof;         /* global: degrees of freedom; 0: the local form */
    imp_sparse W;    /* local: (3nc x 3nc) 1/kg */
    double *q;       /* local: (3nc) m/s */
    imp_sparse M, H; /* global: (dof x dof), (dof x 3nc) */
    double *f, *w;   /* global: (dof), (3nc) */
    int bilateral;   /* constraints; 0: none, and nothing of the next two lines */
    imp_sparse V, R; /* local: (3nc x bilateral), (bilateral x bilateral) */
    imp_sparse G;    /* global: (dof x bilateral) */
    double *s, *b;   /* (bilateral) local, global */
    double *mu;      /* (nc) */
    double *guess;   /* (3nc) N s, the file's first guess of r, or NULL */
    /* (3nc) N s, the file's solution r, or NULL; the public collection holds zeros here */
    double *solution;
    double *multipliers; /* (bilateral) N s, l of the file's solution, or NULL; not written */
    char *title, *description, *math_info; /* of the group info, NULL: none */
    imp_fclib_mark mark;                   /* written beside the solution; not read */
} imp_fclib;

/* Is this the beginning (n bytes) of an HDF5 file? */
int imp_fclib_recognise(const unsigned char *bytes, size_t n);

/* Reads a problem. IMP_OK, or IMP_IO, IMP_BAD_ARGUMENT, IMP_UNSUPPORTED (two-dimensional),
 * IMP_NO_MEMORY with one line in *error; *problem is empty then. Free with
 * imp_fclib_clear. */
imp_status imp_fclib_read(imp_input *input, imp_fclib *problem, imp_error *error);

/* Writes a problem, with its guess and solution where it has them; u, v and l of the solution are
 * computed, and with l its attribute error_constraints (imp_fclib_constrain). `name` is for
 * messages. IMP_OK, IMP_IO, IMP_NO_MEMORY. The caller commits the output. */
imp_status imp_fclib_write(FILE *out, const char *name, const imp_fclib *problem, imp_error *error);

/* *made <- a contact problem in the local form, without its e (FCLIB knows none); guess (3nc) may
 * be NULL. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_fclib_of(const imp_problem *problem, const double *guess, imp_fclib *made);

/* Is M a mass matrix? IMP_OK, IMP_NOT_SYMMETRIC (M_ij and M_ji differ by more than 1e-12 of
 * sqrt(M_ii M_jj)), IMP_NOT_POSITIVE, IMP_NO_MEMORY. */
imp_status imp_fclib_check_mass(const imp_sparse *M);

/* *local <- the local form of a global problem (W = H' M^-1 H, q = H' M^-1 f + w; V = H' M^-1 G, R
 * = G' M^-1 G, s = G' M^-1 f + b), or a copy of a local one, with its guess and solution. IMP_OK,
 * those of imp_fclib_check_mass; *local empty then. */
imp_status imp_fclib_local(const imp_fclib *problem, imp_fclib *local);

/* *error <- by how much anybody's r and l (bilateral) miss the constraints: the largest of |V'r + R
 * l + s| over the sum of its absolute parts, by the local form; INFINITY where they are no numbers.
 * The parts of R l are those of the l that follows from r, where there is one: of redundant
 * constraints it may be as large as one likes. Of a global file, whose local form is computed, what
 * is rounding of its own numbers, 1e-13 of them, misses nothing, nor does a row all of which is
 * rounding beside another, or a contact, by velocities over the roots of R_jj or W_ii. Statuses as
 * imp_fclib_local. */
imp_status imp_fclib_judge(const imp_fclib *problem, const double *r, const double *l,
                           double *error);

void imp_fclib_clear(imp_fclib *problem);

/* A file's contact problem, u = W p + q: W as recorded (imp_operator.as_given). A global problem
 * whose mass matrix couples few coordinates keeps its bodies (linear/factored.h); its blocks are
 * written out as well unless a body has so many contacts that they would be far more than the
 * contacts. Of one with constraints W and q are what those leave, over the bodies where there
 * are any to keep, and by blocks from the local form (io/fclib_bilateral.h).
 * Points into itself: do not copy. */
typedef struct imp_fclib_posed {
    imp_problem problem; /* mu is the file's */
    imp_operator W;
    imp_reduced reduced;
    imp_blocks *blocks;
    imp_factored *factored;
    double *q;
} imp_fclib_posed;

/* IMP_OK, those of imp_fclib_check_mass, of constraints also the statuses of imp_fclib_eliminate;
 * *posed empty then. The file must outlive it. */
imp_status imp_fclib_pose(const imp_fclib *file, imp_fclib_posed *posed);

/* The same of a file of that name, whose problem imp_problem_check accepts: IMP_OK, or
 * IMP_BAD_ARGUMENT, IMP_NO_MEMORY with one line in *error. */
imp_status imp_fclib_state(const imp_fclib *file, const char *name, imp_fclib_posed *posed,
                           imp_error *error);
void imp_fclib_posed_clear(imp_fclib_posed *posed);

#endif
