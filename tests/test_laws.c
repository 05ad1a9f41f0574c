/* Every model through the laws every model obeys, whatever it is: the table decides who is tested. */
#include "gen.h"
#include "impact.h"
#include "tap.h"

#include <ctype.h>

enum { MOST = 3 * GEN_MOST_CONTACTS, ONE = 240, MANY = 90 };

/* What solving to rounding leaves of a residual for one contact, and solving to a tolerance for several. */
static const double exact = 1e-9, iterated = 1e-6;

typedef struct situation {
    int nc;
    double W[MOST * MOST], q[MOST], mu[GEN_MOST_CONTACTS], e[GEN_MOST_CONTACTS];
} situation;

typedef struct answer {
    imp_status status;
    double p[MOST], u[MOST];
    double energy, stake; /* 1/2 p'Wp + p'q, and the sum of |p_k q_k| that it is to be seen beside */
} answer;

static imp_problem problem_of(const situation *s, imp_operator *W) {
    *W = imp_operator_dense(s->nc, s->W);
    return (imp_problem){s->nc, W, s->q, s->mu, s->e};
}

/* Solves and recomputes u and the energy from their definition. */
static answer solve_with(const imp_model *model, const situation *s, const void *settings) {
    imp_operator W;
    const imp_problem problem = problem_of(s, &W);
    const int n = 3 * s->nc;
    answer a = {0};
    a.status = imp_solve(model, &problem, settings, a.p, NULL);
    for (int i = 0; i < n; i++) {
        a.u[i] = s->q[i];
        for (int j = 0; j < n; j++)
            a.u[i] += s->W[i * n + j] * a.p[j];
        a.energy += a.p[i] * (a.u[i] + s->q[i]) / 2;
        a.stake += fabs(a.p[i] * s->q[i]);
    }
    return a;
}

static answer solve(const imp_model *model, const situation *s) {
    return solve_with(model, s, NULL);
}

static bool lawful(const imp_model *model, const situation *s, const double *p) {
    imp_operator W;
    const imp_problem problem = problem_of(s, &W);
    imp_certificate c;
    return imp_certify(&problem, model->law, NULL, p, &c) == IMP_OK && c.worst <= (s->nc > 1 ? iterated : exact);
}

/* The cone and the gap, from their definition. */
static bool feasible(const situation *s, const answer *a) {
    const double tolerance = s->nc > 1 ? iterated : exact;
    const int n = 3 * s->nc;
    double push = 0;
    for (int i = 0; i < n; i++)
        push = tap_worst(push, fabs(a->p[i]));
    for (int i = 0; i < s->nc; i++) {
        const double *p = a->p + 3 * i, limit = s->mu[i] * p[0];
        double size = fabs(s->q[3 * i]);
        for (int j = 0; j < n; j++)
            size += fabs(s->W[3 * i * n + j] * a->p[j]);
        if (!(p[0] >= -tolerance * push && hypot(p[1], p[2]) <= limit + tolerance * push * fmax(1, s->mu[i]) &&
              a->u[3 * i] >= -tolerance * size))
            return false;
    }
    return true;
}

/* Takes from a situation what the model does not: restitution, friction, the third dimension. */
static void restrict_to(const imp_model *model, situation *s) {
    const int n = 3 * s->nc;
    for (int i = 0; i < s->nc; i++) {
        if (!(model->takes & IMP_TAKES_RESTITUTION)) s->e[i] = 0;
        if (model->takes & IMP_ONLY_FRICTIONLESS) s->mu[i] = 0;
    }
    if (!(model->takes & IMP_ONLY_PLANAR)) return;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 2) s->q[i] = 0;
        for (int j = 0; j < n; j++) /* pinching keeps W semidefinite */
            if ((i % 3 == 2) != (j % 3 == 2)) s->W[i * n + j] = 0;
    }
}

static situation from_packed(const double W[6], const double q[3], double mu, double e) {
    return (situation){.nc = 1,
                       .W = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]},
                       .q = {q[0], q[1], q[2]},
                       .mu = {mu},
                       .e = {e}};
}

static const double restitutions[] = {0, 0.5, 1, 0.2};

static situation one_contact(const imp_model *model, uint64_t k) {
    static const gen_class classes[] = {GEN_FREE_BOX_1, GEN_FREE_BOX_5, GEN_SIX_POINT, GEN_TWO_BODY,
                                        GEN_SPD_1,      GEN_SPD_4,      GEN_PAINLEVE,  GEN_SPEED_BOX};
    const gen_problem g = gen_make(classes[k % 8], k / 8);
    situation s = from_packed(g.W, g.q, g.mu, restitutions[k / 8 % 4]);
    restrict_to(model, &s);
    return s;
}

static situation many_contacts(const imp_model *model, uint64_t k) {
    const gen_many g = gen_bodies(k, 2 + (int)(k % 7));
    situation s = {.nc = g.nc};
    memcpy(s.W, g.W, sizeof g.W);
    memcpy(s.q, g.q, sizeof g.q);
    memcpy(s.mu, g.mu, sizeof g.mu);
    for (int i = 0; i < s.nc; i++)
        s.e[i] = restitutions[k % 4];
    restrict_to(model, &s);
    return s;
}

static int count_of(const imp_model *model) {
    return ONE + (model->takes & IMP_TAKES_MANY ? MANY : 0);
}

static situation situation_of(const imp_model *model, int k) {
    return k < ONE ? one_contact(model, (uint64_t)k) : many_contacts(model, (uint64_t)(k - ONE));
}

/* What each answer must be by itself. */
static void test_answers(const imp_model *model) {
    int unsolved = 0, infeasible = 0, unlawful = 0, gained = 0, changed = 0, undefined = 0;
    for (int k = 0; k < count_of(model); k++) {
        const situation s = situation_of(model, k);
        const answer a = solve(model, &s), again = solve(model, &s);
        changed += a.status != again.status || memcmp(a.p, again.p, sizeof a.p) != 0;
        for (int i = 0; i < MOST; i++)
            undefined += !isfinite(a.p[i]);
        if (a.status != IMP_OK) {
            if (unsolved++ == 0) diag("%s: problem %d: %s", model->name, k, imp_status_text(a.status));
            if (s.nc == 1 || a.status < 0) unsolved += MANY; /* one contact, or an error: never to happen */
            continue;
        }
        infeasible += !feasible(&s, &a);
        unlawful += !lawful(model, &s, a.p);
        gained += !(a.energy <= (s.nc > 1 ? iterated : 1e-12) * a.stake);
    }
    note("%s: %d unsolved, %d gained energy", model->name, unsolved, gained);
    ok(unsolved <= MANY / 20, "%s: solves what it takes", model->name);
    ok(undefined == 0, "%s: every impulse is finite", model->name);
    ok(changed == 0, "%s: the same problem has the same answer, bit for bit", model->name);
    ok(infeasible == 0, "%s: impulses in the cone, no penetration", model->name);
    ok(unlawful == 0, "%s: answers satisfy the law %s", model->name, model->law->name);
    if (model->takes & IMP_NEVER_GAINS_ENERGY) ok(gained == 0, "%s: never gains energy", model->name);
}

/* Another way to write the same situation: contact i is the old one order[i], its axes turned by R, W and q in other
 * units. W' = w T W T', q' = v T q, so p' = v/w T p. */
typedef struct change {
    double R[9], w, v;
    int order[GEN_MOST_CONTACTS];
} change;

static change no_change(void) {
    change c = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .w = 1, .v = 1};
    for (int i = 0; i < GEN_MOST_CONTACTS; i++)
        c.order[i] = i;
    return c;
}

static situation changed(const situation *s, const change *c) {
    situation result = {.nc = s->nc};
    const int n = 3 * s->nc;
    for (int i = 0; i < n; i++) {
        const double *Ri = c->R + (size_t)3 * (i % 3);
        const int a = c->order[i / 3];
        for (int k = 0; k < 3; k++)
            result.q[i] += c->v * Ri[k] * s->q[3 * a + k];
        result.mu[i / 3] = s->mu[a];
        result.e[i / 3] = s->e[a];
        for (int j = 0; j <= i; j++) {
            const double *Rj = c->R + (size_t)3 * (j % 3);
            const int b = c->order[j / 3];
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += Ri[k] * s->W[(3 * a + k) * n + 3 * b + l] * Rj[l];
            result.W[i * n + j] = result.W[j * n + i] = c->w * sum;
        }
    }
    return result;
}

/* p (3nc) of the original from the changed one's. */
static void undo(const change *c, int nc, const double *changed_p, double *p) {
    for (int i = 0; i < nc; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int l = 0; l < 3; l++)
                sum += c->R[3 * l + k] * changed_p[3 * i + l];
            p[3 * c->order[i] + k] = sum / c->v * c->w;
        }
}

/* Settings in the changed units; false when one has a unit this test does not know. */
static bool changed_settings(const imp_model *model, const change *c, imp_settings *settings) {
    imp_model_presets(model, settings);
    for (const imp_key *key = model->keys; key && key->name; key++) {
        double value;
        if (key->choices || strcmp(key->unit, "-") == 0) continue;
        if (strcmp(key->unit, "m/s") != 0) return false;
        memcpy(&value, settings->bytes + key->offset, sizeof value);
        value *= c->v;
        memcpy(settings->bytes + key->offset, &value, sizeof value);
    }
    return true;
}

/* The answer to the changed situation, changed back, must be an answer to the original; where there is but one (one
 * contact) the same. */
static void test_change(const imp_model *model, change (*make)(const imp_model *, uint64_t), const char *what) {
    int failed = 0, different = 0;
    double worst = 0;
    for (int k = 0; k < count_of(model); k++) {
        const situation s = situation_of(model, k);
        const change c = make(model, (uint64_t)k);
        const situation t = changed(&s, &c);
        imp_settings settings;
        if (!changed_settings(model, &c, &settings)) {
            skip("a setting has a unit of its own");
            return;
        }
        const answer a = solve(model, &s), b = solve_with(model, &t, &settings);
        if (s.nc > 1 && (a.status > 0 || b.status > 0)) continue; /* counted by test_answers */
        double p[MOST] = {0}, size = 0, off = 0;
        undo(&c, s.nc, b.p, p);
        if (a.status != b.status || !lawful(model, &s, p)) failed++;
        for (int i = 0; i < 3 * s.nc; i++) {
            size = fmax(size, fabs(a.p[i]));
            off = tap_worst(off, fabs(a.p[i] - p[i]));
        }
        if (s.nc > 1) continue;
        worst = tap_worst(worst, size > 0 ? off / size : off);
        different += !(off <= 1e-7 * size);
    }
    note("%s, %s: one contact to %.1e", model->name, what, worst);
    ok(failed == 0, "%s: %s: still an answer", model->name, what);
    ok(different == 0, "%s: %s: the same one", model->name, what);
}

static change rotation(const imp_model *model, uint64_t k) {
    change c = no_change();
    gen_stream g = gen_seed(707, k);
    double cosine = gen_normal(&g), sine = gen_normal(&g);
    const double length = hypot(cosine, sine);
    cosine /= length;
    sine /= length;
    if (model->takes & IMP_PREFERS_AXES) {
        cosine = 0;
        sine = k % 2 ? 1 : -1;
    }
    if (model->takes & IMP_ONLY_PLANAR) { /* half a turn */
        cosine = -1;
        sine = 0;
    }
    c.R[4] = c.R[8] = cosine;
    c.R[5] = sine;
    c.R[7] = -sine;
    return c;
}

static change mirror(const imp_model *model, uint64_t k) {
    change c = no_change();
    (void)model;
    c.R[k % 2 ? 4 : 8] = -1;
    return c;
}

static change impulse_unit(const imp_model *model, uint64_t k) {
    static const double scale[] = {1e-6, 1e7, 0x1p-300, 0x1p300};
    change c = no_change();
    (void)model;
    c.w = scale[k % 4];
    return c;
}

static change velocity_unit(const imp_model *model, uint64_t k) {
    static const double scale[] = {1e-7, 1e6, 0x1p-300, 0x1p300};
    change c = no_change();
    (void)model;
    c.v = scale[k % 4];
    return c;
}

static change permutation(const imp_model *model, uint64_t k) {
    change c = no_change();
    const int nc = k < ONE ? 1 : 2 + (int)((k - ONE) % 7); /* as many_contacts has it */
    gen_stream g = gen_seed(708, k);
    (void)model;
    for (int i = nc - 1; i > 0; i--) {
        const int j = (int)gen_uniform(&g, 0, i + 1), other = c.order[j];
        c.order[j] = c.order[i];
        c.order[i] = other;
    }
    return c;
}

/* A sphere moving along t: every law there is gives the same. */
static void test_sphere(const imp_model *model) {
    double worst = 0;
    for (uint64_t k = 0; k < 60; k++) {
        gen_stream g = gen_seed(709, k);
        const double q[3] = {-gen_uniform(&g, 0.1, 1), gen_uniform(&g, -3, 3), 0}, W[6] = {1, 0, 0, 3.5, 0, 3.5};
        situation s = from_packed(W, q, gen_uniform(&g, 0, 1), restitutions[k % 4]);
        restrict_to(model, &s);
        const answer a = solve(model, &s);
        const double normal = -(1 + s.e[0]) * q[0], limit = s.mu[0] * normal;
        const double want[3] = {normal, fmax(-limit, fmin(limit, -q[1] / 3.5)), 0};
        for (int i = 0; i < 3; i++)
            worst = tap_worst(worst, a.status == IMP_OK ? fabs(a.p[i] - want[i]) : INFINITY);
    }
    ok(worst < exact, "%s: a sphere slips or sticks as in closed form", model->name);
}

/* Without friction all laws of restitution are one: u_n = -e q_n, and at e = 1 no energy is lost. */
static void test_frictionless(const imp_model *model) {
    int pulled = 0;
    double off = 0, lost = 0;
    for (int k = 0; k < count_of(model); k++) {
        situation s = situation_of(model, k);
        memset(s.mu, 0, sizeof s.mu);
        const answer a = solve(model, &s);
        for (int i = 0; i < 3 * s.nc; i++)
            pulled += a.status == IMP_OK && i % 3 != 0 && a.p[i] != 0;
        if (s.nc > 1) continue;
        off = tap_worst(off, a.status == IMP_OK ? fabs(a.u[0] + s.e[0] * s.q[0]) : INFINITY);
        if (s.e[0] == 1) lost = tap_worst(lost, fabs(a.energy) / a.stake);
    }
    ok(pulled == 0, "%s: without friction, no tangential impulse", model->name);
    ok(off < exact, "%s: without friction, u_n = -e q_n", model->name);
    ok(lost < exact, "%s: without friction, e = 1 loses nothing", model->name);
}

static void test_limits(const imp_model *model) {
    double inelastic = 0, out_of_plane = 0;
    int pushed = 0;
    for (int k = 0; k < ONE; k++) {
        situation s = one_contact(model, (uint64_t)k);
        s.e[0] = 0;
        const answer a = solve(model, &s);
        inelastic = tap_worst(inelastic, a.status == IMP_OK ? fabs(a.u[0] / s.q[0]) : INFINITY);
        situation parting = s;
        parting.q[0] = -s.q[0];
        const answer nothing = solve(model, &parting);
        pushed += nothing.status != IMP_OK || nothing.p[0] != 0 || nothing.p[1] != 0 || nothing.p[2] != 0;
        s.W[2] = s.W[5] = s.W[6] = s.W[7] = s.q[2] = 0;
        const answer flat = solve(model, &s);
        const double size = hypot(flat.p[0], flat.p[1]);
        out_of_plane = tap_worst(out_of_plane, flat.status == IMP_OK ? fabs(flat.p[2]) / size : INFINITY);
    }
    ok(inelastic < 1e-6, "%s: e = 0 ends the approach", model->name);
    ok(pushed == 0, "%s: a parting contact takes no impulse", model->name);
    ok(out_of_plane < exact, "%s: a planar problem has a planar answer", model->name);
}

static void test_statuses(const imp_model *model) {
    static const struct {
        const char *what;
        int at; /* of W (0 .. 8), q (9 .. 11), mu (12), e (13) */
        double value;
        imp_status status;
    } faults[] = {{"NaN in W", 4, NAN, IMP_NOT_FINITE},        {"Inf in q", 10, INFINITY, IMP_NOT_FINITE},
                  {"NaN in mu", 12, NAN, IMP_NOT_FINITE},      {"asymmetric W", 1, 0.5, IMP_NOT_SYMMETRIC},
                  {"indefinite W", 0, -1, IMP_NOT_POSITIVE},   {"singular W", 4, 0, IMP_NOT_POSITIVE},
                  {"negative mu", 12, -0.1, IMP_BAD_FRICTION}, {"e above 1", 13, 1.5, IMP_BAD_RESTITUTION}};
    bool good = true;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, q[3] = {-1, 0.5, 0};
        situation s = from_packed(W, q, model->takes & IMP_ONLY_FRICTIONLESS ? 0 : 0.3, 0);
        double *const place = faults[k].at < 9    ? &s.W[faults[k].at]
                              : faults[k].at < 12 ? &s.q[faults[k].at - 9]
                              : faults[k].at < 13 ? s.mu
                                                  : s.e;
        *place = faults[k].value;
        imp_operator as_operator;
        const imp_problem problem = problem_of(&s, &as_operator);
        double p[3] = {41, 42, 43};
        const imp_status status = imp_solve(model, &problem, NULL, p, NULL);
        if (status == faults[k].status && p[0] == 41 && p[1] == 42 && p[2] == 43) continue;
        diag("%s: %s gives %s", model->name, faults[k].what, imp_status_text(status));
        good = false;
    }
    ok(good, "%s: bad data have their status and leave the impulse alone", model->name);
}

static void test_descriptor(const imp_model *model) {
    bool word = model->name && islower((unsigned char)model->name[0]), keys = true;
    for (const char *c = model->name; word && *c; c++)
        word = islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-';
    ok(word && imp_model_find(model->name) == model, "%s: one word, and no other model has it", model->name);
    ok(model->title && *model->title && model->citation && *model->citation && model->law && model->solve,
       "%s: a title, a citation, a law and a solver", model->name);
    for (const imp_key *key = model->keys; key && key->name; key++) {
        int choices = 0;
        while (key->choices && key->choices[choices])
            choices++;
        const bool in_range = key->choices ? key->preset >= 0 && key->preset < choices
                                           : key->low <= key->preset && key->preset <= key->high;
        keys = keys && in_range && key->unit && key->meaning && key->offset + sizeof(double) <= IMP_SETTINGS_BYTES;
    }
    ok(keys, "%s: settings have a unit, a meaning and a preset in their range", model->name);
}

int main(void) {
    for (const imp_model *const *m = imp_models; *m; m++) {
        test_descriptor(*m);
        if (!(*m)->solve) continue;
        test_answers(*m);
        test_change(*m, rotation, "turned about the normal");
        test_change(*m, mirror, "mirrored");
        test_change(*m, impulse_unit, "masses in another unit");
        test_change(*m, velocity_unit, "velocities in another unit");
        if ((*m)->takes & IMP_TAKES_MANY) test_change(*m, permutation, "contacts in another order");
        test_sphere(*m);
        test_frictionless(*m);
        test_limits(*m);
        test_statuses(*m);
    }
    return tap_done();
}
