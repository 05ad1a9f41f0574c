/* test_grid_hinge.c - a body on a hinge, and a contact along whose normal the hinge lets nothing
 * move, in whole numbers: where velocities are 0, too, what rounding leaves has nothing in its own
 * row to be measured by. By bodies and joints, and as a global problem of FCLIB. */
#include "base/vec3.h"
#include "fclib_body.h"
#include "generators/gen.h"
#include "impact.h"
#include "io/fclib_bilateral.h"
#include "tap.h"

typedef struct hinged {
    imp_body body;
    imp_contact contact;
    imp_term term[IMP_PAIR_TERMS];
    int terms, rows;
} hinged;

static void draw_whole(gen_stream *s, int most, double v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = round(gen_uniform(s, -most, most));
}

/* Its velocities keep the hinge but for rounding, or are whole numbers, which do not. False: the
 * point is on the hinge, or the normal none. */
static bool draw(gen_stream *s, bool kept, hinged *h) {
    const double mass = round(gen_uniform(s, 1, 3));
    imp_pair pair = {.kind = IMP_PAIR_REVOLUTE, .a = IMP_GROUND, .b = 0};
    double arm[3], way[3], other[3], normal[3];
    *h = (hinged){.body = {.inv_mass = 1 / mass, .orientation = {1}}, .contact = {.a = IMP_GROUND}};
    draw_whole(s, 3, pair.axis);
    draw_whole(s, 3, pair.point);
    draw_whole(s, 3, h->body.position);
    draw_whole(s, 3, h->contact.point);
    draw_whole(s, 3, other);
    sub3(h->contact.point, pair.point, arm);
    cross3(pair.axis, arm, way);
    cross3(way, other, normal);
    const double size = norm3(pair.axis), length = norm3(normal);
    if (length == 0) return false;
    for (int k = 0; k < 3; k++) {
        h->body.inv_inertia[4 * k] = 1 / mass;
        pair.axis[k] /= size;
        normal[k] /= length;
    }
    imp_frame_from_normal(normal, h->contact.frame);
    if (kept) {
        add3(gen_normal(s), pair.axis, h->body.spin);
        sub3(h->body.position, pair.point, arm);
        cross3(h->body.spin, arm, h->body.velocity);
    } else {
        draw_whole(s, 1, h->body.spin);
        draw_whole(s, 1, h->body.velocity);
    }
    h->terms = imp_pair_terms(&pair, &h->body, 0, h->term, &h->rows);
    return true;
}

/* Does the contact neither close nor open, and does `auto` take the problem? */
static bool stands(const imp_operator *W, const double *q) {
    static const double mu = 0.3;
    const imp_problem problem = {.nc = 1, .W = W, .q = q, .mu = &mu};
    double p[3];
    return q[0] == 0 && imp_solve(&imp_model_auto, &problem, NULL, p, NULL) == IMP_OK;
}

static bool by_bodies(const hinged *h) {
    const imp_constraints given = {.rows = h->rows, .terms = h->terms, .term = h->term};
    imp_bilateral *made;
    double q[3];
    if (imp_bilateral_new(1, &h->body, 1, &h->contact, &given, &made, q, NULL) != IMP_OK) abort();
    const imp_operator W = imp_operator_factored(imp_bilateral_factored(made));
    const bool stand = stands(&W, q);
    imp_bilateral_free(made);
    return stand;
}

/* global: over coordinates; local: over contact and constraints. */
static bool by_file(const hinged *h, bool local) {
    imp_fclib file = fclib_of_body(&h->body, 1, &h->contact, h->rows, h->terms, h->term), other;
    imp_fclib_posed posed;
    if (imp_fclib_local(&file, &other) != IMP_OK ||
        imp_fclib_pose(local ? &other : &file, &posed) != IMP_OK)
        abort();
    const bool stand = stands(posed.problem.W, posed.problem.q);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&other);
    imp_fclib_clear(&file);
    return stand;
}

/* A row drives a body into the contact, by 1e-9 of what it does along it: no rounding. */
static void test_driven(void) {
    const double rate = -1e-9;
    hinged h = {.body = {.inv_mass = 1, .orientation = {1}, .velocity = {1}},
                .contact = {.a = IMP_GROUND, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}},
                .term = {{.axis = {0, 0, 1}}}};
    const imp_constraints given = {.rows = 1, .terms = 1, .term = h.term, .rate = &rate};
    imp_bilateral *made;
    double q[3];
    const imp_status status = imp_bilateral_new(1, &h.body, 1, &h.contact, &given, &made, q, NULL);
    ok(status == IMP_OK && fabs(q[0] - rate) <= 1e-15,
       "what drives a body into a contact stays: %g m/s", q[0]);
    imp_bilateral_free(made);
}

int main(void) {
    enum { COUNT = 1000 };
    for (int kept = 0; kept < 2; kept++) {
        gen_stream s = gen_seed(910, (uint64_t)kept);
        int drawn = 0, bodies = 0, global = 0, local = 0;
        while (drawn < COUNT) {
            hinged h;
            if (!draw(&s, kept, &h)) continue;
            drawn++;
            bodies += by_bodies(&h);
            global += by_file(&h, false);
            local += by_file(&h, true);
        }
        const char *how = kept ? "keep" : "do not keep";
        ok(bodies == COUNT, "velocities that %s the hinge: at %d of %d contacts nothing approaches",
           how, bodies, COUNT);
        ok(global == COUNT && local == COUNT,
           "  as files of FCLIB state them at %d, in the local form at %d", global, local);
    }
    test_driven();
    return tap_done();
}
