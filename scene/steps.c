/* steps.c - a scene for the time stepper, from its JSON. */
#include "scene/steps.h"

#include "io/settings.h"
#include "base/vec3.h"
#include "scene/guards.h"
#include "scene/joints.h"

#include <stdlib.h>
#include <string.h>

static bool read_model(const imp_json *at, scene_steps *s) {
    const imp_json name = imp_json_member(at, "model"), own = imp_json_member(at, "settings");
    const char *text = "drumwright";
    if (name.value && !imp_json_text(&name, &text)) return false;
    s->settings.model = imp_model_find(text);
    if (!s->settings.model) return imp_json_expected(&name, "one of impact models");
    imp_model_presets(s->settings.model, &s->own);
    return !own.value || imp_json_settings(&own, s->settings.model, &s->own);
}

static bool optional(const imp_json *at, const char *key, double *x) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_number_in(&member, 0, INFINITY, x);
}

static const double MOST_STEPS = 1e15; /* a double counts them, and a long */

static bool read_step(const imp_json *at, scene_steps *s) {
    static const char *const keys[] = {"h",     "until",          "model",    "settings",
                                       "reach", "ahead",          "push_out", "late",
                                       "load",  "joint_friction", NULL};
    static const char *const ways[] = {"qp4", "explicit", NULL};
    const imp_json way = imp_json_member(at, "joint_friction"), h = imp_json_member(at, "h"),
                   until = imp_json_member(at, "until"), late = imp_json_member(at, "late");
    double push_out = 0;
    bool again = false;
    int chosen = 0;
    s->shapes.reach = INFINITY;
    if (!imp_json_object(at, keys) || !scene_read_positive(&h, &s->settings.h) ||
        !scene_read_positive(&until, &s->until) || !read_model(at, s) ||
        !optional(at, "reach", &s->shapes.reach) || !optional(at, "ahead", &s->shapes.ahead) ||
        !optional(at, "push_out", &push_out) || (late.value && !imp_json_boolean(&late, &again)) ||
        (way.value && !imp_json_choice(&way, ways, &chosen)))
        return false;
    if (s->until / s->settings.h > MOST_STEPS)
        return imp_json_refuse(&until, "%g steps of %g s, expected at most %g",
                               s->until / s->settings.h, s->settings.h, MOST_STEPS);
    s->settings.least_gap = -push_out;
    s->settings.own = &s->own;
    s->settings.explicit_friction = chosen == 1;
    s->settings.detect = imp_shapes_nearby;
    s->settings.late = again ? imp_shapes_late : NULL;
    s->settings.detect_data = &s->shapes;
    return true;
}

static imp_world *one_tree(int count, const imp_link *links, imp_status *status) {
    imp_tree *tree = imp_tree_new(count, links, status);
    imp_world *world = tree ? imp_world_new(1, &tree) : NULL;
    if (tree && !world) {
        *status = IMP_NO_MEMORY;
        imp_tree_free(tree);
    }
    return world;
}

/* Free bodies each move by themselves; joints hold all bodies in one tree. */
static imp_world *build_world(int count, const scene_body *bodies, bool joined,
                              imp_status *status) {
    imp_link *links = calloc((size_t)count, sizeof *links);
    double *position = calloc(3 * (size_t)count, sizeof *position);
    imp_world *world = NULL;
    bool free_bodies = !joined;
    *status = IMP_NO_MEMORY;
    for (int i = 0; links && position && i < count; i++) {
        links[i] = bodies[i].link;
        memcpy(position + 3 * (size_t)i, bodies[i].position, sizeof bodies[i].position);
        free_bodies = free_bodies && links[i].joint == IMP_FREE;
    }
    if (links && position)
        world = free_bodies ? imp_world_of_bodies(count, links, position, status)
                            : one_tree(count, links, status);
    free(links);
    free(position);
    return world;
}

static void set_state(const scene_body *bodies, int count, imp_world *world) {
    for (int i = 0; i < count; i++) {
        const scene_body *b = &bodies[i];
        double *q = imp_world_q(world, i), *v = imp_world_v(world, i);
        if (b->link.joint == IMP_FREE) {
            memcpy(q, b->position, sizeof b->position);
            memcpy(q + 3, b->orientation, sizeof b->orientation);
            memcpy(v, b->velocity, sizeof b->velocity);
            memcpy(v + 3, b->spin, sizeof b->spin);
        } else if (b->link.joint != IMP_WELD) {
            *q = b->coordinate;
            *v = b->rate;
        }
    }
    imp_world_place(world);
}

static void add_friction(scene_steps *s, int joint, const scene_friction *friction) {
    if (friction->dry == 0 && friction->viscous == 0) return;
    s->mu_c[joint] = friction->dry;
    s->mu_v[joint] = friction->viscous;
    s->settings.mu_c = s->mu_c;
    s->settings.mu_v = s->mu_v;
}

/* The friction of the joints, where one has any. */
static void set_friction(const scene_body *bodies, int count, const scene_friction *of_loops,
                         scene_steps *s) {
    for (int i = 0; i < count; i++) {
        const int joint = (int)(imp_world_v(s->world, i) - s->world->v);
        add_friction(s, joint, &bodies[i].friction);
    }
    for (int i = 0; s->loops && i < imp_loops_count(s->loops); i++)
        add_friction(s, s->world->nv + i, &of_loops[i]);
}

/* "load": {body: [6 numbers: force and torque, or one: along its joint]}, constant. */
static bool read_load(const imp_json *at, const json_t *numbers, const scene_draft *draft,
                      scene_steps *s) {
    const char *name;
    json_t *ignored;
    if (!at->value) return true;
    if (!json_is_object(at->value)) return imp_json_expected(at, "an object of names of bodies");
    json_object_foreach(at->value, name, ignored) {
        const imp_json one = imp_json_member(at, name);
        const json_t *number = json_object_get(numbers, name);
        if (!number) return imp_json_refuse(&one, "no such body, expected the name of one");
        const int i = (int)json_integer_value(number);
        const imp_joint joint = draft->bodies[i].link.joint;
        const size_t count = joint == IMP_FREE ? 6 : joint == IMP_WELD ? 0 : 1;
        if (!imp_json_vector(&one, count, s->force + (imp_world_v(s->world, i) - s->world->v)))
            return false;
    }
    return true;
}

/* What joints of loops weld together is one rigid body, whose balls do not meet, nor what it is
 * welded to, of which `guards` tells. The world is one tree. */
static void weld(const imp_loops *loops, imp_world *world, scene_guards *guards) {
    int kept = 0;
    for (int i = 0; loops && i < imp_loops_count(loops); i++) {
        const imp_loop *l = imp_loops_at(loops, i);
        if (l->kind != IMP_LOOP_WELD || imp_world_rigid(world, l->a, l->b)) continue;
        const int a = l->a == IMP_GROUND ? l->a : world->carrier[l->a],
                  b = l->b == IMP_GROUND ? l->b : world->carrier[l->b],
                  from = a == IMP_GROUND ? b : a, to = a == IMP_GROUND ? a : b;
        for (int k = 0; k < world->nl; k++)
            if (world->carrier[k] == from) world->carrier[k] = to;
    }
    for (int i = 0; i < guards->count; i++) {
        const imp_guard *g = &guards->guard[i];
        if (!imp_world_rigid(world, g->link, g->plane)) guards->guard[kept++] = *g;
    }
    guards->count = kept;
}

static bool assemble(const imp_json *at, const json_t *numbers, scene_draft *draft,
                     scene_steps *s) {
    const imp_json step = imp_json_member(at, "step"), load = imp_json_member(&step, "load"),
                   joints = imp_json_member(at, "joints"), bodies = imp_json_member(at, "bodies");
    scene_guards guards = {0};
    imp_status status;
    if (draft->nbodies == 0) return imp_json_expected(at, "bodies or a lattice");
    if (!scene_lift_bodies(&bodies, s->names, draft)) return false;
    s->bodies = draft->nbodies;
    s->world = build_world(draft->nbodies, draft->bodies, joints.value, &status);
    if (!s->world && status == IMP_NO_MEMORY) return imp_json_no_memory(at);
    if (!s->world) return imp_json_refuse(at, "no rigid bodies: %s", imp_status_text(status));
    set_state(draft->bodies, draft->nbodies, s->world);
    if (joints.value && !scene_read_joints(&joints, numbers, s->world->tree[0], s->world->q,
                                           s->world->v, &s->loops, &s->of_loops))
        return false;
    imp_world_place(s->world);
    s->settings.loops = s->loops;
    guards.world = s->world;
    const bool read = scene_read_guards(at, numbers, draft, &guards);
    s->guard = guards.guard;
    if (!read) return false;
    weld(s->loops, s->world, &guards); /* contacts that the file lists may be of such a body, too */
    s->stepper = imp_stepper_new(s->world);
    s->force = calloc((size_t)s->world->nv + 1, sizeof *s->force);
    const size_t joined = (size_t)s->world->nv + (s->loops ? (size_t)imp_loops_count(s->loops) : 0);
    s->mu_c = calloc(joined + 1, sizeof *s->mu_c);
    s->mu_v = calloc(joined + 1, sizeof *s->mu_v);
    s->ball = calloc((size_t)draft->nspheres + 1, sizeof *s->ball);
    if (!s->stepper || !s->force || !s->mu_c || !s->mu_v || !s->ball) return imp_json_no_memory(at);
    set_friction(draft->bodies, draft->nbodies, s->of_loops, s);
    for (int i = 0; i < draft->nspheres; i++) {
        const compliant_sphere *from = &draft->spheres[i];
        imp_ball *ball = &s->ball[s->shapes.balls];
        if (from->corner) continue; /* meets planes alone */
        s->shapes.balls++;
        *ball =
            (imp_ball){.link = from->link, .radius = from->radius, .mu = from->material.mu_dynamic};
        memcpy(ball->centre, from->centre, sizeof from->centre);
        memcpy(ball->half, from->half, sizeof from->half);
    }
    s->shapes.guards = guards.count;
    s->shapes.guard = s->guard;
    s->shapes.ball = s->ball;
    s->settings.force = s->force;
    memcpy(s->settings.gravity, draft->gravity, sizeof draft->gravity);
    return read_load(&load, numbers, draft, s);
}

static imp_status read_steps(const imp_json *at, const char *name, void *to) {
    static const char *const keys[] = {"kind",   "title",  "source",   "gravity", "material",
                                       "ground", "bodies", "joints",   "lattice", "contacts",
                                       "bores",  "step",   "variants", NULL};
    scene_steps *s = to;
    const imp_json gravity = imp_json_member(at, "gravity"),
                   material = imp_json_member(at, "material"),
                   ground = imp_json_member(at, "ground"), bodies = imp_json_member(at, "bodies"),
                   lattice = imp_json_member(at, "lattice"), step = imp_json_member(at, "step");
    scene_draft draft = {.material = {.stiffness = 1e10}};
    json_t *numbers = json_object();
    const bool good =
        (numbers || imp_json_no_memory(at)) && imp_json_object(at, keys) &&
        scene_read_title(at, name, &s->title) &&
        (!gravity.value || imp_json_vector(&gravity, 3, draft.gravity)) &&
        (!material.value || scene_read_material(&material, &draft.material)) &&
        scene_read_ground(&ground, &draft) &&
        (!bodies.value || scene_read_bodies(&bodies, &draft, &s->names, &s->named, numbers)) &&
        (!lattice.value || scene_read_lattice(&lattice, &draft)) && read_step(&step, s) &&
        assemble(at, numbers, &draft, s);
    json_decref(numbers);
    return scene_end_draft(at, &draft, good);
}

imp_status scene_steps_build(const scene_file *file, int variant, scene_steps *s,
                             imp_error *error) {
    *s = (scene_steps){0};
    const imp_status status = scene_read_variant(file, variant, read_steps, s, error);
    if (status != IMP_OK) scene_steps_clear(s);
    return status;
}

imp_status scene_steps_open(const char *path, const char *variant, scene_steps *s,
                            imp_error *error) {
    scene_file file;
    *s = (scene_steps){0};
    imp_status status = scene_open(path, &file, error);
    if (status != IMP_OK) return status;
    const int number = variant ? scene_variant_find(&file, variant) : 0;
    status = number < 0 ? imp_error_set(error, IMP_BAD_ARGUMENT, "%s: no variant \"%.100s\"", path,
                                        variant)
                        : scene_steps_build(&file, number, s, error);
    scene_close(&file);
    return status;
}

void scene_steps_clear(scene_steps *s) {
    imp_shapes_clear(&s->shapes);
    imp_stepper_free(s->stepper);
    imp_loops_free(s->loops);
    imp_world_free(s->world);
    for (int i = 0; i < s->named; i++)
        free(s->names[i]);
    free(s->names);
    free(s->title);
    free(s->guard);
    free(s->ball);
    free(s->force);
    free(s->mu_c);
    free(s->mu_v);
    free(s->of_loops);
    *s = (scene_steps){0};
}

int scene_steps_find(const scene_steps *s, const char *name) {
    for (int i = 0; i < s->named; i++)
        if (strcmp(s->names[i], name) == 0) return i;
    return -1;
}
