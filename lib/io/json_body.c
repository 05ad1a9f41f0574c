/* json_body.c - rigid bodies and contacts in JSON: inertia, pose, frame, names. */
#include "io/json_body.h"
#include "base/finite.h"
#include "base/length.h"
#include "base/vec3.h"
#include "contact/frame.h"
#include "io/inertia.h"

#include <math.h>
#include <string.h>

static const double UNIT = 1e-6; /* how far printed rotations may be from one: six digits */

static void invert(const double M[9], double inverse[9]) {
    /* of order one inside, so that no product leaves the range */
    const double scale = M[0] + M[4] + M[8];
    double A[9];
    for (int k = 0; k < 9; k++)
        A[k] = M[k] / scale;
    const double c[9] = {
        A[4] * A[8] - A[5] * A[7], A[2] * A[7] - A[1] * A[8], A[1] * A[5] - A[2] * A[4],
        A[5] * A[6] - A[3] * A[8], A[0] * A[8] - A[2] * A[6], A[2] * A[3] - A[0] * A[5],
        A[3] * A[7] - A[4] * A[6], A[1] * A[6] - A[0] * A[7], A[0] * A[4] - A[1] * A[3]};
    const double determinant = A[0] * c[0] + A[1] * c[3] + A[2] * c[6];
    for (int k = 0; k < 9; k++)
        inverse[k] = c[k] / determinant / scale;
}

/* Principal moments; null is an infinite one. */
static bool read_moments(const imp_json *at, double inverse[9]) {
    double I[9] = {0};
    bool finite = true;
    memset(inverse, 0, 9 * sizeof *inverse);
    for (size_t k = 0; k < 3; k++) {
        const imp_json moment = imp_json_item(at, k);
        if (json_is_null(moment.value)) {
            finite = false;
            continue;
        }
        if (!imp_json_positive(&moment, &I[4 * k])) return false;
        inverse[4 * k] = 1 / I[4 * k];
        if (!isfinite(inverse[4 * k]))
            return imp_json_expected(&moment, "a moment whose inverse is a number");
    }
    if (finite && imp_inertia_of_masses(I) != IMP_OK)
        return imp_json_refuse(at, "moments %g, %g, %g, expected none above the sum of the others",
                               I[0], I[4], I[8]);
    return true;
}

/* Names the entries that differ most from their mirror's. */
static bool refuse_asymmetric(const imp_json *at, const double I[9]) {
    int i = 1, j = 0;
    for (int k = 0; k < 2; k++)
        if (fabs(I[6 + k] - I[2 + 3 * k]) > fabs(I[3 * i + j] - I[3 * j + i])) i = 2, j = k;
    return imp_json_refuse(at, "entries [%d][%d] and [%d][%d] differ, expected a symmetric matrix",
                           j, i, i, j);
}

static bool read_matrix(const imp_json *at, double inverse[9]) {
    double I[9];
    if (!imp_json_matrix(at, 3, 3, I)) return false;
    switch (imp_inertia_of_masses(I)) {
    case IMP_OK: break;
    case IMP_NOT_SYMMETRIC: return refuse_asymmetric(at, I);
    case IMP_NOT_POSITIVE: return imp_json_refuse(at, "not positive definite, expected an inertia");
    default:
        return imp_json_refuse(at, "a principal moment above the sum of the others, expected none");
    }
    invert(I, inverse);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            inverse[3 * i + j] = inverse[3 * j + i] =
                0.5 * (inverse[3 * i + j] + inverse[3 * j + i]);
    return imp_all_finite(inverse, 9) ||
           imp_json_refuse(at, "its inverse is no number, expected an inertia");
}

bool imp_json_inertia(const imp_json *at, imp_body *body) {
    const imp_json fixed = imp_json_member(at, "fixed"), mass = imp_json_member(at, "mass"),
                   inertia = imp_json_member(at, "inertia");
    bool is_fixed = false;
    if (fixed.value && !imp_json_boolean(&fixed, &is_fixed)) return false;
    if (is_fixed) {
        const imp_json *extra = mass.value ? &mass : &inertia;
        if (extra->value)
            return imp_json_refuse(extra, "stands beside \"fixed\": true, expected one of them");
        body->inv_mass = 0;
        memset(body->inv_inertia, 0, sizeof body->inv_inertia);
        return true;
    }
    double m;
    if (!imp_json_positive(&mass, &m)) return false;
    if (!isfinite(1 / m)) return imp_json_expected(&mass, "a mass whose inverse is a number");
    body->inv_mass = 1 / m;
    if (json_array_size(inertia.value) != 3)
        return imp_json_expected(&inertia, "3 principal moments or a 3 x 3 matrix");
    const imp_json first = imp_json_item(&inertia, 0);
    return json_is_array(first.value) ? read_matrix(&inertia, body->inv_inertia)
                                      : read_moments(&inertia, body->inv_inertia);
}

static bool is_rotation(const double R[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const double product = dot3(R + 3 * i, R + 3 * j);
            if (!(fabs(product - (i == j)) <= 2 * UNIT)) return false;
        }
    double last[3];
    cross3(R, R + 3, last);
    return dot3(last, R + 6) > 0;
}

static bool read_orientation(const imp_json *at, double q[4]) {
    if (json_array_size(at->value) == 3) {
        double R[9];
        if (!imp_json_matrix(at, 3, 3, R)) return false;
        if (!is_rotation(R))
            return imp_json_refuse(at,
                                   "not orthonormal and right-handed, expected a rotation matrix");
        quaternion3(R, q);
    } else {
        if (json_array_size(at->value) != 4)
            return imp_json_expected(at,
                                     "a unit quaternion [w, x, y, z] or a 3 x 3 rotation matrix");
        if (!imp_json_vector(at, 4, q)) return false;
    }
    const double length = imp_length(imp_length(q[0], q[1]), imp_length(q[2], q[3]));
    if (!(fabs(length - 1) <= 2 * UNIT))
        return imp_json_refuse(at, "[%g, %g, %g, %g], of length %.9g, expected a unit quaternion",
                               q[0], q[1], q[2], q[3], length);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
    return true;
}

bool imp_json_motion(const imp_json *at, imp_body *body) {
    const imp_json position = imp_json_member(at, "position"),
                   orientation = imp_json_member(at, "orientation"),
                   velocity = imp_json_member(at, "velocity"), spin = imp_json_member(at, "spin");
    static const double upright[4] = {1, 0, 0, 0};
    memcpy(body->orientation, upright, sizeof upright);
    memset(body->velocity, 0, sizeof body->velocity);
    memset(body->spin, 0, sizeof body->spin);
    return imp_json_vector(&position, 3, body->position) &&
           (!orientation.value || read_orientation(&orientation, body->orientation)) &&
           (!velocity.value || imp_json_vector(&velocity, 3, body->velocity)) &&
           (!spin.value || imp_json_vector(&spin, 3, body->spin));
}

bool imp_json_frame(const imp_json *at, double frame[9]) {
    const imp_json normal = imp_json_member(at, "normal"), tangent = imp_json_member(at, "tangent");
    double n[3], t[3];
    if (!imp_json_vector(&normal, 3, n)) return false;
    const double length = imp_length(imp_length(n[0], n[1]), n[2]);
    if (!(fabs(length - 1) <= UNIT))
        return imp_json_refuse(&normal, "[%g, %g, %g], of length %.9g, expected a unit normal",
                               n[0], n[1], n[2], length);
    if (!tangent.value) return imp_frame_from_normal(n, frame) == IMP_OK;
    if (!imp_json_vector(&tangent, 3, t)) return false;
    if (imp_frame_from_tangent(n, t, frame) == IMP_OK) return true;
    return imp_json_refuse(&tangent,
                           "[%g, %g, %g], zero or along the normal, expected a direction across it",
                           t[0], t[1], t[2]);
}

json_t *imp_json_body_names(const imp_json *bodies) {
    json_t *names = json_object();
    bool good = names != NULL;
    if (!good) imp_json_no_memory(bodies);
    for (size_t i = 0; good && i < json_array_size(bodies->value); i++) {
        const imp_json body = imp_json_item(bodies, i), name = imp_json_member(&body, "name");
        const char *text;
        if (!name.value) continue;
        good = imp_json_text(&name, &text);
        if (good && (strcmp(text, "ground") == 0 || json_object_get(names, text)))
            good = imp_json_expected(&name, "a name of its own");
        if (good && json_object_set_new(names, text, json_integer((json_int_t)i)) != 0)
            good = imp_json_no_memory(bodies);
    }
    if (good) return names;
    json_decref(names);
    return NULL;
}

bool imp_json_body_named(const imp_json *at, const json_t *names, int bodies, int *number) {
    if (json_is_number(at->value) && bodies > 0) return imp_json_whole(at, 0, bodies - 1, number);
    const char *name = json_string_value(at->value);
    const json_t *known = name ? json_object_get(names, name) : NULL;
    *number = known ? (int)json_integer_value(known) : IMP_GROUND;
    if (known || (name && strcmp(name, "ground") == 0)) return true;
    return imp_json_expected(at, "the name or the number of a body, or \"ground\"");
}
