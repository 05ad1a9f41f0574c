/* law.h - what an impact law demands of an answer, and the certificate that checks it without
 * trusting any solver.
 *
 * A law is a descriptor like a model: models name the law they promise, and anybody's answer can be
 * held against any law. Each constraint of Preclik, Eibl, Ruede (2017), Fig. 1, is one named,
 * dimensionless residual; zero is perfect, rounding leaves a few 1e-16. */
#ifndef IMP_LAW_H
#define IMP_LAW_H

#include "contact/path.h"
#include "contact/problem.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

enum { IMP_RESIDUALS = 16 }; /* the most a law may name */

/* Data of a problem, beside W and q, that a law speaks of. */
enum {
    IMP_READS_VISCOUS = 1, /* mu_v */
    IMP_READS_GAP = 2,
    IMP_READS_FRICTION = 4,    /* mu */
    IMP_READS_RESTITUTION = 8, /* e */
};

/* One residual of a law: by how much an answer misses one of its demands. */
typedef struct imp_residual {
    const char *name; /* "cone", "stationarity", ... */
    double value;     /* dimensionless, relative to the data, the largest over the contacts */
} imp_residual;

/* What holding an answer against a law found. */
typedef struct imp_certificate {
    int count;                            /* how many residuals the law names */
    imp_residual residual[IMP_RESIDUALS]; /* in the law's order */
    double worst;                         /* the largest of them */
    int contact;                          /* the contact that carries it */
    double energy;                        /* J, change of kinetic energy: 1/2 p'Wp + p'q */
    /* J, rigorous bound on energy - (energy of the law's answer); INFINITY: none known */
    double energy_excess;
    /* sqrt(J), rigorous bound on |p - p*| in the metric of W; INFINITY: none known */
    double velocity_excess;
    const char *unjudged; /* why the law could not be decided, in words; NULL: it was */
    /* (nc) while a law notes: the largest residual of each contact; NULL: nobody asks for it */
    double *at;
} imp_certificate;

struct imp_local;

enum { IMP_GAINS_BOUNCING = 2 };

/* A law: a name, and how an answer is held against it. */
typedef struct imp_law {
    const char *name;      /* "maxdiss", "coulomb", ... */
    const char *statement; /* what it demands, one line */
    /* Notes the residuals (imp_certificate_note) and, where known, the two bounds. p is finite;
     * settings are those of the model that answered, NULL for its presets; path may be NULL.
     * NULL: `note` says all. */
    imp_status (*certify)(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result);
    /* 1: several impulses may satisfy the law; of one contact imp_coulomb_enumerate lists them */
    int several;
    /* 1: some answers of the law create energy, so that a gain by itself refutes none;
     * IMP_GAINS_BOUNCING: only where e > 0 at a contact */
    int may_gain;
    /* 1: `certify` follows a process, and what it notes are no velocities that terms of one hide */
    int follows;
    /* what a problem may carry that is not 0: IMP_READS_...; anything else is not judged */
    unsigned reads;
    /* The same of contact i alone, for laws that ask each by itself; beside `certify`: where no
     * contact bounces, e = 0 */
    void (*note)(const struct imp_local *local, int i, imp_certificate *result);
} imp_law;

/* Maximum dissipation (Preclik 2017, eq. 3), with Newton's plane u_n = -e q_n for one contact.
 * Residuals: signorini, restitution, cone, pressure, stationarity. */
extern const imp_law imp_law_maxdiss;

/* Signorini and Coulomb's law on impulses, purely inelastic (Preclik 2017, Fig. 1, lower half): it
 * judges no problem with e > 0. Residuals: signorini, restitution, cone, slip. */
extern const imp_law imp_law_coulomb;

/* Holds p (3nc, N s) against a law; settings (may be NULL: presets) are those of the model whose
 * law it is, in their range. A law that p alone decides reads neither path nor solver. Any other
 * checks the path, step by step; where there is none (NULL, or empty) it measures the distance from
 * the model's own answer instead, by the settings or, if that is nearer, by 1e-4 of their
 * tolerance, and notes it as the residual `from-model`. The residual `energy`,
 * a gain over the sum of all |p . u| terms, is noted of each island of contacts that W couples, for
 * every law that cannot create any, where none of its contacts overlaps (gap < 0), as pushing it
 * out creates some, and W is not as recorded (imp_operator.as_given). `cancellation` may stand
 * beside the residuals of every law: docs/laws.md.
 * IMP_OK: `result` is filled, whatever the residuals say; where `unjudged` says why, they decide
 * nothing. IMP_NOT_FINITE when p, W p or a number of the path is not, IMP_NO_MEMORY,
 * IMP_UNSUPPORTED (the problem carries e, mu, mu_v or a gap of which the law does not speak:
 * imp_law_reads), or a status of imp_problem_check_vectors; `result` untouched then. W is taken as
 * it is: whether it is symmetric and positive is imp_problem_check's question. Thread-safe. */
imp_status imp_certify(const imp_problem *problem, const imp_law *law, const void *settings,
                       const double *p, const imp_path *path, imp_certificate *result);

/* The same by p and the path alone; no model is asked. Where they do not decide, `unjudged` says so
 * by one of the two reasons below, which imp_certify settles. */
imp_status imp_certify_along(const imp_problem *problem, const imp_law *law, const void *settings,
                             const double *p, const imp_path *path, imp_certificate *result);

/* The residual of that name; NAN, which passes no comparison, where the certificate has none.
 * Thread-safe. */
double imp_certificate_residual(const imp_certificate *certificate, const char *name);

/* For those who write laws, as `unjudged`: there is no path, and the law wants one; the path made a
 * choice that the law leaves to its model. */
extern const char imp_no_path[], imp_chose[];

/* Does the law speak of all that the problem carries: e, mu, mu_v and gap, where one of them is not
 * 0? coulomb speaks of no e, lzb and frictionless of no mu. Thread-safe. */
int imp_law_reads(const imp_law *law, const imp_problem *problem);

/* For those who write laws: one contact with the impulses of all others held fixed, u = A p + v. */
typedef struct imp_local {
    double A[9];    /* 1/kg, the diagonal block W_ii */
    double v[3];    /* m/s, velocity without this contact's own impulse */
    double p[3];    /* N s */
    double size[3]; /* m/s, sum of the absolute values that make up u: what rounding is relative to;
                       with several contacts the largest of the three, since sweeps leave dust where
                       nothing else moves */
    double push;    /* N s, several contacts: the impulse that alone would make up such a velocity,
                       beside which one on an idle contact is small; one contact: 0 */
    double mu, e;   /* friction, restitution */
    double gap;     /* m/s, the law's row is u_n >= -gap */
} imp_local;

/* The local problem of contact i under the impulses p (3nc). Thread-safe. */
imp_local imp_local_problem(const imp_problem *problem, const double *p, int i);

/* Notes the residuals of Coulomb's law, and of maximum dissipation, of one contact, local->e being
 * the plane's; bounds are left alone. */
void imp_coulomb_note(const imp_local *local, int i, imp_certificate *certificate);
void imp_maxdiss_note(const imp_local *local, int i, imp_certificate *certificate);

/* Records `value`, a residual of contact i, under a name, keeping the largest. The first contact
 * fixes the order of names; one beyond IMP_RESIDUALS counts for the worst alone. A NaN counts as
 * infinite. */
void imp_certificate_note(imp_certificate *certificate, const char *name, double value, int i);

/* Notes "energy" of each island of contacts that W couples, under its first contact: the gain of p
 * beyond that of `allowed` (3nc each, N s; NULL: beyond none), over the sum of all |p . u| terms.
 * For laws that may gain; imp_certify does it for the others. IMP_OK, or IMP_NO_MEMORY with nothing
 * noted. Thread-safe. */
imp_status imp_certificate_note_energy(imp_certificate *certificate, const imp_problem *problem,
                                       const double *p, const double *allowed);

/* Notes what a law notes of p, by its `certify` or of one contact after another, for a law that
 * leans on it, without a path; the arguments are those of `certify`, whose status is returned. */
imp_status imp_certificate_note_law(imp_certificate *certificate, const imp_law *law,
                                    const imp_problem *problem, const void *settings,
                                    const double *p);

/* Notes "from-model" of each contact: the largest component of the velocity W (p - model) (3nc
 * each, N s). Of one contact over the terms that W p + q and W model + q are summed from, along the
 * normal or both tangents; of several over the largest component of |W p| + |W model| + |q| of the
 * contact, or of those terms, up to the island's largest q, if that is more. What is rounding of
 * the island's largest q, or of the problem's where the island has none above that, does not count,
 * but along the normal of one contact. Of velocities, since redundant contacts share an impulse as
 * they like.
 * IMP_OK, or IMP_NO_MEMORY with nothing noted. Thread-safe. */
imp_status imp_certificate_note_distance(imp_certificate *certificate, const imp_problem *problem,
                                         const double *p, const double *model);

IMP_PUBLIC_END

#endif
