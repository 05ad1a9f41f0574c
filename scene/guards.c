/* guards.c - what bodies may touch when a scene is stepped: points and balls against planes, pins
 * in polygonal bores, and a lattice of balls. */
#include "scene/guards.h"

#include "base/vec3.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool add_guard(const imp_json *at, scene_guards *g, const imp_guard *guard) {
    if (g->count == g->room) {
        const int room = g->room ? 2 * g->room : 64;
        imp_guard *more = realloc(g->guard, (size_t)room * sizeof *more);
        if (!more) return imp_json_no_memory(at);
        g->guard = more;
        g->room = room;
    }
    g->guard[g->count++] = *guard;
    return true;
}

/* A link that is there to move. */
static bool read_body(const imp_json *at, const json_t *numbers, int *link) {
    return scene_read_link(at, numbers, link) &&
           (*link != IMP_GROUND || imp_json_expected(at, "the name of a body"));
}

static bool two_bodies(const imp_json *at, const scene_guards *g, int a, int b) {
    return !imp_world_rigid(g->world, a, b) ||
           imp_json_refuse(at, a == b ? "a body against itself, expected two"
                                      : "bodies that are welded together, expected two that move");
}

static bool optional(const imp_json *at, const char *key, double high, double *x) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_number_in(&member, 0, high, x);
}

static bool read_contact(const imp_json *at, const json_t *numbers, const scene_draft *draft,
                         scene_guards *g) {
    static const char *const keys[] = {"body",        "at",     "radius",   "against",
                                       "point",       "normal", "friction", "viscous_friction",
                                       "restitution", NULL};
    const imp_json body = imp_json_member(at, "body"), places = imp_json_member(at, "at"),
                   against = imp_json_member(at, "against"), point = imp_json_member(at, "point"),
                   normal = imp_json_member(at, "normal");
    imp_guard guard = {.plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = draft->material.mu_dynamic};
    size_t n;
    if (!imp_json_object(at, keys) || !read_body(&body, numbers, &guard.link) ||
        !imp_json_array(&places, &n))
        return false;
    if (n < 1) return imp_json_expected(&places, "a point at least");
    if (against.value && !scene_read_link(&against, numbers, &guard.plane)) return false;
    if (!two_bodies(at, g, guard.link, guard.plane)) return false;
    if (point.value && !imp_json_vector(&point, 3, guard.point)) return false;
    if (normal.value && !imp_json_direction(&normal, guard.normal)) return false;
    if (!optional(at, "radius", INFINITY, &guard.radius) ||
        !optional(at, "friction", INFINITY, &guard.mu) ||
        !optional(at, "viscous_friction", INFINITY, &guard.mu_v) ||
        !optional(at, "restitution", 1, &guard.e))
        return false;
    for (size_t i = 0; i < n; i++) {
        const imp_json place = imp_json_item(&places, i);
        if (!imp_json_vector(&place, 3, guard.centre) || !add_guard(&place, g, &guard))
            return false;
    }
    return true;
}

/* The facets of a bore: a regular polygon around its centre in the plane of two axes of the holder,
 * the k-th facet's direction at the angle 2 pi (k + 1/2) / facets from the first; with thrust, two
 * rows along the third. */
static bool read_bore(const imp_json *at, const json_t *numbers, int facets, double clearance,
                      scene_guards *g) {
    static const char *const keys[] = {"pin", "at", "holder", "centre", "plane", "thrust", NULL};
    static const char *const planes[] = {"xy", "yz", "xz", NULL};
    static const int axes[3][3] = {{0, 1, 2}, {1, 2, 0}, {0, 2, 1}};
    const imp_json pin = imp_json_member(at, "pin"), place = imp_json_member(at, "at"),
                   holder = imp_json_member(at, "holder"), centre = imp_json_member(at, "centre"),
                   plane = imp_json_member(at, "plane"), thrust = imp_json_member(at, "thrust");
    imp_guard guard = {0};
    double middle[3];
    int chosen;
    bool both = false;
    if (!imp_json_object(at, keys) || !read_body(&pin, numbers, &guard.link) ||
        !scene_read_link(&holder, numbers, &guard.plane) ||
        !two_bodies(at, g, guard.link, guard.plane) || !imp_json_vector(&place, 3, guard.centre) ||
        !imp_json_vector(&centre, 3, middle) || !imp_json_choice(&plane, planes, &chosen) ||
        (thrust.value && !imp_json_boolean(&thrust, &both)))
        return false;
    for (int k = 0; k < facets + (both ? 2 : 0); k++) {
        const double angle = 2 * acos(-1) * (k + 0.5) / facets;
        memset(guard.normal, 0, sizeof guard.normal);
        if (k < facets) {
            guard.normal[axes[chosen][0]] = -cos(angle);
            guard.normal[axes[chosen][1]] = -sin(angle);
        } else {
            guard.normal[axes[chosen][2]] = k == facets ? -1 : 1;
        }
        memcpy(guard.point, middle, sizeof guard.point);
        add3(-clearance, guard.normal, guard.point);
        if (!add_guard(at, g, &guard)) return false;
    }
    return true;
}

static bool read_bores(const imp_json *at, const json_t *numbers, scene_guards *g) {
    static const char *const keys[] = {"facets", "clearance", "list", NULL};
    const imp_json facets = imp_json_member(at, "facets"),
                   clearance = imp_json_member(at, "clearance"), list = imp_json_member(at, "list");
    int count;
    double play;
    size_t n;
    if (!imp_json_object(at, keys) || !imp_json_whole(&facets, 3, 1000, &count) ||
        !imp_json_number_in(&clearance, 0, INFINITY, &play) || !imp_json_array(&list, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const imp_json bore = imp_json_item(&list, i);
        if (!read_bore(&bore, numbers, count, play, g)) return false;
    }
    return true;
}

/* Every sphere against every half space of the ground. */
static bool add_ground(const imp_json *at, const scene_draft *draft, scene_guards *g) {
    for (int i = 0; i < draft->nspheres; i++)
        for (int k = 0; k < draft->nplanes; k++) {
            const compliant_sphere *ball = &draft->spheres[i];
            /* its corners are there; what is welded to the ground stays */
            if (norm3(ball->half) > 0 || imp_world_rigid(g->world, ball->link, IMP_GROUND))
                continue;
            const compliant_plane *plane = &draft->planes[k];
            imp_guard guard = {
                .link = ball->link,
                .radius = ball->radius,
                .plane = IMP_GROUND,
                .mu = imp_friction_between(ball->material.mu_dynamic, plane->material.mu_dynamic)};
            memcpy(guard.centre, ball->centre, sizeof guard.centre);
            memcpy(guard.point, plane->point, sizeof guard.point);
            memcpy(guard.normal, plane->normal, sizeof guard.normal);
            if (!add_guard(at, g, &guard)) return false;
        }
    return true;
}

bool scene_read_guards(const imp_json *at, const json_t *numbers, const scene_draft *draft,
                       scene_guards *g) {
    const imp_json contacts = imp_json_member(at, "contacts"), bores = imp_json_member(at, "bores");
    size_t n = 0;
    if (!add_ground(at, draft, g) || (contacts.value && !imp_json_array(&contacts, &n)))
        return false;
    for (size_t i = 0; i < n; i++) {
        const imp_json contact = imp_json_item(&contacts, i);
        if (!read_contact(&contact, numbers, draft, g)) return false;
    }
    return !bores.value || read_bores(&bores, numbers, g);
}

/* A 64-bit linear congruential generator, uniform in [0, 1). */
static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

bool scene_read_lattice(const imp_json *at, scene_draft *draft) {
    static const char *const keys[] = {"radius", "density", "across", "count", "spacing",
                                       "bottom", "jitter",  "seed",   NULL};
    imp_json member[8];
    double x[8] = {0}; /* numbers in the order of the keys */
    int across[2], count, seed;
    for (int k = 0; k < 8; k++)
        member[k] = imp_json_member(at, keys[k]);
    if (!imp_json_object(at, keys) || !imp_json_array_of(&member[2], 2)) return false;
    for (size_t k = 0; k < 2; k++) {
        const imp_json item = imp_json_item(&member[2], k);
        if (!imp_json_whole(&item, 1, 1000, &across[k])) return false;
    }
    if (!scene_read_positive(&member[0], &x[0]) || !scene_read_positive(&member[1], &x[1]) ||
        !imp_json_whole(&member[3], 1, 100000, &count) || !scene_read_positive(&member[4], &x[4]) ||
        !imp_json_number(&member[5], &x[5]) ||
        !imp_json_number_in(&member[6], 0, INFINITY, &x[6]) ||
        !imp_json_whole(&member[7], 0, 1000000000, &seed))
        return false;
    const double r = x[0], mass = x[1] * 4 * 3.14159265358979323846 / 3 * r * r * r;
    scene_body *bodies = realloc(draft->bodies, (size_t)(draft->nbodies + count) * sizeof *bodies);
    if (!bodies) return imp_json_no_memory(at);
    draft->bodies = bodies;
    uint64_t state = (uint64_t)seed;
    for (int i = 0; i < count; i++) {
        const int in_layer = i % (across[0] * across[1]), layer = i / (across[0] * across[1]);
        const int column = in_layer % across[0], line = in_layer / across[0];
        const double grid[3] = {x[4] * (column - 0.5 * (across[0] - 1)),
                                x[4] * (line - 0.5 * (across[1] - 1)), x[5] + x[4] * layer};
        scene_body *body = &bodies[draft->nbodies];
        compliant_sphere ball = {.link = draft->nbodies, .radius = r, .material = draft->material};
        *body = (scene_body){
            .link = {.parent = IMP_GROUND, .turn = {1}, .joint = IMP_FREE, .mass = mass},
            .orientation = {1},
            .clearance = NAN};
        for (int a = 0; a < 3; a++) {
            body->position[a] = grid[a] + x[6] * (uniform(&state) - 0.5);
            body->link.inertia[4 * a] = 0.4 * mass * r * r;
        }
        draft->nbodies++;
        if (!scene_add_sphere(at, draft, &ball)) return false;
    }
    return true;
}
