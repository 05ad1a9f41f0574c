/* law.c - certification common to all laws: finite input, one contact at a time, the largest
 * residual kept; energy and what cancels island by island. */
#include "contact/local.h"
#include "base/finite.h"
#include "linear/factored.h"
#include "linear/islands.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void imp_local_fill(const imp_problem *problem, const double *p, int i, imp_local *local) {
    const imp_operator *W = problem->W;
    local->mu = problem->mu[i];
    local->e = problem->e ? problem->e[i] : 0;
    local->gap = problem->gap ? problem->gap[i] : 0;
    local->push = 0;
    W->kind->block(W, i, i, local->A);
    W->kind->row(W, i, i, p, local->v, local->size);
    memcpy(local->p, p + 3 * (size_t)i, sizeof local->p);
    for (int r = 0; r < 3; r++) {
        const double q = problem->q[3 * (size_t)i + (size_t)r];
        local->v[r] += q;
        local->size[r] += fabs(q);
        for (int c = 0; c < 3; c++)
            local->size[r] += fabs(local->A[3 * r + c] * local->p[c]);
    }
    if (problem->nc > 1) imp_local_merge(local);
}

imp_local imp_local_problem(const imp_problem *problem, const double *p, int i) {
    imp_local local;
    imp_local_fill(problem, p, i, &local);
    return local;
}

static bool same_text(const char *a, const char *b) {
    return *a == *b && strcmp(a, b) == 0;
}

void imp_certificate_note(imp_certificate *certificate, const char *name, double value, int i) {
    int k = 0;
    /* most often the very same text */
    while (k < certificate->count && certificate->residual[k].name != name)
        k++;
    if (k == certificate->count)
        for (k = 0; k < certificate->count && !same_text(certificate->residual[k].name, name);)
            k++;
    if (k == certificate->count && k < IMP_RESIDUALS)
        certificate->residual[certificate->count++] = (imp_residual){name, 0};
    if (isnan(value)) value = INFINITY;
    if (k < IMP_RESIDUALS && value > certificate->residual[k].value)
        certificate->residual[k].value = value;
    if (value > certificate->worst) {
        certificate->worst = value;
        certificate->contact = i;
    }
    if (certificate->at && value > certificate->at[i]) certificate->at[i] = value;
}

double imp_certificate_residual(const imp_certificate *certificate, const char *name) {
    for (int k = 0; k < certificate->count; k++)
        if (strcmp(certificate->residual[k].name, name) == 0) return certificate->residual[k].value;
    return NAN;
}

/* Powers of two that bring the largest impulse and velocity near 1: a square might leave the range
 * of double. */
typedef struct units {
    double p, v;
} units;

static double unit_of(const double *x, size_t n) {
    return imp_ldexp(1, -imp_factor_exponent(imp_largest(x, n, 1)));
}

/* v <- |W d|, d = p - model (3nc), of contact i but for components up to `dust`, of one contact
 * along its tangents; size <- what these are relative to: of one contact the terms that velocities
 * are summed from, those of both tangents together; of several the velocities, the largest for all,
 * as terms that cancel would hide some; but where a contact rests before and after, the terms, up
 * to `fastest`, the largest q of its island; m/s. */
static void distance_of(const imp_problem *problem, const double *p, const double *model,
                        const double *d, double dust, double fastest, int i, double v[3],
                        double size[3]) {
    const imp_operator *W = problem->W;
    double u[2][3], terms[2][3];
    W->kind->row(W, i, -1, p, u[0], terms[0]);
    W->kind->row(W, i, -1, model, u[1], terms[1]);
    W->kind->row(W, i, -1, d, v, NULL);
    const bool lone = problem->nc == 1;
    for (int r = 0; r < 3; r++) {
        v[r] = fabs(v[r]) > (lone && r == 0 ? 0 : dust) ? fabs(v[r]) : 0;
        size[r] = lone ? terms[0][r] + terms[1][r] : fabs(u[0][r]) + fabs(u[1][r]);
        size[r] += fabs(problem->q[3 * (size_t)i + (size_t)r]);
    }
    if (lone) {
        size[1] = size[2] = imp_length(size[1], size[2]);
        return;
    }
    double most = imp_largest(size, 3, 1), summed = 0;
    for (int r = 0; r < 3; r++)
        summed = imp_larger(summed, terms[0][r] + terms[1][r]);
    most = imp_larger(most, summed < fastest ? summed : fastest);
    size[0] = size[1] = size[2] = most;
}

/* What one look at the contacts of an island tells, islands being what W couples: nothing of one is
 * measured by what another does. */
typedef struct survey {
    int first;          /* its first contact */
    bool overlaps;      /* gap < 0 at one of them */
    bool apart;         /* one of them gains energy, or cancels: more may, than all do together */
    double gain, stake; /* of energy, the sum of p . (u + q) / 2, and the terms that its rounding is
                           relative to; in the units of the look */
    double work;        /* the sum of p . q, in those units */
    double size, data;  /* m/s, the largest sum of absolute values that makes up a velocity; the
                           largest of q and gap */
    double worst;       /* the largest residual of the law */
} survey;

/* From so many times the data on terms of a velocity hide what counts. */
static const double FAR = 1e3;

typedef void (*noting)(const imp_local *, int, imp_certificate *);

/* What contact i adds to the survey of its island. False: p or W p is not finite. */
static inline bool look_at(const imp_problem *problem, const imp_local *c, int i, units unit,
                           survey *island) {
    double gain = 0, stake = 0, work = 0, size = 0, data = fabs(c->gap);
    bool finite = true;
    for (int r = 0; r < 3; r++) {
        const double *row = c->A + 3 * (size_t)r, q = problem->q[3 * (size_t)i + (size_t)r],
                     u = row[0] * c->p[0] + row[1] * c->p[1] + row[2] * c->p[2] + c->v[r],
                     mean = 0.5 * u + 0.5 * q, push = c->p[r] * unit.p;
        size = imp_larger(size, c->size[r]);
        data = imp_larger(data, fabs(q));
        finite = finite && isfinite(c->p[r]) && isfinite(c->size[r]);
        gain += push * (mean * unit.v);
        stake += fabs(push) * (c->size[r] * unit.v);
        work += push * (q * unit.v);
    }
    island->apart = island->apart || gain > 4 * DBL_EPSILON * stake || size > FAR * data;
    island->overlaps = island->overlaps || c->gap < 0;
    island->gain += gain;
    island->stake += stake;
    island->work += work;
    island->size = imp_larger(island->size, size);
    island->data = imp_larger(island->data, data);
    return finite;
}

/* The contacts as one island, each noted where `note` is given. False: p or W p is not finite, and
 * the rest is left out. */
static bool look(const imp_problem *problem, const double *p, units unit, noting note,
                 imp_certificate *certificate, survey *all) {
    bool finite = true;
    survey sum = {0};
    for (int i = 0; i < problem->nc && finite; i++) {
        imp_local c;
        imp_local_fill(problem, p, i, &c);
        finite = look_at(problem, &c, i, unit, &sum);
        if (note && finite) note(&c, i, certificate);
    }
    *all = sum;
    return finite;
}

/* The same island by island, of what is finite. of (count), label (nc). */
static void look_apart(const imp_problem *problem, const double *p, units unit, noting note,
                       imp_certificate *certificate, int count, const int *label, survey *of) {
    for (int k = 0; k < count; k++)
        of[k] = (survey){.first = -1};
    for (int i = 0; i < problem->nc; i++) {
        survey *own = of + label[i];
        const imp_local c = imp_local_problem(problem, p, i);
        if (own->first < 0) own->first = i;
        (void)look_at(problem, &c, i, unit, own);
        if (note) note(&c, i, certificate);
    }
}

enum { FEW = 16 }; /* contacts whose islands go on the stack */

typedef struct islands {
    int count, *label; /* label: (nc) */
    survey *of;        /* (count) */
    double *at;        /* (nc) the largest residual of each contact */
    survey few[FEW];
    double few_at[FEW];
    int few_label[FEW];
} islands;

static void islands_close(islands *s) {
    if (s->of != s->few) free(s->of);
}

/* False without memory; islands_close is due otherwise. */
static bool islands_open(islands *s, const imp_problem *problem) {
    const size_t nc = (size_t)problem->nc;
    s->of = s->few;
    s->at = s->few_at;
    s->label = s->few_label;
    if (nc > FEW) {
        s->of = malloc(nc * (sizeof *s->of + sizeof *s->at + sizeof *s->label));
        if (!s->of) return false;
        s->at = (double *)(s->of + nc);
        s->label = (int *)(s->at + nc);
    }
    s->count = imp_islands(problem->W, s->label);
    if (s->count < 0) islands_close(s);
    return s->count >= 0;
}

/* of[k].data <- the largest q of island k. */
static void find_fastest(const imp_problem *problem, islands *s) {
    for (int i = 0; i < problem->nc; i++)
        s->of[s->label[i]].data = 0;
    for (int i = 0; i < problem->nc; i++) {
        survey *own = s->of + s->label[i];
        own->data = imp_larger(own->data, imp_largest(problem->q + 3 * (size_t)i, 3, 1));
    }
}

imp_status imp_certificate_note_distance(imp_certificate *certificate, const imp_problem *problem,
                                         const double *p, const double *model) {
    const size_t n = 3 * (size_t)problem->nc;
    /* what rounding leaves where a body rolls beside what moves: of the island's largest q, or of
     * the problem's, beside which all that the island has may be rounding */
    static const double share = 8 * DBL_EPSILON;
    const double rest = share * imp_largest(problem->q, n, 1);
    double *d = malloc(n * sizeof *d), v[3], size[3];
    islands s;
    if (!d || !islands_open(&s, problem)) {
        free(d);
        return IMP_NO_MEMORY;
    }
    find_fastest(problem, &s);
    for (size_t k = 0; k < n; k++)
        d[k] = p[k] - model[k];
    for (int i = 0; i < problem->nc; i++) {
        const double fastest = s.of[s.label[i]].data;
        const double dust = fastest > rest ? share * fastest : rest;
        distance_of(problem, p, model, d, dust, fastest, i, v, size);
        for (int r = 0; r < 3; r++)
            imp_certificate_note(certificate, "from-model", imp_relative(v[r], size[r]), i);
    }
    islands_close(&s);
    free(d);
    return IMP_OK;
}

static units units_of(const imp_problem *problem, const double *p) {
    const size_t n = 3 * (size_t)problem->nc;
    return (units){unit_of(p, n), unit_of(problem->q, n)};
}

/* `spare`: a gain that the law explains. */
static void note_gain(imp_certificate *certificate, const survey *s, double spare) {
    imp_certificate_note(certificate, "energy", s->gain > spare ? (s->gain - spare) / s->stake : 0,
                         s->first);
}

imp_status imp_certificate_note_energy(imp_certificate *certificate, const imp_problem *problem,
                                       const double *p, const double *allowed) {
    const units unit = units_of(problem, p);
    islands s;
    if (!islands_open(&s, problem)) return IMP_NO_MEMORY;
    double *spare = calloc((size_t)s.count, sizeof *spare);
    if (spare && allowed) {
        look_apart(problem, allowed, unit, NULL, NULL, s.count, s.label, s.of);
        for (int k = 0; k < s.count; k++)
            spare[k] = imp_larger(0, s.of[k].gain);
    }
    if (spare) look_apart(problem, p, unit, NULL, NULL, s.count, s.label, s.of);
    for (int k = 0; spare && k < s.count; k++)
        note_gain(certificate, s.of + k, spare[k]);
    islands_close(&s);
    free(spare);
    return spare ? IMP_OK : IMP_NO_MEMORY;
}

/* Residuals are relative to the terms of a velocity. Impulses that cancel one another, as of a body
 * held between walls, make these as large as one likes, and hide velocities as large as the data's:
 * from FAR times those on, what is left counts in proportion. */
static double hidden_velocity(const survey *s, double left) {
    return left > 0 ? left / FAR * (s->size / s->data) : 0;
}

/* So does the work of these impulses on what is left, beside their work on q, which is what the
 * impact takes: where that is little, rounding alone stops anything. FAR times as large as a
 * velocity may be: a stack whose masses are 1e8 apart is right to 1e-8. */
static double hidden_work(const survey *s, double left) {
    return s->data > 0 && !s->overlaps ? left / (FAR * FAR) * (s->stake / fabs(s->work)) : 0;
}

/* What is left is the rounding of a term at least, for as much may be left and not be seen: of a
 * body 1e13 times as light as those beside it all that it moves by. */
static void note_cancellation(imp_certificate *certificate, const survey *s) {
    const double left = imp_larger(s->worst, s->data > 0 ? 0.5 * DBL_EPSILON : 0);
    imp_certificate_note(certificate, "cancellation",
                         imp_larger(hidden_velocity(s, left), hidden_work(s, left)), s->first);
}

/* A lone contact whose W is definite is stopped by one impulse, as large as it may be: no work of
 * it is hidden, and up to ROUNDED of its terms, as next to a parabola, a velocity is none. What is
 * seen as it is needs no other name. */
static void note_lone_cancellation(imp_certificate *certificate, const survey *s) {
    static const double ROUNDED = 1024 * DBL_EPSILON;
    const double left = s->worst < 1 / FAR ? s->worst - ROUNDED : 0;
    if (left > 0) imp_certificate_note(certificate, "cancellation", hidden_velocity(s, left), 0);
}

static bool is_nothing(const double *x, int n) {
    return !x || imp_all_zero(x, (size_t)n);
}

int imp_law_reads(const imp_law *law, const imp_problem *problem) {
    return (law->reads & IMP_READS_FRICTION || is_nothing(problem->mu, problem->nc)) &&
           (law->reads & IMP_READS_RESTITUTION || is_nothing(problem->e, problem->nc)) &&
           (law->reads & IMP_READS_VISCOUS || is_nothing(problem->mu_v, problem->nc)) &&
           (law->reads & IMP_READS_GAP || is_nothing(problem->gap, problem->nc));
}

const char imp_no_path[] = "no path, and no answer of the library's own";
const char imp_chose[] =
    "the path has a step that might be another, and the library's own answer is another";

/* After each contact was noted: the bounds are one contact's. */
static void end_notes(const imp_problem *problem, imp_certificate *certificate) {
    if (problem->nc > 1) certificate->energy_excess = certificate->velocity_excess = INFINITY;
}

/* What says all of each contact; NULL: `certify` has to be asked. */
static noting noting_of(const imp_law *law, const imp_problem *problem) {
    return law->certify && !is_nothing(problem->e, problem->nc) ? NULL : law->note;
}

imp_status imp_certificate_note_law(imp_certificate *certificate, const imp_law *law,
                                    const imp_problem *problem, const void *settings,
                                    const double *p) {
    const noting note = noting_of(law, problem);
    if (!note) return law->certify(problem, settings, p, NULL, certificate);
    for (int i = 0; i < problem->nc; i++) {
        const imp_local local = imp_local_problem(problem, p, i);
        note(&local, i, certificate);
    }
    end_notes(problem, certificate);
    return IMP_OK;
}

/* The law's own residuals; none where `noted`, with which each contact was looked at, says all. */
static imp_status note_law(const imp_problem *problem, const imp_law *law, noting noted,
                           const void *settings, const double *p, const imp_path *path,
                           imp_certificate *certificate) {
    if (!noted)
        return law->certify(problem, settings, p, path && path->nc == problem->nc ? path : NULL,
                            certificate);
    end_notes(problem, certificate);
    return IMP_OK;
}

/* Of one contact: do the entries of W tell it from a singular one? A law that follows its process
 * sees each step of it, and asks the bodies alone. */
static bool is_definite(const imp_operator *W, const imp_law *law) {
    double block[9];
    if (law->follows) return !imp_operator_singular(W, 3);
    W->kind->block(W, 0, 0, block);
    return !imp_block_singular(block, 3);
}

/* What every law demands of each of the islands. */
static void note_islands(const imp_problem *problem, const imp_law *law, int count,
                         const int *label, survey *of, imp_certificate *certificate) {
    const bool gains = law->may_gain == IMP_GAINS_BOUNCING ? !is_nothing(problem->e, problem->nc)
                                                           : law->may_gain != 0;
    for (int k = 0; k < count; k++)
        /* a recorded W may gain */
        if (!gains && !problem->W->as_given && !of[k].overlaps) note_gain(certificate, of + k, 0);
    of[0].worst = label ? 0 : certificate->worst;
    for (int i = 0; label && i < problem->nc; i++)
        of[label[i]].worst = imp_larger(of[label[i]].worst, certificate->at[i]);
    for (int k = 0; k < count; k++) {
        if (!(of[k].size > FAR * of[k].data)) continue;
        if (problem->nc > 1 || !is_definite(problem->W, law))
            note_cancellation(certificate, of + k);
        else if (!law->follows)
            note_lone_cancellation(certificate, of + k);
    }
}

/* imp_certify_along but for the energy; `result` holds nothing of use on an error. together: the
 * contacts are known to be one island. */
static imp_status certify(bool together, const imp_problem *problem, const imp_law *law,
                          const void *settings, const double *p, const imp_path *path,
                          imp_certificate *result) {
    *result = (imp_certificate){.energy_excess = INFINITY, .velocity_excess = INFINITY};
    const noting note = noting_of(law, problem);
    const units unit = units_of(problem, p);
    survey all;
    islands apart;
    if (!look(problem, p, unit, note, result, &all) || (path && !imp_path_finite(path)))
        return IMP_NOT_FINITE;
    const bool open = all.apart && !together && problem->nc > 1;
    if (open && !islands_open(&apart, problem)) return IMP_NO_MEMORY;
    const bool several = open && apart.count > 1;
    if (several) {
        result->at = memset(apart.at, 0, (size_t)problem->nc * sizeof *apart.at);
        look_apart(problem, p, unit, note, result, apart.count, apart.label, apart.of);
    }
    const imp_status status = note_law(problem, law, note, settings, p, path, result);
    if (status == IMP_OK) {
        if (several)
            note_islands(problem, law, apart.count, apart.label, apart.of, result);
        else
            note_islands(problem, law, 1, NULL, &all, result);
        result->at = NULL;
    }
    if (open) islands_close(&apart);
    return status;
}

static imp_status check(const imp_problem *problem, const imp_law *law, const double *p,
                        imp_certificate *result) {
    if (!law || !p || !result || !(law->certify || law->note)) return IMP_BAD_ARGUMENT;
    const imp_status status = imp_problem_check_vectors(problem, NULL);
    if (status != IMP_OK) return status;
    return imp_law_reads(law, problem) ? IMP_OK : IMP_UNSUPPORTED;
}

imp_status imp_certify_along(const imp_problem *problem, const imp_law *law, const void *settings,
                             const double *p, const imp_path *path, imp_certificate *result) {
    imp_certificate certificate;
    imp_status status = check(problem, law, p, result);
    if (status == IMP_OK) status = certify(false, problem, law, settings, p, path, &certificate);
    if (status != IMP_OK) return status;
    *result = certificate;
    result->energy = imp_problem_energy(problem, p);
    return IMP_OK;
}

imp_status imp_certify_island(const imp_problem *problem, const imp_law *law, const double *p,
                              imp_certificate *result) {
    return certify(true, problem, law, NULL, p, NULL, result);
}
