/* json_body.h - rigid bodies and contacts in JSON.
 *
 *     {"name": "brick", "mass": 1.2, "inertia": [Ix, Iy, Iz], "position": [x, y, z], "orientation":
 *     [w, x, y, z],
 *      "velocity": [x, y, z], "spin": [x, y, z]}
 *
 * SI units. "inertia" about the centre of mass in the body's own axes: the principal moments, where
 * null stands for an axis the body cannot spin about, or the full 3 x 3 matrix. "orientation" (body
 * to world) is a unit quaternion or a 3 x 3 rotation matrix; it, velocity and spin may be left out:
 * upright, at rest. "fixed": true instead of mass and inertia is a body that nothing moves (it may
 * have a velocity).
 *
 *     {"a": "ground", "b": "brick", "point": [x, y, z], "normal": [x, y, z], "tangent": [x, y, z],
 *     "mu": 0.3, "e": 0.5}
 *
 * Bodies by name or by their number from 0; the normal points from a to b and has the length 1 to
 * six digits; the optional tangent, of any length, turns the axis t. */
#ifndef IMP_JSON_BODY_H
#define IMP_JSON_BODY_H

#include "contact/delassus.h"
#include "io/json_path.h"

/* Reads mass and inertia, or "fixed", of a body into inv_mass and inv_inertia; leaves the rest
 * alone. Refused: mass or moments not above 0, an inertia that imp_inertia_of_masses refuses. */
bool imp_json_inertia(const imp_json *at, imp_body *body);

/* Reads position, orientation, velocity and spin; leaves the rest alone. Refused: a quaternion or
 * matrix that is no rotation within 1e-6. */
bool imp_json_motion(const imp_json *at, imp_body *body);

/* The frame (n, t, o) of a contact from "normal" and, where given, "tangent". */
bool imp_json_frame(const imp_json *at, double frame[9]);

/* The bodies' names with their numbers, for imp_json_body_named; give it to json_decref. NULL after
 * a fault: a name that is no text, is "ground" or stands twice. */
json_t *imp_json_body_names(const imp_json *bodies);

/* The number of the body that a text or a whole number at `at` names; IMP_GROUND for "ground". */
bool imp_json_body_named(const imp_json *at, const json_t *names, int bodies, int *number);

#endif
