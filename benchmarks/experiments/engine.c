/* engine.c - crankshaft, rods and pistons, every bearing a regular polygon around a pin. */
#include "benchmarks/experiments/engine.h"

#include "multibody/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double crank_radius = 0.04, rod_length = 0.14, spacing = 0.1, clearance = 1e-4; /* m */
static const double pin_half = 0.012, piston_half = 0.02; /* m, contact points at +- along pin and piston */

enum { CRANK = 0 };

static double phase(int cylinder) {
    return cylinder == 1 || cylinder == 2 ? acos(-1) : 0;
}

static double place_along(engine_design d, int cylinder) {
    return spacing * (cylinder - 0.5 * (d.cylinders - 1));
}

/* A solid cylinder of 1 kg about its centre, its axis `along`. */
static imp_link cylinder(double radius, double length, int along) {
    const double about = radius * radius / 2, across = (3 * radius * radius + length * length) / 12;
    imp_link link = {.mass = 1};
    for (int k = 0; k < 3; k++)
        link.inertia[4 * k] = k == along ? about : across;
    return link;
}

/* Where rod and piston are for a crank angle: heights and tilt, with their rates per rad. */
typedef struct linkage {
    double pin[2], pin_rate[2]; /* m, m/rad: of the crank pin */
    double tilt, tilt_rate;     /* rad, of the rod from y about z */
    double piston, piston_rate; /* m, height */
    double rod[2], rod_rate[2]; /* m, centre of the rod */
} linkage;

static linkage link_up(double angle) {
    linkage l;
    l.pin[0] = crank_radius * cos(angle), l.pin[1] = crank_radius * sin(angle);
    l.pin_rate[0] = -l.pin[1], l.pin_rate[1] = l.pin[0];
    const double s = l.pin[0] / rod_length, c = sqrt(1 - s * s); /* rod direction (-sin tilt, cos tilt) = (-s, c) */
    l.tilt = asin(s);
    l.tilt_rate = l.pin_rate[0] / (rod_length * c);
    l.piston = l.pin[1] + rod_length * c;
    l.piston_rate = l.pin_rate[1] - rod_length * s * l.tilt_rate;
    l.rod[0] = l.pin[0] / 2, l.rod[1] = (l.pin[1] + l.piston) / 2;
    l.rod_rate[0] = l.pin_rate[0] / 2, l.rod_rate[1] = (l.pin_rate[1] + l.piston_rate) / 2;
    return l;
}

/* Facets that hold a point of `pin` inside a bore of `holder` around the axis at `centre`; e1, e2 span the polygon. */
static imp_guard *bore(imp_guard *g, int facets, int pin, const double point[3], int holder, const double centre[3],
                       int e1, int e2) {
    for (int k = 0; k < facets; k++, g++) {
        const double angle = 2 * acos(-1) * (k + 0.5) / facets;
        *g = (imp_guard){.link = pin, .plane = holder};
        memcpy(g->centre, point, sizeof g->centre);
        memcpy(g->point, centre, sizeof g->point);
        g->normal[e1] = -cos(angle);
        g->normal[e2] = -sin(angle);
        add3(-clearance, g->normal, g->point);
    }
    return g;
}

/* Two rows that hold a point of `pin` along z. */
static imp_guard *thrust(imp_guard *g, int pin, const double point[3], int holder, const double centre[3]) {
    for (int side = -1; side <= 1; side += 2, g++) {
        *g = (imp_guard){.link = pin, .plane = holder, .normal = {0, 0, side}};
        memcpy(g->centre, point, sizeof g->centre);
        memcpy(g->point, centre, sizeof g->point);
        add3(-clearance, g->normal, g->point);
    }
    return g;
}

/* Two bores, one behind the other along `along`, and thrust rows at the far one when asked. */
static imp_guard *bearing(imp_guard *g, int facets, int pin, const double point[3], int holder, const double centre[3],
                          double half, bool with_thrust) {
    for (int side = -1; side <= 1; side += 2) {
        double p[3] = {point[0], point[1], point[2] + side * half};
        double c[3] = {centre[0], centre[1], centre[2] + side * half};
        g = bore(g, facets, pin, p, holder, c, 0, 1);
        if (side > 0 && with_thrust) g = thrust(g, pin, p, holder, c);
    }
    return g;
}

static imp_guard *add_cylinder(imp_guard *g, engine_design d, int i) {
    const int rod = 1 + 2 * i, piston = rod + 1;
    const double z = place_along(d, i), half = rod_length / 2, middle[3] = {0, 0, 0};
    const double pin[3] = {crank_radius * cos(phase(i)), crank_radius * sin(phase(i)), z};
    g = bearing(g, d.facets, CRANK, pin, rod, (const double[3]){0, -half, 0}, pin_half, true);
    g = bearing(g, d.facets, piston, middle, rod, (const double[3]){0, half, 0}, pin_half, true);
    for (int side = -1; side <= 1; side += 2)
        g = bore(g, d.facets, piston, (const double[3]){0, side * piston_half, 0}, IMP_GROUND,
                 (const double[3]){0, 0, z}, 0, 2);
    return g;
}

static void set_state(imp_world *w, int body, double x, double y, double z, double turn, const double velocity[2],
                      double spin) {
    const double q[7] = {x, y, z, cos(turn / 2), 0, 0, sin(turn / 2)};
    const double v[6] = {velocity[0], velocity[1], 0, 0, 0, spin};
    memcpy(imp_world_q(w, body), q, sizeof q);
    memcpy(imp_world_v(w, body), v, sizeof v);
}

bool engine_new(engine_design d, double angle, double speed, engine *e) {
    const int bodies = 1 + 2 * d.cylinders, rows = 2 * d.facets + 2 + d.cylinders * (6 * d.facets + 4);
    imp_link link[9];
    const double nowhere[27] = {0}, still[2] = {0, 0}, middle[3] = {0, 0, 0};
    *e = (engine){.angle = angle, .guard = calloc((size_t)rows, sizeof *e->guard)};
    link[CRANK] = cylinder(0.05, spacing * d.cylinders, 2);
    for (int i = 0; i < d.cylinders; i++) {
        link[1 + 2 * i] = cylinder(0.01, rod_length, 1);
        link[2 + 2 * i] = cylinder(0.04, 0.05, 1);
    }
    e->world = imp_world_of_bodies(bodies, link, nowhere, NULL);
    e->stepper = e->world ? imp_stepper_new(e->world) : NULL;
    if (!e->stepper || !e->guard) return false;
    imp_guard *end = bearing(e->guard, d.facets, CRANK, middle, IMP_GROUND, middle, spacing * d.cylinders / 2, true);
    set_state(e->world, CRANK, 0, 0, 0, angle, still, speed);
    for (int i = 0; i < d.cylinders; i++) {
        const linkage l = link_up(angle + phase(i));
        const double rod[2] = {speed * l.rod_rate[0], speed * l.rod_rate[1]}, piston[2] = {0, speed * l.piston_rate};
        end = add_cylinder(end, d, i);
        set_state(e->world, 1 + 2 * i, l.rod[0], l.rod[1], place_along(d, i), l.tilt, rod, speed * l.tilt_rate);
        set_state(e->world, 2 + 2 * i, 0, l.piston, place_along(d, i), 0, piston, 0);
    }
    e->shapes = (imp_shapes){.guards = (int)(end - e->guard), .guard = e->guard, .reach = INFINITY};
    imp_world_place(e->world);
    return e->shapes.guards == rows;
}

void engine_free(engine *e) {
    imp_stepper_free(e->stepper);
    imp_world_free(e->world);
    free(e->guard);
}

void engine_watch(engine *e) {
    const double *R = imp_world_state(e->world, CRANK)->rotation;
    e->angle += remainder(atan2(R[3], R[0]) - e->angle, 2 * acos(-1));
}

/* Inertia that the crank feels and the height of all mass, at a crank angle. */
static void reduced(engine_design d, double angle, double *inertia, double *height) {
    *inertia = cylinder(0.05, spacing * d.cylinders, 2).inertia[8];
    *height = 0;
    for (int i = 0; i < d.cylinders; i++) {
        const linkage l = link_up(angle + phase(i));
        const double rod = cylinder(0.01, rod_length, 1).inertia[8];
        *inertia += l.rod_rate[0] * l.rod_rate[0] + l.rod_rate[1] * l.rod_rate[1] + rod * l.tilt_rate * l.tilt_rate +
                    l.piston_rate * l.piston_rate;
        *height += l.rod[1] + l.piston;
    }
}

/* The energy balance 1/2 I(angle) speed^2 + gravity height = E + torque (angle - start) makes speed a function of the
 * angle; but it may start from rest, so the second-order equation is integrated, by Runge and Kutta. */
static double acceleration(engine_design d, double angle, double speed, double torque, double gravity) {
    const double step = 1e-5;
    double I[3], height[3];
    for (int k = -1; k <= 1; k++)
        reduced(d, angle + k * step, &I[k + 1], &height[k + 1]);
    const double I_rate = (I[2] - I[0]) / (2 * step), lift = (height[2] - height[0]) / (2 * step);
    return (torque - gravity * lift - 0.5 * I_rate * speed * speed) / I[1];
}

engine_ideal engine_ideal_run(engine_design d, double angle, double speed, double torque, double gravity, double t) {
    enum { STEPS = 20000 };
    const double h = t / STEPS;
    for (int n = 0; n < STEPS; n++) {
        double rate[4][2], a = angle, s = speed;
        for (int k = 0; k < 4; k++) {
            rate[k][0] = s;
            rate[k][1] = acceleration(d, a, s, torque, gravity);
            const double ahead = k < 2 ? h / 2 : h;
            a = angle + ahead * rate[k][0];
            s = speed + ahead * rate[k][1];
        }
        angle += h / 6 * (rate[0][0] + 2 * rate[1][0] + 2 * rate[2][0] + rate[3][0]);
        speed += h / 6 * (rate[0][1] + 2 * rate[1][1] + 2 * rate[2][1] + rate[3][1]);
    }
    double I, height;
    reduced(d, angle, &I, &height);
    return (engine_ideal){angle, speed, 0.5 * I * speed * speed};
}
