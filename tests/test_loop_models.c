/* test_loop_models.c - every model on one mechanism in two forms, a tree and free bodies with its
 * joints: where the law decides the answer, velocities after the impact agree to 1e-10 of those
 * before. */
#include "loop_subject.h"

enum { SUBJECTS = 40, IN_PLANE = 0 };

/* A problem in both forms. */
typedef struct forms {
    int nc;
    double W[2][81], q[2][9];
} forms;

/* A body with a rod on a hinge, both in the plane of x and z. */
static imp_tree *planar(gen_stream *s) {
    imp_link link[2];
    for (int i = 0; i < 2; i++) {
        link[i] = (imp_link){.parent = i - 1,
                             .joint = i ? IMP_REVOLUTE : IMP_FREE,
                             .turn = {1},
                             .axis = {0, 1, 0},
                             .mass = gen_uniform(s, 0.5, 2)};
        for (int k = 0; k < 3; k++)
            link[i].inertia[4 * k] = link[i].mass * gen_uniform(s, 0.05, 0.1);
        link[i].offset[0] = i ? gen_uniform(s, 0.2, 1) : 0;
        link[i].com[2] = i ? gen_uniform(s, 0.2, 0.5) : 0;
    }
    link[0].parent = IMP_GROUND;
    return imp_tree_new(2, link, NULL);
}

static void planar_contact(gen_stream *s, imp_contact *contact) {
    static const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    *contact = (imp_contact){.a = IMP_GROUND, .b = 1};
    contact->point[0] = gen_uniform(s, -2, 2);
    contact->point[2] = gen_uniform(s, -2, 2);
    memcpy(contact->frame, frame, sizeof frame);
}

static void planar_state(gen_stream *s, double *q, double *v) {
    const double angle = gen_uniform(s, 0, 3);
    memset(q, 0, 8 * sizeof *q);
    memset(v, 0, 7 * sizeof *v);
    q[3] = cos(angle);
    q[5] = sin(angle);
    q[7] = gen_uniform(s, -2, 2);
    v[0] = gen_uniform(s, -3, 3);
    v[2] = gen_uniform(s, -3, 3);
    v[4] = gen_uniform(s, -3, 3);
    v[6] = gen_uniform(s, -3, 3);
}

/* nc contacts, or one on a mechanism that stays in its plane. The third is between links that a
 * hinge joins, which move against each other in one way only. */
static bool draw_forms(uint64_t k, int nc, forms *f) {
    gen_stream s = gen_seed(1808, k);
    imp_tree *tree = nc == IN_PLANE ? planar(&s) : gen_tree(&s, true);
    double q[MOST], v[MOST], work[9 * CONTACTS * MOST];
    imp_contact contact[CONTACTS];
    closed c;
    if (nc == IN_PLANE) {
        planar_state(&s, q, v);
        planar_contact(&s, contact);
    } else {
        gen_tree_state(&s, tree, q, v);
        draw_contacts(&s, imp_tree_links(tree), contact);
    }
    f->nc = nc == IN_PLANE ? 1 : nc;
    imp_tree_place(tree, q, v);
    const bool good = loosen(tree, &c) &&
                      imp_tree_delassus(tree, f->nc, contact, f->W[0], f->q[0], work) == IMP_OK &&
                      imp_loops_delassus(c.loops, f->nc, contact, f->W[1], f->q[1], work) == IMP_OK;
    release(&c);
    imp_tree_free(tree);
    return good;
}

/* What a model says of both forms: velocities (m/s), and the worst residual of each answer as one
 * of the other form's problem. */
typedef struct answers {
    imp_status status[2];
    double apart, swapped;
} answers;

static answers ask(const imp_model *model, const forms *f, double restitution) {
    double mu[CONTACTS], e[CONTACTS], p[2][9], u[2][9], size = 0;
    imp_operator W[2];
    imp_problem problem[2];
    imp_path path[2] = {{0}};
    imp_settings settings;
    answers a = {.status = {IMP_OK, IMP_OK}};
    imp_model_presets(model, &settings);
    (void)imp_model_set(model, &settings, "tolerance", 1e-13);
    for (int i = 0; i < f->nc; i++) {
        mu[i] = model->takes & IMP_ONLY_FRICTIONLESS ? 0 : 0.4;
        e[i] = restitution;
    }
    for (int k = 0; k < 2; k++) {
        W[k] = imp_operator_dense(f->nc, f->W[k]);
        problem[k] = (imp_problem){.nc = f->nc, .W = &W[k], .q = f->q[k], .mu = mu};
        if (model->takes & IMP_TAKES_RESTITUTION) problem[k].e = e;
        a.status[k] =
            imp_solve_certified(model, &problem[k], &settings, p[k], &path[k], NULL, NULL);
    }
    const bool both = a.status[0] == IMP_OK && a.status[1] == IMP_OK;
    for (int k = 0; both && k < 2; k++) {
        imp_certificate c;
        imp_operator_apply(&W[k], p[k], f->q[k], u[k]);
        if (imp_certify_along(&problem[!k], model->law, &settings, p[k], &path[k], &c) != IMP_OK)
            c.worst = INFINITY;
        a.swapped = tap_worst(a.swapped, c.worst);
    }
    for (int i = 0; both && i < 3 * f->nc; i++) {
        size = fmax(size, fabs(f->q[0][i]));
        a.apart = tap_worst(a.apart, fabs(u[0][i] - u[1][i]));
    }
    a.apart /= both ? size : 1;
    for (int k = 0; k < 2; k++)
        imp_path_clear(&path[k]);
    return a;
}

/* A model over all subjects that approach. A contact that moves in one way has a block that is
 * singular but for its rounding: whether sweeps settle on it may hang on that, and a form they do
 * not settle on has no answer to compare. */
typedef struct tally {
    int answered, otherwise; /* both forms; otherwise: one has an answer, the other is refused */
    double apart, swapped;   /* the largest */
} tally;

static bool is_unsolved(imp_status status) {
    return status == IMP_NOT_CONVERGED || status == IMP_NOT_CERTIFIED || status == IMP_OVERFLOW;
}

static tally over(const imp_model *model, int nc, double restitution) {
    tally t = {0};
    for (uint64_t k = 0; k < SUBJECTS; k++) {
        forms f;
        if (!draw_forms(k, nc, &f)) {
            t.otherwise++;
            continue;
        }
        if (!(f.q[0][0] < 0)) continue;
        const answers a = ask(model, &f, restitution);
        t.answered += a.status[0] == IMP_OK && a.status[1] == IMP_OK;
        t.otherwise +=
            a.status[0] != a.status[1] && !is_unsolved(a.status[0]) && !is_unsolved(a.status[1]);
        t.apart = tap_worst(t.apart, a.apart);
        t.swapped = tap_worst(t.swapped, a.swapped);
    }
    return t;
}

/* Does the law leave the answer open where a contact has one way to move? Drumwright's does: its
 * restitution multiplies the compression's normal impulse, and any of the cone that stops the
 * contact is one. */
static bool open_to_choice(const imp_model *model, int nc) {
    return nc == 3 && strcmp(model->name, "drumwright") == 0;
}

static void test_models(int nc, const char *called, int least) {
    double apart = 0;
    int models = 0, otherwise = 0;
    for (int k = 0; imp_models[k]; k++) {
        const tally t = over(imp_models[k], nc, 0.5);
        if (open_to_choice(imp_models[k], nc)) continue;
        models += t.answered > 10;
        otherwise += t.otherwise;
        apart = tap_worst(apart, t.apart);
        note("%s, %s: %d, %.1e", called, imp_models[k]->name, t.answered, t.apart);
    }
    ok(models >= least && otherwise == 0, "%s: %d models answer, of both forms alike", called,
       models);
    ok(apart < 1e-10, "%s: velocities of the two forms apart by %.1e of those before", called,
       apart);
}

static void test_choice(void) {
    const imp_model *model = imp_model_find("drumwright");
    const tally without = over(model, 3, 0), with = over(model, 3, 0.5);
    ok(without.answered > 10 && without.apart < 1e-10, "drumwright, e = 0: apart by %.1e",
       without.apart);
    ok(with.apart > 1e-4 && with.swapped < 1e-9,
       "drumwright, e = 0.5: apart by %.1e, and each answer is one of the other form, to %.1e",
       with.apart, with.swapped);
}

int main(void) {
    test_models(IN_PLANE, "one contact in the plane", 21);
    test_models(1, "one contact", 18);
    test_models(2, "two contacts", 13);
    test_models(3, "three, one of a single freedom", 12);
    test_choice();
    return tap_done();
}
