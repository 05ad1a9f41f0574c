/* gen_world.c - random worlds for the time stepper, and how else they may be seen. */
#include "gen_world.h"

#include "base/vec3.h"
#include "gen_tree.h"

#include <string.h>

const gen_world_view gen_world_as_is = {.turn = {1}, .length = 1, .mass = 1, .time = 1};

static int coordinates(const imp_link *l) {
    return l->joint == IMP_FREE ? 7 : l->joint != IMP_WELD;
}

static int freedoms(const imp_link *l) {
    return l->joint == IMP_FREE ? 6 : l->joint != IMP_WELD;
}

/* Where the coordinates of a link begin, and (nv) its degrees of freedom. */
static int begin_of(const gen_world *w, int link, int (*count)(const imp_link *l)) {
    int at = 0;
    for (int i = 0; i < link; i++)
        at += count(&w->link[i]);
    return at;
}

/* A ball of this link about its centre of mass, and, over ground, its guard. */
static void add_ball(gen_world *w, int link, const double centre[3], double radius,
                     const double half[3], double mu) {
    imp_ball *b = &w->ball[w->balls++];
    *b = (imp_ball){.link = link, .radius = radius, .mu = mu};
    memcpy(b->centre, centre, sizeof b->centre);
    memcpy(b->half, half, sizeof b->half);
    if (w->gravity[2] == 0 || half[0] > 0) return;
    imp_guard *g = &w->guard[w->guards++];
    *g = (imp_guard){.link = link, .radius = radius, .plane = IMP_GROUND, .normal = {0, 0, 1}};
    memcpy(g->centre, centre, sizeof g->centre);
    g->mu = mu, g->e = w->e;
}

/* A free link of its own tree at `place`, flying with `velocity`. */
static int add_free(gen_world *w, const imp_link *link, const double place[3],
                    const double velocity[3], double spin, gen_stream *s) {
    const int i = w->first[w->trees];
    double *q = w->q + begin_of(w, i, coordinates), *v = w->v + begin_of(w, i, freedoms);
    w->link[i] = *link;
    w->link[i].parent = IMP_GROUND;
    w->link[i].joint = IMP_FREE;
    w->first[++w->trees] = i + 1;
    memcpy(q, place, 3 * sizeof *q);
    gen_unit(s, q + 3, 4);
    memcpy(v, velocity, 3 * sizeof *v);
    for (int k = 3; k < 6; k++)
        v[k] = gen_uniform(s, -spin, spin);
    return i;
}

static void add_sphere(gen_world *w, gen_stream *s, const double place[3], const double velocity[3],
                       double mu) {
    static const double core[3] = {0};
    const double radius = gen_uniform(s, 0.2, 0.4), mass = gen_uniform(s, 0.5, 4),
                 I = 0.4 * mass * radius * radius;
    const imp_link ball = {.mass = mass, .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
    add_ball(w, add_free(w, &ball, place, velocity, 4, s), core, radius, core, mu);
}

/* A cuboid with rounded edges, its frame's origin off its centre, its inertia that of no cuboid. */
static void add_cuboid(gen_world *w, gen_stream *s, const double place[3], const double velocity[3],
                       double mu) {
    static const double none[3] = {0}, radius = 0.03;
    const imp_link box = gen_link(s, IMP_GROUND, IMP_FREE);
    const int link = add_free(w, &box, place, velocity, 6, s);
    double half[3], R[9], centre[3];
    rotation3(w->q + begin_of(w, link, coordinates) + 3, R);
    apply3(R, box.com, centre);
    add3(-1, centre, w->q + begin_of(w, link, coordinates)); /* the centre is at `place` */
    for (int k = 0; k < 3; k++)
        half[k] = gen_uniform(s, 0.1, 0.3);
    add_ball(w, link, box.com, radius, half, mu);
    for (int corner = 0; corner < 8; corner++) {
        for (int k = 0; k < 3; k++)
            centre[k] = box.com[k] + (corner >> k & 1 ? half[k] : -half[k]);
        add_ball(w, link, centre, radius, none, mu);
    }
}

/* Three links in a chain or a fork, with a ball at each centre of mass. */
static void add_mechanism(gen_world *w, gen_stream *s, bool afloat, double mu) {
    static const double none[3] = {0};
    const int first = w->first[w->trees], at = begin_of(w, first, coordinates);
    int dof = begin_of(w, first, freedoms);
    for (int i = 0; i < 3; i++) {
        const imp_joint joint = i == 0 && afloat             ? IMP_FREE
                                : gen_uniform(s, 0, 1) < 0.3 ? IMP_PRISMATIC
                                                             : IMP_REVOLUTE;
        imp_link *l = &w->link[first + i];
        *l = gen_link(s, i == 0 ? IMP_GROUND : (int)gen_uniform(s, 0, i), joint);
        if (i == 0) { /* of a heavier root swings are found for longer steps (step.h) */
            l->mass *= 4;
            for (int k = 0; k < 9; k++)
                l->inertia[k] *= 16;
        }
        for (int k = 0; k < freedoms(l); k++, dof++) {
            w->v[dof] = gen_uniform(s, -1, 1);
            if (joint == IMP_FREE) continue;
            w->force[dof] = gen_uniform(s, -1, 1);
            if (gen_uniform(s, 0, 1) < 0.5) continue;
            w->mu_c[dof] = gen_power10(s, -3, 0);
            w->mu_v[dof] = gen_power10(s, -3, 0);
        }
        add_ball(w, first + i, l->com, 0.1, none, mu);
    }
    w->first[++w->trees] = first + 3;
    double *q = w->q + at;
    if (afloat) gen_unit(s, q + 3, 4);
    for (int k = afloat ? 7 : 0; k < (afloat ? 9 : 3); k++)
        q[k] = gen_uniform(s, -1, 1);
}

gen_world gen_world_make(gen_world_class c, uint64_t index) {
    gen_stream s = gen_seed(920 + (uint64_t)c, index);
    const bool falls = c == GEN_WORLD_HEAP || c == GEN_WORLD_ROOTED,
               linked = c == GEN_WORLD_AFLOAT || c == GEN_WORLD_ROOTED;
    const double mu = index % 3 == 0 ? 0 : gen_uniform(&s, 0, 1);
    gen_world w = {.least_gap = -1e-3, .h = gen_power10(&s, -2.7, -1.7)};
    w.reach = gen_power10(&s, -3, -1);
    if (falls) w.gravity[2] = -9.81;
    if (index % 4 == 1) w.e = gen_uniform(&s, 0, 1);
    if (linked) add_mechanism(&w, &s, c == GEN_WORLD_AFLOAT, mu);
    const int bodies = linked ? 2 : 2 + (int)gen_uniform(&s, 0, 3);
    for (int i = 0; i < bodies; i++) {
        double place[3], velocity[3];
        for (int k = 0; k < 3; k++) {
            place[k] = 0.5 * ((i + linked) >> k & 1 ? 1 : -1) + gen_uniform(&s, -0.1, 0.1);
            velocity[k] = -4 * place[k] + gen_uniform(&s, -1, 1);
        }
        if (c == GEN_WORLD_HEAP) place[2] += 0.9;
        if (c == GEN_WORLD_BOXES || (c == GEN_WORLD_HEAP && i % 2))
            add_cuboid(&w, &s, place, velocity, mu);
        else
            add_sphere(&w, &s, place, velocity, mu);
    }
    for (int i = 0; i < w.guards && linked; i++)
        w.guard[i].point[2] = -1.5;
    return w;
}

void gen_world_vector(const gen_world_view *view, bool axial, const double x[3], double y[3]) {
    double R[9], mirrored[3] = {x[0], x[1], x[2]};
    rotation3(view->turn, R);
    for (int k = 0; k < 3 && view->mirror; k++)
        if ((k == 0) != axial) mirrored[k] = -mirrored[k];
    apply3(R, mirrored, y);
}

int gen_world_link(const gen_world *world, const gen_world_view *view, int link) {
    int tree = 0;
    while (world->first[tree + 1] <= link)
        tree++;
    if (!view->backwards) return link;
    const int last = world->first[world->trees], end = world->first[tree + 1];
    return last - end + link - world->first[tree];
}

/* x <- times the vector as seen; of a link's own frame, which is mirrored but not turned. */
static void see(const gen_world_view *view, bool own, bool axial, double times, double x[3]) {
    gen_world_view of = *view;
    double y[3];
    if (own) memcpy(of.turn, gen_world_as_is.turn, sizeof of.turn);
    gen_world_vector(&of, axial, x, y);
    for (int k = 0; k < 3; k++)
        x[k] = times * y[k];
}

/* a (quaternion to the world, or to a frame) as seen. */
static void see_attitude(const gen_world_view *view, bool own, double a[4]) {
    if (view->mirror) a[2] = -a[2], a[3] = -a[3];
    if (own) return;
    const double turned[4] = {a[0], a[1], a[2], a[3]};
    multiply4(view->turn, turned, a);
}

static imp_link see_link(const imp_link *link, const gen_world_view *view) {
    imp_link l = *link;
    const bool inner = l.parent != IMP_GROUND;
    const double L = view->length;
    see(view, inner, false, L, l.offset);
    see_attitude(view, inner, l.turn);
    see(view, true, l.joint == IMP_REVOLUTE, 1, l.axis);
    see(view, true, false, L, l.com);
    l.mass *= view->mass;
    for (int k = 0; k < 9; k++)
        l.inertia[k] *=
            (view->mirror && (k == 1 || k == 2 || k == 3 || k == 6) ? -1 : 1) * view->mass * L * L;
    return l;
}

/* The coordinates, velocities, friction and forces of a link. */
static void see_state(const imp_link *l, const gen_world_view *view, double *q, double *v,
                      double *mu_c, double *mu_v, double *applied) {
    const double L = view->length, T = view->time, M = view->mass;
    if (l->joint == IMP_FREE) {
        see(view, false, false, L, q);
        see_attitude(view, false, q + 3);
        see(view, false, false, L / T, v);
        see(view, false, true, 1 / T, v + 3);
        return;
    }
    const double along = l->joint == IMP_PRISMATIC ? L : 1, force = M * L / T / T * (L / along);
    for (int k = 0; k < freedoms(l); k++) {
        q[k] *= along;
        v[k] *= along / T;
        applied[k] *= force;
        mu_c[k] *= force;
        mu_v[k] *= force * T / along;
    }
}

static void see_shapes(const gen_world *w, const gen_world_view *view, gen_world *seen) {
    const double L = view->length;
    for (int i = 0; i < w->balls; i++) {
        imp_ball *b = &seen->ball[view->backwards ? w->balls - 1 - i : i];
        *b = w->ball[i];
        b->link = gen_world_link(w, view, b->link);
        see(view, true, false, L, b->centre);
        b->radius *= L;
        for (int k = 0; k < 3; k++)
            b->half[k] *= L;
    }
    for (int i = 0; i < w->guards; i++) {
        imp_guard *g = &seen->guard[view->backwards ? w->guards - 1 - i : i];
        *g = w->guard[i];
        g->link = gen_world_link(w, view, g->link);
        see(view, true, false, L, g->centre);
        see(view, false, false, L, g->point);
        see(view, false, false, 1, g->normal);
        g->radius *= L;
    }
}

gen_world gen_world_seen(const gen_world *w, const gen_world_view *view) {
    gen_world seen = *w;
    const double L = view->length, T = view->time;
    const int links = w->first[w->trees];
    for (int t = 0; t < w->trees && view->backwards; t++)
        seen.first[t + 1] = links - w->first[w->trees - 1 - t];
    for (int i = 0; i < links; i++)
        seen.link[gen_world_link(w, view, i)] = see_link(&w->link[i], view);
    for (int i = 0; i < links; i++) {
        const int to = gen_world_link(w, view, i), q = begin_of(&seen, to, coordinates),
                  v = begin_of(&seen, to, freedoms), from = begin_of(w, i, freedoms);
        const size_t size = (size_t)freedoms(&w->link[i]) * sizeof *w->v;
        memcpy(seen.q + q, w->q + begin_of(w, i, coordinates),
               (size_t)coordinates(&w->link[i]) * sizeof *w->q);
        memcpy(seen.v + v, w->v + from, size);
        memcpy(seen.mu_c + v, w->mu_c + from, size);
        memcpy(seen.mu_v + v, w->mu_v + from, size);
        memcpy(seen.force + v, w->force + from, size);
        see_state(&w->link[i], view, seen.q + q, seen.v + v, seen.mu_c + v, seen.mu_v + v,
                  seen.force + v);
    }
    see_shapes(w, view, &seen);
    see(view, false, false, L / T / T, seen.gravity);
    seen.reach *= L, seen.least_gap *= L, seen.h *= T;
    return seen;
}

imp_stepper *gen_world_open(const gen_world *g, imp_shapes *shapes, imp_step_settings *settings) {
    imp_tree *tree[GEN_WORLD_TREES];
    int made = 0;
    while (made < g->trees && (tree[made] = imp_tree_new(g->first[made + 1] - g->first[made],
                                                         g->link + g->first[made], NULL)))
        made++;
    imp_world *w = made == g->trees ? imp_world_new(made, tree) : NULL;
    for (int t = 0; t < made && !w; t++)
        imp_tree_free(tree[t]);
    imp_stepper *s = w ? imp_stepper_new(w) : NULL;
    if (!s) {
        if (w) imp_world_free(w);
        return NULL;
    }
    memcpy(w->q, g->q, (size_t)w->nq * sizeof *w->q);
    memcpy(w->v, g->v, (size_t)w->nv * sizeof *w->v);
    imp_world_place(w);
    *shapes = (imp_shapes){.guards = g->guards,
                           .balls = g->balls,
                           .guard = g->guard,
                           .ball = g->ball,
                           .e = g->e,
                           .reach = g->reach,
                           .ahead = 1};
    *settings = (imp_step_settings){.h = g->h,
                                    .force = g->force,
                                    .mu_c = g->mu_c,
                                    .mu_v = g->mu_v,
                                    .least_gap = g->least_gap,
                                    .detect = imp_shapes_nearby,
                                    .late = imp_shapes_late,
                                    .detect_data = shapes};
    memcpy(settings->gravity, g->gravity, sizeof settings->gravity);
    return s;
}
