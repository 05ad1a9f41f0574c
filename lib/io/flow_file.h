/* flow_file.h - the parameters of a granular flow from JSON.
 *
 *     {"kind": "flow", "title", "source", "step", "until", "gravity": [3], "friction", "law",
 *     "sweeps", "symmetric",
 *      "split", "tolerance", "most_sweeps", "erp", "margin", "look_ahead", "warm", "skin",
 *      "bricks": [3], "ranks": [3], "blend", "threads", "simd", "single_precision",
 *      "box": {"low": [3], "high": [3]}, "outlet": x,
 *      "shapes": [{"plane": {"point", "normal", "velocity"}, "friction"},
 *                 {"obstacle": {"centre": [2], "radius", "length"}, "friction"}],
 *      "spheres": {"radius", "density", "spacing", "speed", "disturbance", "seed", "offset"},
 *      "fill": {"low": [3], "high": [3]}, "inflow": {"plane": number, "advance", "low": [2],
 *      "high": [2]}, "output": {"folder", "rows_every", "vtk_every", "cell", "checkpoint_every"}}
 *
 * SI units; what has a preset in imp_granular_settings may be left out, but for the box. Spheres
 * fill a grid of the spacing between low and high, but for places that touch a shape; each starts
 * with the speed along x and a random part in y and z; where their centre of mass has an offset
 * (imp_sphere.offset), each stands at random. A layer of the inflow is such a grid in y and z.
 * Counts of `output` are steps, 0: never; cell, 1 mm without, is the side of the squares over which
 * fields are averaged for pictures. */
#ifndef IMP_FLOW_FILE_H
#define IMP_FLOW_FILE_H

#include "granular/granular.h"
#include "io/error.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

enum { IMP_FLOW_TEXT = 256 };

/* A parameter file, read. */
typedef struct imp_flow {
    char title[IMP_FLOW_TEXT];      /* empty: none */
    imp_granular_settings settings; /* of the flow */
    int shapes;                     /* how many of `shape` there are */
    imp_shape shape[IMP_SHAPES];    /* walls and obstacles */
    /* plane -1: none; its radius, density, spacing, offset, speed, disturbance and seed also of the
     * fill */
    imp_inflow inflow;
    bool fill;                        /* spheres fill a box at the start */
    double fill_low[3], fill_high[3]; /* m */
    double until;                     /* s */
    /* grid of ranks, where there are any; 0 0 0: chosen by their number */
    int ranks[3];
    char folder[IMP_FLOW_TEXT];                  /* of the files below */
    double cell;                                 /* m, of fields */
    int rows_every, vtk_every, checkpoint_every; /* steps; 0: never */
    uint64_t sum; /* of all that was read, by which others are told apart */
} imp_flow;

/* Reads the parameter file `path`, "-" for standard input. assign: overrides "key=value" or
 * "key.key=value", ended by NULL, or NULL; a value is JSON, or a text where it is none. IMP_OK,
 * IMP_IO, IMP_BAD_ARGUMENT, IMP_NO_MEMORY; *flow untouched then. Thread-safe, but for standard
 * input: one call at a time. */
imp_status imp_flow_read(const char *path, char *const *assign, imp_flow *flow, imp_error *error);

/* The flow at its start, filled; `empty`: without particles, for a checkpoint. Free with
 * imp_granular_free. NULL with *status, of imp_granular_new or imp_granular_add, and
 * IMP_BAD_ARGUMENT for a fill of more spheres than a flow may have. */
imp_granular *imp_flow_start(const imp_flow *flow, bool empty, imp_status *status);

IMP_PUBLIC_END

/* Between the files of lib, to the end: */
enum { IMP_FLOW_SPHERES = INT32_MAX / 8 }; /* the most that enter at once */

/* n (3) <- how many spheres fit along each direction of the fill, first (3) <- where the first is,
 * m. Returns how many there are. */
double imp_flow_fit(const imp_flow *flow, double n[3], double first[3]);

#endif
