/* body.c - one body of a scene file: mass, shape or inertia, joint, pose, motion, spheres. */
#include "scene/build.h"

#include "io/json_body.h"
#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

static const double DEGREE = 0.017453292519943295769; /* rad */

/* Principal moments of solid shapes of unit mass, m^2. */
static bool read_shape(const imp_json *at, double side[3], double moment[3]) {
    const imp_json box = imp_json_member(at, "box"), ball = imp_json_member(at, "ball"),
                   cylinder = imp_json_member(at, "cylinder"),
                   inertia = imp_json_member(at, "inertia");
    const imp_json *const shapes[] = {&box, &ball, &cylinder, &inertia};
    int given = 0;
    for (int i = 0; i < 4; i++)
        given += shapes[i]->value != NULL;
    if (given != 1) return imp_json_refuse(at, "expected one of box, ball, cylinder and inertia");
    if (box.value) {
        if (!imp_json_array_of(&box, 3)) return false;
        for (size_t i = 0; i < 3; i++) {
            const imp_json item = imp_json_item(&box, i);
            if (!scene_read_positive(&item, &side[i])) return false;
        }
        for (int i = 0; i < 3; i++) {
            const double b = side[(i + 1) % 3], c = side[(i + 2) % 3];
            moment[i] = (b * b + c * c) / 12;
        }
    } else if (ball.value) {
        double r;
        if (!scene_read_positive(&ball, &r)) return false;
        moment[0] = moment[1] = moment[2] = 0.4 * r * r;
    } else if (cylinder.value) { /* [radius, length], its axis along z */
        double r, length;
        const imp_json first = imp_json_item(&cylinder, 0), second = imp_json_item(&cylinder, 1);
        if (!imp_json_array_of(&cylinder, 2) || !scene_read_positive(&first, &r) ||
            !scene_read_positive(&second, &length))
            return false;
        moment[0] = moment[1] = r * r / 4 + length * length / 12;
        moment[2] = r * r / 2;
    }
    return true;
}

static bool read_inertia(const imp_json *at, imp_link *link, double side[3]) {
    const imp_json mass = imp_json_member(at, "mass"), inertia = imp_json_member(at, "inertia");
    double moment[3] = {0};
    if (!scene_read_positive(&mass, &link->mass) || !read_shape(at, side, moment)) return false;
    if (!inertia.value) {
        for (int i = 0; i < 3; i++)
            link->inertia[4 * i] = link->mass * moment[i];
        return true;
    }
    imp_body checked;
    if (!imp_json_inertia(at, &checked)) return false;
    const imp_json first = imp_json_item(&inertia, 0);
    if (json_is_array(first.value)) return imp_json_matrix(&inertia, 3, 3, link->inertia);
    if (!imp_json_vector(&inertia, 3, moment)) return false;
    for (int i = 0; i < 3; i++)
        link->inertia[4 * i] = moment[i];
    return true;
}

/* Degrees; of larger ones doubles lie too far apart to be angles. */
static bool read_angle(const imp_json *at, double *degrees) {
    if (!imp_json_number(at, degrees)) return false;
    return fabs(*degrees) <= 1e15 || imp_json_expected(at, "at most 1e15 degrees");
}

/* [["x", degrees], ...]: turns about the body's own axes, one after the other. */
static bool read_turns(const imp_json *at, double orientation[4]) {
    static const char *const axes[] = {"x", "y", "z", NULL};
    size_t n;
    if (!imp_json_array(at, &n)) return false;
    for (size_t i = 0; i < n; i++) {
        const imp_json turn = imp_json_item(at, i), axis = imp_json_item(&turn, 0),
                       angle = imp_json_item(&turn, 1);
        int k;
        double degrees, about[3] = {0}, next[4];
        if (!imp_json_array_of(&turn, 2) || !imp_json_choice(&axis, axes, &k) ||
            !read_angle(&angle, &degrees))
            return false;
        about[k] = degrees * DEGREE;
        exponential4(about, next);
        multiply4(orientation, next, orientation);
    }
    normalise4(orientation);
    return true;
}

/* "turns" or "orientation" (unit quaternion w, x, y, z); upright without. */
static bool read_orientation(const imp_json *at, double orientation[4]) {
    const imp_json turns = imp_json_member(at, "turns"),
                   quaternion = imp_json_member(at, "orientation");
    if (turns.value && quaternion.value)
        return imp_json_refuse(&turns, "stands beside orientation, expected one of them");
    if (turns.value) return read_turns(&turns, orientation);
    if (!quaternion.value) return true;
    if (!imp_json_vector(&quaternion, 4, orientation)) return false;
    const double *a = orientation, square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
    if (!(fabs(square - 1) <= 2e-6))
        return imp_json_refuse(&quaternion,
                               "[%g, %g, %g, %g], of length %.9g, expected a unit quaternion", a[0],
                               a[1], a[2], a[3], sqrt(square));
    normalise4(orientation);
    return true;
}

static bool optional_vector(const imp_json *at, const char *key, double x[3]) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_vector(&member, 3, x);
}

static bool optional_number(const imp_json *at, const char *key, double *x) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_number(&member, x);
}

bool scene_read_friction(const imp_json *at, scene_friction *friction) {
    const imp_json dry = imp_json_member(at, "friction"),
                   viscous = imp_json_member(at, "viscous_friction");
    *friction = (scene_friction){0};
    return (!dry.value || imp_json_number_in(&dry, 0, INFINITY, &friction->dry)) &&
           (!viscous.value || imp_json_number_in(&viscous, 0, INFINITY, &friction->viscous));
}

/* Pose and motion of a free body. */
static bool read_free(const imp_json *at, scene_body *body) {
    const imp_json clearance = imp_json_member(at, "clearance"),
                   spheres = imp_json_member(at, "spheres");
    const bool none =
        !spheres.value || (json_is_array(spheres.value) && json_array_size(spheres.value) == 0);
    if (clearance.value && !imp_json_number_in(&clearance, 0, INFINITY, &body->clearance))
        return false;
    if (clearance.value && none && !imp_json_member(at, "rounding").value)
        return imp_json_refuse(&clearance, "the body has no spheres, expected some");
    body->orientation[0] = 1;
    return optional_vector(at, "position", body->position) &&
           read_orientation(at, body->orientation) &&
           optional_vector(at, "velocity", body->velocity) &&
           optional_vector(at, "spin", body->spin);
}

/* Where a body hangs on its parent, and the axis and motion of a joint. */
static bool read_jointed(const imp_json *at, const json_t *names, scene_body *body) {
    const imp_json parent = imp_json_member(at, "parent"), axis = imp_json_member(at, "axis");
    const char *name;
    if (!imp_json_text(&parent, &name)) return false;
    const json_t *number = json_object_get(names, name);
    if (!number && strcmp(name, "ground") != 0)
        return imp_json_expected(&parent, "\"ground\" or an earlier body");
    body->link.parent = number ? (int)json_integer_value(number) : IMP_GROUND;
    if (!optional_vector(at, "at", body->link.offset) || !read_orientation(at, body->link.turn))
        return false;
    if (body->link.joint == IMP_WELD) return true;
    if (!imp_json_direction(&axis, body->link.axis)) return false;
    const bool turns = body->link.joint == IMP_REVOLUTE;
    const imp_json angle = imp_json_member(at, "angle");
    if (turns && angle.value && !read_angle(&angle, &body->coordinate)) return false;
    if (!turns && !optional_number(at, "displacement", &body->coordinate)) return false;
    if (turns) body->coordinate *= DEGREE;
    return optional_number(at, "rate", &body->rate) && scene_read_friction(at, &body->friction);
}

imp_status scene_end_draft(const imp_json *at, scene_draft *draft, bool good) {
    free(draft->bodies);
    free(draft->spheres);
    free(draft->planes);
    *draft = (scene_draft){0};
    if (good) return IMP_OK;
    return at->error && at->error->status == IMP_NO_MEMORY ? IMP_NO_MEMORY : IMP_BAD_ARGUMENT;
}

bool scene_add_sphere(const imp_json *at, scene_draft *draft, const compliant_sphere *sphere) {
    const size_t n = (size_t)draft->nspheres;
    if ((n & (n - 1)) == 0) { /* full at every power of two */
        compliant_sphere *more = realloc(draft->spheres, (n ? 2 * n : 1) * sizeof *more);
        if (!more) return imp_json_no_memory(at);
        draft->spheres = more;
    }
    draft->spheres[draft->nspheres++] = *sphere;
    return true;
}

/* "rounding": the body's box touches balls and, by balls at its corners, planes; its core is
 * smaller than the box by that much on every side. */
static bool read_rounding(const imp_json *at, const double side[3], scene_draft *draft) {
    compliant_sphere box = {.link = draft->nbodies, .material = draft->material};
    double least = side[0];
    if (!at->value) return true;
    if (side[0] == 0) return imp_json_refuse(at, "the body is no box, expected one");
    for (int k = 1; k < 3; k++)
        least = fmin(least, side[k]);
    if (!scene_read_positive(at, &box.radius)) return false;
    if (!(box.radius < 0.5 * least))
        return imp_json_refuse(at, "%g, expected less than half the shortest side", box.radius);
    for (int i = 0; i < draft->nspheres; i++)
        if (norm3(draft->spheres[i].half) > 0)
            return imp_json_refuse(at, "a second box that touches, expected one: boxes do not "
                                       "meet each other");
    for (int k = 0; k < 3; k++)
        box.half[k] = 0.5 * side[k] - box.radius;
    if (!scene_add_sphere(at, draft, &box)) return false;
    for (int i = 0; i < 8; i++) {
        compliant_sphere corner = box;
        corner.corner = true;
        for (int k = 0; k < 3; k++) {
            corner.centre[k] = i >> k & 1 ? box.half[k] : -box.half[k];
            corner.half[k] = 0;
        }
        if (!scene_add_sphere(at, draft, &corner)) return false;
    }
    return true;
}

/* {"radius": r, "at": [[x, y, z], ...] or "corners" of the box, "material": {...}} */
static bool read_spheres(const imp_json *at, const double side[3], scene_draft *draft) {
    static const char *const keys[] = {"radius", "at", "material", NULL};
    static const char *const words[] = {"corners", NULL};
    const imp_json radius = imp_json_member(at, "radius"), places = imp_json_member(at, "at"),
                   material = imp_json_member(at, "material");
    compliant_sphere sphere = {.link = draft->nbodies, .material = draft->material};
    int word;
    size_t n = 8;
    if (!imp_json_object(at, keys) || !scene_read_positive(&radius, &sphere.radius)) return false;
    if (material.value && !scene_read_material(&material, &sphere.material)) return false;
    const bool corners = json_is_string(places.value);
    if (corners ? !imp_json_choice(&places, words, &word) : !imp_json_array(&places, &n))
        return false;
    if (n < 1) return imp_json_expected(&places, "a point at least");
    if (corners && side[0] == 0)
        return imp_json_refuse(&places, "corners of no box, expected points");
    for (size_t i = 0; i < n; i++) {
        const imp_json place = imp_json_item(&places, i);
        for (int k = 0; k < 3; k++)
            sphere.centre[k] = (i >> k & 1 ? 0.5 : -0.5) * side[k];
        if (!corners && !imp_json_vector(&place, 3, sphere.centre)) return false;
        if (!scene_add_sphere(at, draft, &sphere)) return false;
    }
    return true;
}

bool scene_read_body(const imp_json *at, const json_t *names, scene_draft *draft) {
    static const char *const joints[] = {"free", "revolute", "slider", "weld", NULL};
    static const imp_joint joint_of[] = {IMP_FREE, IMP_REVOLUTE, IMP_PRISMATIC, IMP_WELD};
#define EVERY                                                                                      \
    "mass", "box", "ball", "cylinder", "inertia", "com", "rounding", "spheres", "joint", "turns",  \
        "orientation"
    static const char *const keys[][20] = {
        {EVERY, "position", "velocity", "spin", "clearance", NULL},
        {EVERY, "parent", "at", "axis", "angle", "rate", "friction", "viscous_friction", NULL},
        {EVERY, "parent", "at", "axis", "displacement", "rate", "friction", "viscous_friction",
         NULL},
        {EVERY, "parent", "at", NULL}};
#undef EVERY
    scene_body *body = &draft->bodies[draft->nbodies];
    *body = (scene_body){.link = {.parent = IMP_GROUND, .turn = {1}}, .clearance = NAN};
    const imp_json joint = imp_json_member(at, "joint"), spheres = imp_json_member(at, "spheres"),
                   rounding = imp_json_member(at, "rounding");
    int kind = 0;
    double side[3] = {0};
    if (joint.value && !imp_json_choice(&joint, joints, &kind)) return false;
    if (!imp_json_object(at, keys[kind]) || !read_inertia(at, &body->link, side)) return false;
    body->link.joint = joint_of[kind];
    if (!optional_vector(at, "com", body->link.com)) return false;
    if (kind == 0 ? !read_free(at, body) : !read_jointed(at, names, body)) return false;
    body->first_sphere = draft->nspheres;
    size_t groups = 0;
    if (!read_rounding(&rounding, side, draft)) return false;
    if (spheres.value && !imp_json_array(&spheres, &groups)) return false;
    for (size_t i = 0; i < groups; i++) {
        const imp_json group = imp_json_item(&spheres, i);
        if (!read_spheres(&group, side, draft)) return false;
    }
    body->spheres = draft->nspheres - body->first_sphere;
    return true;
}

bool scene_read_link(const imp_json *at, const json_t *numbers, int *link) {
    const char *name;
    if (!imp_json_text(at, &name)) return false;
    const json_t *number = json_object_get(numbers, name);
    if (!number && strcmp(name, "ground") != 0)
        return imp_json_expected(at, "\"ground\" or the name of a body");
    *link = number ? (int)json_integer_value(number) : IMP_GROUND;
    return true;
}
