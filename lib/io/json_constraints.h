/* json_constraints.h - bilateral constraints between rigid bodies in JSON: joints, and rows of
 * one's own.
 *
 *     {"joint": "revolute", "a": "ground", "b": "crank", "point": [x, y, z], "axis": [x, y, z],
 *      "friction": b}
 *     {"terms": [{"body": "wheel", "velocity": [x, y, z], "spin": [x, y, z]}, ...], "rate": g}
 *
 * Bodies by name or by their number from 0. A "joint" is a ball (3 rows), revolute (5), slider (5)
 * or weld (6), its rows in the order of imp_pair_terms (contact/bilateral.h); the axis, of any
 * length, is that of a revolute joint or a slider, and "friction" (N m s, N s; 0 unless given) the
 * largest impulse by which such a joint opposes its motion. "terms" are one row: the sum of
 * velocity . (the velocity of the body's centre of mass) + spin . (its spin) is g, 0 unless given.
 * All in world axes, SI units. */
#ifndef IMP_JSON_CONSTRAINTS_H
#define IMP_JSON_CONSTRAINTS_H

#include "contact/bilateral.h"
#include "io/json_path.h"

/* Constraints that own what they point to. */
typedef struct imp_json_rows {
    imp_constraints given;
    imp_term *term;
    double *rate;
    int *source; /* (given.rows) which item of the list a row comes from */
    imp_term *rub;
    double *bound;
    int terms_room, rows_room, rubs_room;
} imp_json_rows;

/* Reads a list of constraints between nb bodies; clear it afterwards, whatever came out. */
bool imp_json_constraints(const imp_json *at, const json_t *names, int nb, const imp_body *bodies,
                          imp_json_rows *rows);
void imp_json_rows_clear(imp_json_rows *rows);

#endif
