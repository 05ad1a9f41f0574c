/* forms.c - forms of a contact problem; for which models their laws hold, why not for others. */
#include "campaign/forms.h"

#include "impact.h"

#include <math.h>
#include <string.h>

static void point(form *f) {
    f->op = imp_operator_dense(f->nc, f->W);
    f->problem = (imp_problem){.nc = f->nc, .W = &f->op, .q = f->q, .mu = f->mu, .e = f->e};
}

/* *f <- the problem, of at most FORM_CONTACTS contacts. */
static void form_of(const imp_problem *problem, form *f) {
    const size_t nc = (size_t)problem->nc;
    f->nc = problem->nc;
    imp_problem_dense(problem, f->W);
    memcpy(f->q, problem->q, 3 * nc * sizeof *f->q);
    memcpy(f->mu, problem->mu, nc * sizeof *f->mu);
    memset(f->e, 0, sizeof f->e);
    if (problem->e) memcpy(f->e, problem->e, nc * sizeof *f->e);
    point(f);
}

static void set(double *x, int n, double value) {
    for (int i = 0; i < n; i++)
        x[i] = value;
}

static void same(const form *a, const form *b, const double *of_b, double *p) {
    (void)b;
    memcpy(p, of_b, 3 * (size_t)a->nc * sizeof *p);
}

static bool is(const imp_model *model, const char *name) {
    return strcmp(model->name, name) == 0;
}

/* Slow contacts bounce whatever their e, and what ends an interval of one ends it for all. */
static bool has_intervals(const imp_model *model) {
    return is(model, "plus") || is(model, "single-phase");
}

/* Answers are right along a course, in steps that all contacts share. */
static bool has_course(const imp_model *model) {
    return has_intervals(model) || is(model, "newton") || is(model, "poisson");
}

static bool are_springs(const imp_model *model) {
    return is(model, "lzb") || is(model, "springs");
}

/* ---- a contact that is there twice: the sum of its impulses is one of the contact ---- */

/* Of impulses that make the same velocities a course takes the least, and springs share out by
 * stiffness: with a copy they take others. Restitution is left out: of several contacts it
 * multiplies what each of them happens to carry. */
static bool may_split(const imp_model *model, int nc) {
    (void)nc;
    return (model->takes & IMP_TAKES_MANY) && !has_course(model) && !are_springs(model);
}

/* Contact nc of the two is a copy of `twice`. */
static bool split(const imp_problem *problem, uint64_t draw, form *a, form *b,
                  const imp_model **second) {
    const int nc = problem->nc, twice = (int)(draw % (uint64_t)nc);
    (void)second;
    form_of(problem, a);
    set(a->e, nc, 0);
    b->nc = nc + 1;
    for (int i = 0; i <= nc; i++) {
        const int k = i < nc ? i : twice;
        b->mu[i] = a->mu[k];
        b->e[i] = a->e[k];
        for (int r = 0; r < 3; r++)
            b->q[3 * i + r] = a->q[3 * k + r];
        for (int j = 0; j <= nc; j++)
            for (int r = 0; r < 9; r++)
                b->W[(3 * i + r / 3) * 3 * b->nc + 3 * j + r % 3] =
                    a->W[(3 * k + r / 3) * 3 * nc + 3 * (j < nc ? j : twice) + r % 3];
    }
    point(b);
    b->e[FORM_CONTACTS - 1] = twice; /* beyond its contacts: for the reader */
    return true;
}

static void add_up(const form *a, const form *b, const double *of_b, double *p) {
    const int nc = a->nc, twice = (int)b->e[FORM_CONTACTS - 1];
    memcpy(p, of_b, 3 * (size_t)nc * sizeof *p);
    for (int r = 0; r < 3; r++)
        p[3 * twice + r] += of_b[3 * nc + r];
}

/* ---- another problem beside it, which shares no body ---- */

/* Contacts that W does not couple are solved apart: their restitution, too, is their own. */
static bool by_islands(const imp_model *model) {
    return is(model, "auto") || is(model, "moreau") || is(model, "gauss-seidel-coulomb") ||
           is(model, "gauss-seidel-maxdiss");
}

/* Without restitution as above, but for models that answer by islands. */
static bool may_join(const imp_model *model, int nc) {
    (void)nc;
    return (model->takes & IMP_TAKES_MANY) && !has_course(model);
}

static bool join(const imp_problem *problem, uint64_t draw, form *a, form *b,
                 const imp_model **second) {
    const situation other = situation_many(*second, draw);
    const int n = 3 * problem->nc, m = 3 * other.nc;
    const bool bounces = by_islands(*second);
    form_of(problem, a);
    if (!bounces) set(a->e, a->nc, 0);
    b->nc = problem->nc + other.nc;
    memset(b->W, 0, sizeof b->W);
    for (int i = 0; i < n; i++)
        memcpy(b->W + i * (n + m), a->W + i * n, (size_t)n * sizeof *b->W);
    for (int i = 0; i < m; i++)
        memcpy(b->W + (n + i) * (n + m) + n, other.W + i * m, (size_t)m * sizeof *b->W);
    memcpy(b->q, a->q, (size_t)n * sizeof *b->q);
    memcpy(b->q + n, other.q, (size_t)m * sizeof *b->q);
    for (int i = 0; i < b->nc; i++) {
        b->mu[i] = i < a->nc ? a->mu[i] : other.mu[i - a->nc];
        b->e[i] = i < a->nc ? a->e[i] : bounces ? other.e[i - a->nc] : 0;
    }
    point(b);
    return true;
}

/* ---- friction ---- */

/* Contacts that are hit one after the other are not brought to rest together. */
static bool may_lose_friction(const imp_model *model, int nc) {
    const bool sequence = are_springs(model) || is(model, "sequential");
    return !has_intervals(model) && (nc == 1 || !sequence);
}

static bool takes_friction(const imp_model *model, int nc) {
    (void)nc;
    return !(model->takes & IMP_ONLY_FRICTIONLESS);
}

/* The convex model has no more normal impulse than without friction, which may not be enough to
 * stick; in the process of Darboux and Keller friction may lift a contact, for a moment, before its
 * slip has ended, but not in the plane. */
static bool may_stick(const imp_model *model, int nc) {
    return takes_friction(model, nc) && !has_intervals(model) && !is(model, "drumwright") &&
           !are_springs(model) && strncmp(model->name, "darboux", 7) != 0;
}

/* Without friction and restitution: as the model without friction has it. */
static bool no_friction(const imp_problem *problem, uint64_t draw, form *a, form *b,
                        const imp_model **second) {
    (void)draw;
    form_of(problem, a);
    set(a->mu, a->nc, 0);
    set(a->e, a->nc, 0);
    form_of(&a->problem, b);
    *second = &imp_model_frictionless;
    return true;
}

static bool little_friction(const imp_problem *problem, uint64_t draw, form *a, form *b,
                            const imp_model **second) {
    (void)draw, (void)second;
    form_of(problem, a);
    set(a->mu, a->nc, 0);
    form_of(&a->problem, b);
    set(b->mu, b->nc, 1e-12);
    return true;
}

/* x <- W^-1 q of one contact, by Cramer's rule. */
static void sticking(const form *f, double x[3]) {
    const double *W = f->W, *q = f->q;
    const double c[9] = {
        W[4] * W[8] - W[5] * W[7], W[2] * W[7] - W[1] * W[8], W[1] * W[5] - W[2] * W[4],
        W[5] * W[6] - W[3] * W[8], W[0] * W[8] - W[2] * W[6], W[2] * W[3] - W[0] * W[5],
        W[3] * W[7] - W[4] * W[6], W[1] * W[6] - W[0] * W[7], W[0] * W[4] - W[1] * W[3]};
    const double determinant = W[0] * c[0] + W[1] * c[3] + W[2] * c[6];
    for (int i = 0; i < 3; i++)
        x[i] = (c[3 * i] * q[0] + c[3 * i + 1] * q[1] + c[3 * i + 2] * q[2]) / determinant;
}

/* One contact that can stick, with friction far beyond what that takes: it does. b is not asked:
 * its answer is known. */
static bool much_friction(const imp_problem *problem, uint64_t draw, form *a, form *b,
                          const imp_model **second) {
    double p[3];
    (void)draw;
    if (problem->nc > 1) return false;
    form_of(problem, a);
    set(a->e, 1, 0);
    sticking(a, p);
    if (!(-p[0] > 0.01 * hypot(p[1], p[2]))) return false;
    a->mu[0] = 1e6;
    form_of(&a->problem, b);
    *second = NULL;
    return true;
}

static void stuck(const form *a, const form *b, const double *of_b, double *p) {
    (void)b, (void)of_b;
    sticking(a, p);
    for (int r = 0; r < 3; r++)
        p[r] = -p[r];
}

/* ---- restitution ---- */

static bool takes_restitution(const imp_model *model, int nc) {
    (void)nc;
    return (model->takes & IMP_TAKES_RESTITUTION) != 0;
}

/* Intervals that end a compression sliding, with friction that would press again, do so after the
 * least expansion: another round, and another answer. */
static bool ends_alike(const imp_model *model, int nc) {
    return takes_restitution(model, nc) && !has_intervals(model);
}

static bool little_restitution(const imp_problem *problem, uint64_t draw, form *a, form *b,
                               const imp_model **second) {
    (void)draw, (void)second;
    form_of(problem, a);
    set(a->e, a->nc, 0);
    form_of(&a->problem, b);
    set(b->e, b->nc, 1e-12);
    return true;
}

static bool most_restitution(const imp_problem *problem, uint64_t draw, form *a, form *b,
                             const imp_model **second) {
    (void)draw, (void)second;
    form_of(problem, a);
    set(a->e, a->nc, 1);
    form_of(&a->problem, b);
    set(b->e, b->nc, 1 - 1e-12);
    return true;
}

const form_law form_laws[] = {{"split", may_split, split, true, add_up, NULL},
                              {"joined", may_join, join, true, same, by_islands},
                              {"mu-0", may_lose_friction, no_friction, true, same, NULL},
                              {"mu-little", takes_friction, little_friction, false, same, NULL},
                              {"mu-much", may_stick, much_friction, true, stuck, NULL},
                              {"e-little", ends_alike, little_restitution, false, same, NULL},
                              {"e-most", takes_restitution, most_restitution, false, same, NULL},
                              {.name = NULL}};

/* ---- other bodies ---- */

/* Contact c seen from its other body: what its frame's n and t were is the opposite, o stays. */
static void exchange(imp_contact *c) {
    const int a = c->a;
    c->a = c->b;
    c->b = a;
    for (int k = 0; k < 6; k++)
        c->frame[k] = -c->frame[k];
}

static bool is_near(const form *a, const form *b) {
    const int n = 3 * a->nc;
    double speed = 0;
    for (int i = 0; i < n; i++)
        speed = fmax(speed, fabs(a->q[i]));
    for (int i = 0; i < n; i++) {
        if (!(fabs(a->q[i] - b->q[i]) <= 1e-11 * speed)) return false;
        for (int j = 0; j < n; j++)
            if (!(fabs(a->W[i * n + j] - b->W[i * n + j]) <=
                  1e-11 * sqrt(a->W[i * n + i] * a->W[j * n + j])))
                return false;
    }
    return true;
}

bool form_bodies(uint64_t index, int nc, form *a, form *b) {
    gen_many g = gen_bodies(index, nc), h = g;
    a->nc = b->nc = nc;
    for (int i = 0; i < g.nb; i++)
        h.body[i] = g.body[g.nb - 1 - i];
    for (int i = 0; i < nc; i++) {
        imp_contact *c = &h.contact[i];
        if (c->a != IMP_GROUND) c->a = g.nb - 1 - c->a;
        if (c->b != IMP_GROUND) c->b = g.nb - 1 - c->b;
        if (i % 2) exchange(c);
    }
    form *const both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        const gen_many *m = k ? &h : &g;
        if (imp_delassus_dense(m->nb, m->body, nc, m->contact, both[k]->W, both[k]->q) != IMP_OK)
            return false;
        memcpy(both[k]->mu, g.mu, (size_t)nc * sizeof *g.mu);
        set(both[k]->e, nc, 0);
        point(both[k]);
    }
    for (int i = 1; i < nc; i += 2) /* b's third axes back */
        for (int r = 3 * i + 2, j = 0; j < 3 * nc; j++) {
            if (j == 0) b->q[r] = -b->q[r];
            b->W[r * 3 * nc + j] = -b->W[r * 3 * nc + j];
            b->W[j * 3 * nc + r] = -b->W[j * 3 * nc + r];
        }
    return is_near(a, b);
}
