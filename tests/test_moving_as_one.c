/* test_moving_as_one.c - what moves as one, or is stopped by joints, approaches nothing: what
 * rounding leaves of velocities at its contacts is no motion that these would have to stop. */
#include "base/vec3.h"
#include "contact/bilateral_internal.h"
#include "fclib_body.h"
#include "generators/gen.h"
#include "impact.h"
#include "impact_dump.h"
#include "io/answer.h"
#include "tap.h"

#include <jansson.h>

enum { CUBES = 3, NB = CUBES + 1, NC = 4 * (CUBES - 1) + 1, ROWS = 3 * NC };

/* Cubes, each on the next by the corners of a face, turn as one about a point; another body, in
 * front of the first, moves so too, and towards it. `parts`: the ground stops the first instead, by
 * its centre, and the others go on. */
static void draw_train(gen_stream *s, bool parts, imp_body body[NB], imp_contact contact[NC]) {
    double R[9], point[3], spin[3], speed[3], normal[3];
    const double up[3] = {0, 0, 1};
    gen_rotation(s, R);
    apply3(R, up, normal);
    for (int k = 0; k < 3; k++) {
        point[k] = gen_normal(s);
        spin[k] = gen_normal(s);
        speed[k] = gen_normal(s);
    }
    memset(body, 0, NB * sizeof *body);
    for (int i = 0; i < NB; i++) {
        double arm[3];
        add3(i < CUBES ? i : -1, normal, body[i].position);
        body[i].inv_mass = 1;
        body[i].orientation[0] = 1;
        for (int k = 0; k < 3; k++)
            body[i].inv_inertia[4 * k] = 6;
        memcpy(body[i].spin, spin, sizeof spin);
        sub3(body[i].position, point, arm);
        cross3(spin, arm, body[i].velocity);
        add3(1, speed, body[i].velocity);
        if (parts) add3(3, normal, body[i].velocity);
    }
    add3(1, normal, body[CUBES].velocity);
    for (int i = 0; i < NC; i++) {
        const bool meets = i == NC - 1;
        const double place[3] = {meets ? 0 : i % 2 - 0.5, meets ? 0 : i / 2 % 2 - 0.5,
                                 meets ? -0.5 : i / 4 + 0.5};
        contact[i] = (imp_contact){.a = meets ? CUBES : i / 4, .b = meets ? 0 : i / 4 + 1};
        apply3(R, place, contact[i].point);
        imp_frame_from_normal(normal, contact[i].frame);
    }
    if (!parts) return;
    const double against[3] = {-normal[0], -normal[1], -normal[2]};
    contact[NC - 1].a = IMP_GROUND;
    memcpy(contact[NC - 1].point, body[0].position, sizeof contact[NC - 1].point);
    imp_frame_from_normal(against, contact[NC - 1].frame);
}

/* By every model that takes several contacts. */
static void test_trains(void) {
    static imp_body body[NB];
    static imp_contact contact[NC];
    static double W[ROWS * ROWS], q[ROWS], p[ROWS], u[ROWS], mu[NC];
    const int n = tap_many(5, 40);
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (!((*m)->takes & IMP_TAKES_MANY)) continue;
        gen_stream s = gen_seed(911, 0);
        int solved = 0;
        for (int k = 0; k < n; k++) {
            imp_answer answer;
            draw_train(&s, k % 2, body, contact);
            for (int i = 0; i < NC; i++)
                mu[i] = (*m)->takes & IMP_ONLY_FRICTIONLESS ? 0 : 0.3;
            if (imp_delassus_dense(NB, body, NC, contact, W, q) != IMP_OK) abort();
            const imp_operator dense = imp_operator_dense(NC, W);
            const imp_problem problem = {.nc = NC, .W = &dense, .q = q, .mu = mu};
            solved +=
                imp_answer_solve(NULL, *m, &problem, NULL, NULL, p, u, NULL, &answer) == IMP_OK;
        }
        ok(solved == n, "%s: cubes that turn as one, of which one is struck: %d of %d solved",
           (*m)->name, solved, n);
    }
}

/* A body between two stops, on a slider that lets it move towards either; moves across. */
typedef struct carriage {
    imp_body body;
    imp_contact contact[2];
    imp_term term[IMP_PAIR_TERMS];
    int terms, rows;
} carriage;

static void draw_carriage(gen_stream *s, bool level, carriage *c) {
    imp_pair pair = {.kind = IMP_PAIR_SLIDER, .a = IMP_GROUND, .b = 0};
    double other[3];
    *c = (carriage){.body = {.inv_mass = 1, .orientation = {1}}};
    for (int k = 0; k < 3; k++) {
        c->body.inv_inertia[4 * k] = 1;
        c->body.position[k] = gen_normal(s);
        pair.axis[k] = level && k == 2 ? 0 : gen_normal(s);
        other[k] = gen_normal(s);
    }
    const double length = norm3(pair.axis);
    for (int k = 0; k < 3; k++)
        pair.axis[k] /= length;
    cross3(pair.axis, other, c->body.velocity);
    if (level) memcpy(c->body.velocity, (double[]){0, 0, -0.0981}, sizeof c->body.velocity);
    memcpy(pair.point, c->body.position, sizeof pair.point);
    pair.point[2] += 0.05;
    for (int i = 0; i < 2; i++) {
        const double normal[3] = {(i ? -1 : 1) * pair.axis[0], (i ? -1 : 1) * pair.axis[1],
                                  (i ? -1 : 1) * pair.axis[2]};
        c->contact[i] = (imp_contact){.a = IMP_GROUND};
        memcpy(c->contact[i].point, c->body.position, sizeof c->contact[i].point);
        add3(-0.3, normal, c->contact[i].point);
        c->contact[i].point[2] += i ? 0 : 0.1;
        imp_frame_from_normal(normal, c->contact[i].frame);
    }
    c->terms = imp_pair_terms(&pair, &c->body, 0, c->term, &c->rows);
}

/* An engine's header says the same. */
static void test_header(void) {
    static imp_body body[NB];
    static imp_contact contact[NC];
    static double W[ROWS * ROWS], q[ROWS], dumped[ROWS];
    imp_dump_body its_body[NB];
    imp_dump_contact its_contact[NC];
    gen_stream s = gen_seed(914, 0);
    bool same = true;
    draw_train(&s, false, body, contact);
    for (int i = 0; i < NB; i++) {
        its_body[i] = (imp_dump_body){.inv_mass = 1};
        memcpy(its_body[i].inv_inertia, body[i].inv_inertia, sizeof body[i].inv_inertia);
        memcpy(its_body[i].position, body[i].position, sizeof body[i].position);
        memcpy(its_body[i].velocity, body[i].velocity, sizeof body[i].velocity);
        memcpy(its_body[i].spin, body[i].spin, sizeof body[i].spin);
    }
    for (int i = 0; i < NC; i++) {
        its_contact[i] = (imp_dump_contact){.a = contact[i].a, .b = contact[i].b};
        memcpy(its_contact[i].point, contact[i].point, sizeof contact[i].point);
        memcpy(its_contact[i].normal, contact[i].frame, sizeof its_contact[i].normal);
        memcpy(its_contact[i].tangent, contact[i].frame + 3, sizeof its_contact[i].tangent);
    }
    if (imp_delassus_dense(NB, body, NC, contact, W, q) != IMP_OK ||
        imp_dump_assemble(NB, its_body, NC, its_contact, W, dumped) != IMP_DUMP_OK)
        abort();
    for (int k = 0; k < ROWS; k++)
        same = same && (q[k] == 0) == (dumped[k] == 0) && (q[k] == 0) == (k != ROWS - 3);
    ok(same, "impact_dump.h: of cubes that turn as one nothing but what strikes approaches");
}

static const char *const carried[] = {"auto", "newton", "frictionless", "plus", "drumwright"};
enum { CARRIED = sizeof carried / sizeof *carried };

/* Is there no impulse, by each of these models? */
static bool rests(const imp_operator *W, const double *q) {
    static const double mu[2] = {0};
    const imp_problem problem = {.nc = 2, .W = W, .q = q, .mu = mu};
    bool all = true;
    for (int m = 0; m < CARRIED; m++) {
        double p[6], u[6];
        imp_answer answer;
        all = all &&
              imp_answer_solve(NULL, imp_model_find(carried[m]), &problem, NULL, NULL, p, u, NULL,
                               &answer) == IMP_OK &&
              answer.status == IMP_OK && fabs(p[0]) < 1e-12 && fabs(p[3]) < 1e-12;
    }
    return all;
}

static bool rests_by_bodies(const carriage *c) {
    const imp_constraints given = {.rows = c->rows, .terms = c->terms, .term = c->term};
    imp_bilateral *made;
    double q[6], none[6] = {0}, velocity[6];
    if (imp_bilateral_new(1, &c->body, 2, c->contact, &given, &made, q, NULL) != IMP_OK) abort();
    const imp_operator W = imp_operator_factored(imp_bilateral_factored(made));
    double lambda[8];
    if (imp_bilateral_recover(made, none, NULL, velocity, lambda, NULL) != IMP_OK) abort();
    const bool rest = rests(&W, q) && imp_bilateral_apart(made, none, NULL, q, velocity) == 0;
    imp_bilateral_free(made);
    return rest;
}

static bool rests_by_file(const carriage *c, bool local) {
    imp_fclib file = fclib_of_body(&c->body, 2, c->contact, c->rows, c->terms, c->term), other;
    imp_fclib_posed posed;
    if (imp_fclib_local(&file, &other) != IMP_OK ||
        imp_fclib_pose(local ? &other : &file, &posed) != IMP_OK)
        abort();
    const bool rest = rests(posed.problem.W, posed.problem.q);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&other);
    imp_fclib_clear(&file);
    return rest;
}

static void test_carriages(void) {
    enum { COUNT = 200 };
    for (int level = 0; level < 2; level++) {
        gen_stream s = gen_seed(912, (uint64_t)level);
        int bodies = 0, global = 0, local = 0;
        for (int k = 0; k < COUNT; k++) {
            carriage c;
            draw_carriage(&s, level, &c);
            bodies += rests_by_bodies(&c);
            global += rests_by_file(&c, false);
            local += rests_by_file(&c, true);
        }
        ok(bodies == COUNT && global == COUNT && local == COUNT,
           "a carriage between two stops, moved across its %s slider, of %d: by bodies %d rest, as "
           "files of FCLIB %d, in the local form %d",
           level ? "level" : "tilted", COUNT, bodies, global, local);
    }
}

/* Two bodies, the first on the second, which the ground carries, on sliders that rub. */
typedef struct brakes {
    imp_body body[2];
    double axis[3]; /* of the slider on the ground */
    imp_term term[3 * IMP_PAIR_TERMS], rub[4];
    int terms, rows, rub_terms;
} brakes;

static void draw_axis(gen_stream *s, double axis[3]) {
    for (int k = 0; k < 3; k++)
        axis[k] = gen_normal(s);
    const double length = norm3(axis);
    for (int k = 0; k < 3; k++)
        axis[k] /= length;
}

static void add_slider(brakes *b, int under, int on, const double axis[3]) {
    imp_pair pair = {.kind = IMP_PAIR_SLIDER, .a = under, .b = on};
    int rows;
    memcpy(pair.axis, axis, sizeof pair.axis);
    memcpy(pair.point, b->body[on].position, sizeof pair.point);
    b->terms += imp_pair_terms(&pair, b->body, b->rows, b->term + b->terms, &rows);
    b->rows += rows;
    for (int side = 0; side < 2; side++) {
        imp_term *t = &b->rub[b->rub_terms];
        double arm[3];
        *t = (imp_term){.row = on, .body = side ? on : under};
        if (t->body == IMP_GROUND) continue;
        add3(side ? 1 : -1, pair.axis, t->axis);
        sub3(pair.point, b->body[t->body].position, arm);
        cross3(arm, t->axis, t->axis + 3);
        b->rub_terms++;
    }
}

/* `beside`: the brake is the first body's, which moves along the second and not with it, or only
 * turns. Both are light in every other draw. */
static void draw_brakes(gen_stream *s, bool beside, int draw, brakes *b) {
    const double light = draw % 2 ? 1e8 : 1;
    double other[3];
    *b = (brakes){.body = {{.inv_mass = light, .orientation = {1}},
                           {.inv_mass = light, .orientation = {1}, .position = {1, 0, 0}}}};
    for (int k = 0; k < 3; k++) {
        if (beside && draw % 3 == 0)
            b->body[0].spin[k] = gen_normal(s);
        else
            b->body[0].velocity[k] = gen_normal(s);
        b->body[0].inv_inertia[4 * k] = b->body[1].inv_inertia[4 * k] = light;
    }
    draw_axis(s, b->axis);
    draw_axis(s, other);
    add_slider(b, IMP_GROUND, 1, b->axis);
    add_slider(b, 1, 0, beside ? b->axis : other);
    /* so that rows change nothing, and friction alone does */
    if (!beside && draw % 3 == 0) memcpy(b->body[0].velocity, other, sizeof other);
    if (!beside) return;
    b->rub_terms = 0;
    add_slider(b, IMP_GROUND, 0, b->axis);
}

/* Contacts of the second body, without friction: one, or two between which its slider moves it. */
static int draw_stops(gen_stream *s, bool beside, const brakes *b, imp_contact contact[2]) {
    for (int i = 0; i < 2; i++) {
        double normal[3];
        draw_axis(s, normal);
        if ((dot3(normal, b->axis) > 0) == (i == 1))
            for (int k = 0; k < 3; k++)
                normal[k] = -normal[k];
        contact[i] = (imp_contact){.a = IMP_GROUND, .b = 1};
        memcpy(contact[i].point, b->body[1].position, sizeof contact[i].point);
        add3(-0.3, normal, contact[i].point);
        imp_frame_from_normal(normal, contact[i].frame);
    }
    return beside ? 2 : 1;
}

/* Is there no impulse of the contacts of the second body, which is at rest before? */
static bool holds(gen_stream *s, bool beside, int draw) {
    static const double bound[2] = {50, 50}, mu[2] = {0};
    brakes b;
    imp_contact contact[2];
    imp_bilateral *made;
    imp_answer answer;
    double q[6], p[6], u[6];
    draw_brakes(s, beside, draw, &b);
    const int nc = draw_stops(s, beside, &b, contact);
    const imp_constraints given = {.rows = b.rows,
                                   .terms = b.terms,
                                   .term = b.term,
                                   .rubs = beside ? 1 : 2,
                                   .rub_terms = b.rub_terms,
                                   .rub = b.rub,
                                   .bound = bound};
    if (imp_bilateral_new(2, b.body, nc, contact, &given, &made, q, NULL) != IMP_OK) abort();
    const imp_operator W = imp_operator_factored(imp_bilateral_factored(made));
    const imp_problem problem = {.nc = nc, .W = &W, .q = q, .mu = mu};
    bool none = imp_answer_solve(made, &imp_model_auto, &problem, NULL, NULL, p, u, NULL,
                                 &answer) == IMP_OK;
    if (none) json_decref(imp_answer_constraints(made, &answer));
    none = none && answer.status == IMP_OK;
    for (int i = 0; i < nc && none; i++)
        none = fabs(p[3 * i]) < 1e-12;
    imp_bilateral_free(made);
    return none;
}

static void test_brakes(void) {
    enum { COUNT = 200 };
    for (int beside = 0; beside < 2; beside++) {
        gen_stream s = gen_seed(913, (uint64_t)beside);
        int held = 0;
        for (int k = 0; k < COUNT; k++)
            held += holds(&s, beside, k);
        ok(held == COUNT, "of %d bodies %s brakes %d rest at their contacts", COUNT,
           beside ? "between stops, beside another on" : "that are stopped by", held);
    }
}

/* No rounding: an approach by 1e-9 of how fast two bodies are. */
static void test_slow(void) {
    const imp_body body[2] = {
        {.inv_mass = 1, .orientation = {1}, .velocity = {1, 2, 3}},
        {.inv_mass = 1, .orientation = {1}, .position = {0, 0, 1}, .velocity = {1, 2, 3 - 1e-9}}};
    const imp_contact contact = {
        .a = 0, .b = 1, .point = {0, 0, 0.5}, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    double W[9], q[3];
    if (imp_delassus_dense(2, body, 1, &contact, W, q) != IMP_OK) abort();
    ok(fabs(q[0] + 1e-9) < 1e-15 && q[1] == 0,
       "two bodies that close by 1e-9 of their speed close: %g m/s", q[0]);
}

/* What turns about its centre has no approach where its lever is the normal. */
static void test_spinning(void) {
    enum { COUNT = 200 };
    gen_stream s = gen_seed(916, 0);
    int none = 0, filed = 0;
    for (int k = 0; k < COUNT; k++) {
        imp_fclib_posed posed;
        imp_body body = {.inv_mass = 1, .orientation = {1}};
        imp_contact contact = {.a = IMP_GROUND};
        double axis[3], W[9], q[3];
        draw_axis(&s, axis);
        draw_axis(&s, body.spin);
        for (int i = 0; i < 3; i++)
            body.inv_inertia[4 * i] = 1;
        add3(-1, axis, contact.point);
        imp_frame_from_normal(axis, contact.frame);
        if (imp_delassus_dense(1, &body, 1, &contact, W, q) != IMP_OK) abort();
        none += q[0] == 0;
        imp_fclib file = fclib_of_body(&body, 1, &contact, 0, 0, NULL);
        if (imp_fclib_pose(&file, &posed) != IMP_OK) abort();
        filed += posed.problem.q[0] == 0;
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&file);
    }
    ok(none == COUNT && filed == COUNT,
       "of %d balls that spin %d approach nothing, as files of FCLIB %d", COUNT, none, filed);
}

/* A speed beyond double says nothing of what is rounding. */
static void test_fast(void) {
    const imp_body body = {.inv_mass = 1, .orientation = {1}, .velocity = {1.5e308, 1.5e308, -1}};
    const imp_contact contact = {.a = IMP_GROUND, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    double W[9], q[3];
    if (imp_delassus_dense(1, &body, 1, &contact, W, q) != IMP_OK) abort();
    ok(q[0] == -1, "an approach beside a speed that overflows: %g m/s", q[0]);
}

/* Newton's cradle of three balls in any direction: the first strikes the others, which move as one,
 * so that what rounding leaves between them may be an approach. */
static void test_cradles(void) {
    enum { COUNT = 200 };
    static const double mu[2] = {0}, e[2] = {1, 1};
    gen_stream s = gen_seed(915, 0);
    int right = 0;
    for (int k = 0; k < COUNT; k++) {
        imp_body body[3];
        imp_contact contact[2];
        double axis[3], W[36], q[6], p[6], speed[3];
        draw_axis(&s, axis);
        draw_axis(&s, speed);
        for (int i = 0; i < 3; i++) {
            body[i] = (imp_body){.inv_mass = 1, .orientation = {1}};
            add3(i, axis, body[i].position);
            memcpy(body[i].velocity, speed, sizeof speed);
            if (i == 0) add3(1, axis, body[i].velocity);
            if (i == 2) break;
            contact[i] = (imp_contact){.a = i, .b = i + 1};
            add3(i + 0.5, axis, contact[i].point);
            imp_frame_from_normal(axis, contact[i].frame);
        }
        if (imp_delassus_dense(3, body, 2, contact, W, q) != IMP_OK) abort();
        const imp_operator dense = imp_operator_dense(2, W);
        const imp_problem problem = {.nc = 2, .W = &dense, .q = q, .mu = mu, .e = e};
        right += imp_solve(&imp_model_plus, &problem, NULL, p, NULL) == IMP_OK &&
                 fabs(p[0] - 1) < 1e-9 && fabs(p[3] - 1) < 1e-9;
    }
    ok(right == COUNT, "plus: of %d cradles %d pass on what strikes", COUNT, right);
}

int main(void) {
    test_trains();
    test_header();
    test_cradles();
    test_carriages();
    test_brakes();
    test_slow();
    test_spinning();
    test_fast();
    return tap_done();
}
