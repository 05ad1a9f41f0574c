/* engine.c - the engines of benchmarks/scenes, and the ideal mechanism: one degree of freedom, no
 * clearance. */
#include "benchmarks/experiments/engine.h"

#include <math.h>

/* m, of the ideal mechanism; parts of 1 kg */
static const double crank_radius = 0.04, rod_length = 0.14;

enum { CRANK = 0 };

bool engine_open(report *r, const char *file, const char *variant, engine *e) {
    const char *path = report_text(r, "benchmarks/scenes/%s.json", file);
    imp_error error;
    *e = (engine){0};
    if (scene_steps_open(path, variant, &e->scene, &error) != IMP_OK) {
        report_judge(r, OWN_BOUND, path, "a scene", error.text, "", false, NULL);
        return false;
    }
    e->cylinders = (e->scene.bodies - 1) / 2;
    engine_watch(e);
    return true;
}

void engine_close(engine *e) {
    scene_steps_clear(&e->scene);
}

void engine_watch(engine *e) {
    const double *R = imp_world_state(e->scene.world, CRANK)->rotation;
    e->angle += remainder(atan2(R[3], R[0]) - e->angle, 2 * acos(-1));
}

double engine_speed(const engine *e) {
    return imp_world_v(e->scene.world, CRANK)[5];
}

static double phase(int cylinder) {
    return cylinder == 1 || cylinder == 2 ? acos(-1) : 0;
}

/* Of a solid cylinder of 1 kg, kg m^2: about its axis, and across it. */
static double about(double radius) {
    return radius * radius / 2;
}

static double across(double radius, double length) {
    return (3 * radius * radius + length * length) / 12;
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
    /* rod direction (-sin tilt, cos tilt) = (-s, c) */
    const double s = l.pin[0] / rod_length, c = sqrt(1 - s * s);
    l.tilt = asin(s);
    l.tilt_rate = l.pin_rate[0] / (rod_length * c);
    l.piston = l.pin[1] + rod_length * c;
    l.piston_rate = l.pin_rate[1] - rod_length * s * l.tilt_rate;
    l.rod[0] = l.pin[0] / 2, l.rod[1] = (l.pin[1] + l.piston) / 2;
    l.rod_rate[0] = l.pin_rate[0] / 2, l.rod_rate[1] = (l.pin_rate[1] + l.piston_rate) / 2;
    return l;
}

/* Inertia that the crank feels and the height of all mass, at a crank angle. */
static void reduced(int cylinders, double angle, double *inertia, double *height) {
    *inertia = about(0.05);
    *height = 0;
    for (int i = 0; i < cylinders; i++) {
        const linkage l = link_up(angle + phase(i));
        const double rod = across(0.01, rod_length);
        *inertia += l.rod_rate[0] * l.rod_rate[0] + l.rod_rate[1] * l.rod_rate[1] +
                    rod * l.tilt_rate * l.tilt_rate + l.piston_rate * l.piston_rate;
        *height += l.rod[1] + l.piston;
    }
}

/* The energy balance 1/2 I(angle) speed^2 + gravity height = E + torque (angle - start) makes speed
 * a function of the angle; but it may start from rest, so the second-order equation is integrated,
 * by Runge and Kutta. */
static double acceleration(int cylinders, double angle, double speed, double torque,
                           double gravity) {
    const double step = 1e-5;
    double I[3], height[3];
    for (int k = -1; k <= 1; k++)
        reduced(cylinders, angle + k * step, &I[k + 1], &height[k + 1]);
    const double I_rate = (I[2] - I[0]) / (2 * step), lift = (height[2] - height[0]) / (2 * step);
    return (torque - gravity * lift - 0.5 * I_rate * speed * speed) / I[1];
}

engine_ideal engine_ideal_run(const engine *e, double t) {
    const double torque = e->scene.force[5], gravity = -e->scene.settings.gravity[1];
    const int cylinders = e->cylinders;
    double angle = e->angle, speed = engine_speed(e);
    enum { STEPS = 20000 };
    const double h = t / STEPS;
    for (int n = 0; n < STEPS; n++) {
        double rate[4][2], a = angle, s = speed;
        for (int k = 0; k < 4; k++) {
            rate[k][0] = s;
            rate[k][1] = acceleration(cylinders, a, s, torque, gravity);
            const double ahead = k < 2 ? h / 2 : h;
            a = angle + ahead * rate[k][0];
            s = speed + ahead * rate[k][1];
        }
        angle += h / 6 * (rate[0][0] + 2 * rate[1][0] + 2 * rate[2][0] + rate[3][0]);
        speed += h / 6 * (rate[0][1] + 2 * rate[1][1] + 2 * rate[2][1] + rate[3][1]);
    }
    double I, height;
    reduced(cylinders, angle, &I, &height);
    return (engine_ideal){angle, speed, 0.5 * I * speed * speed};
}
