/* arm.c - the eight-joint arm of benchmarks/scenes/arm.json, stepped in two ways. */
#include "benchmarks/experiments/arm.h"

#include "benchmarks/experiments/motion.h"
#include "base/worse.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double arm_start[ARM_JOINTS] = {-.4, 1.3, 0, 1.5, 0, 0, .2, -.2};
const double arm_gravity[3] = {0, 0, -9.81};

imp_world *arm_new(void) {
    scene_file file;
    scene arm = {0};
    imp_error error;
    imp_world *world = NULL;
    if (scene_open("benchmarks/scenes/arm.json", &file, &error) != IMP_OK) return NULL;
    if (scene_build(&file, 0, &arm, &error) == IMP_OK && imp_tree_nv(arm.tree) == ARM_JOINTS) {
        world = imp_world_new(1, &arm.tree);
        if (world) arm.tree = NULL; /* the world's from now on */
    }
    scene_clear(&arm);
    scene_close(&file);
    if (!world) return NULL;
    /* the file has degrees: the last bit of a radian may differ */
    memcpy(world->q, arm_start, sizeof arm_start);
    imp_world_place(world);
    return world;
}

static void look(const imp_world *world, double t, double energy, arm_sample *s) {
    s->t = t;
    memcpy(s->q, world->q, sizeof s->q);
    memcpy(s->qd, world->v, sizeof s->qd);
    s->energy = energy;
}

int arm_run(arm_method method, double h, double mu_c, double mu_v, double every, arm_sample *sample,
            double *most, double *still, double *gain) {
    double dry[ARM_JOINTS], viscous[ARM_JOINTS], fastest = 0, moved = 0, rise = 0;
    for (int i = 0; i < ARM_JOINTS; i++)
        dry[i] = mu_c, viscous[i] = mu_v;
    imp_step_settings settings = {.h = h,
                                  .mu_c = dry,
                                  .mu_v = viscous,
                                  .explicit_friction = method == ARM_EQ6,
                                  .explicit_bias = true};
    memcpy(settings.gravity, arm_gravity, sizeof settings.gravity);
    imp_world *world = arm_new();
    imp_stepper *stepper = world ? imp_stepper_new(world) : NULL;
    const long steps = lround(2 / h), per_sample = lround(every / h) > 0 ? lround(every / h) : 1;
    int count = 0;
    double energy =
        stepper ? imp_world_kinetic(world) + imp_world_potential(world, arm_gravity) : 0;
    if (stepper) look(world, 0, energy, &sample[count++]);
    for (long k = 1; stepper && k <= steps; k++) {
        const imp_status status = imp_step(stepper, &settings);
        double speed = 0;
        for (int i = 0; i < ARM_JOINTS; i++) {
            speed = fmax(speed, isfinite(world->v[i]) ? fabs(world->v[i]) : INFINITY);
            moved = imp_worse(moved, fabs(world->q[i] - arm_start[i]));
        }
        fastest = fmax(fastest, speed);
        if (status != IMP_OK || speed > 1e6) break;
        const double now = imp_world_kinetic(world) + imp_world_potential(world, arm_gravity);
        rise = imp_worse(rise, now - energy);
        energy = now;
        if (k % per_sample == 0) look(world, (double)k * h, energy, &sample[count++]);
    }
    imp_stepper_free(stepper);
    imp_world_free(world);
    if (most) *most = fastest;
    if (still) *still = moved;
    if (gain) *gain = rise;
    return count;
}

double arm_error(const arm_sample *sample, int count, const arm_sample *reference, int references,
                 int j) {
    double worst = 0;
    if (count != ARM_SAMPLES || references == 0) return NAN;
    for (int k = 0; k < references; k++)
        for (int i = 0; i < ARM_JOINTS; i++)
            if (j < 0 || i == j)
                worst = imp_worse(
                    worst, fabs(sample[lround(reference[k].t / 0.01)].q[i] - reference[k].q[i]));
    return worst;
}

int arm_reference(const char *name, arm_sample *reference) {
    char path[256], line[1024];
    snprintf(path, sizeof path, "reference/data/%s.tsv", name);
    FILE *file = fopen(path, "r");
    int count = 0;
    while (file && count < 41 && fgets(line, sizeof line, file)) {
        double number[1 + 2 * ARM_JOINTS];
        char *at = line, *end = line;
        int read = 0;
        for (; read < 1 + 2 * ARM_JOINTS; read++, at = end) {
            number[read] = strtod(at, &end);
            if (end == at) break;
        }
        if (read < 1 + 2 * ARM_JOINTS) continue; /* comments and the header */
        reference[count].t = number[0];
        memcpy(reference[count].q, number + 1, sizeof reference->q);
        memcpy(reference[count].qd, number + 1 + ARM_JOINTS, sizeof reference->qd);
        count++;
    }
    if (file) fclose(file);
    return count;
}

void arm_write(report_rows *table, const char *series, const arm_sample *sample, int count) {
    for (int k = 0; k < count && fabs(sample[k].qd[ARM_BICEP]) < 1e3; k++)
        report_row(table, series, sample[k].t, sample[k].q[ARM_BICEP], sample[k].qd[ARM_BICEP]);
}

static void write_point(report_rows *table, const imp_world *world, int link, double along) {
    double at[3];
    imp_world_point(world, link, (const double[3]){along, 0, 0}, at);
    report_row(table, NULL, at[0], at[1], at[2]);
}

void arm_write_poses(report_rows *table, const arm_sample *sample, int count) {
    enum { HAND = 5 };
    static const double palm = 0.06, claw = 0.06; /* m */
    imp_world *world = arm_new();
    for (int k = 0; world && k < count; k += 4) {
        memcpy(world->q, sample[k].q, sizeof sample[k].q);
        imp_world_place(world);
        motion_next(table);
        for (int link = 0; link <= HAND; link++)
            write_point(table, world, link, 0);
        write_point(table, world, HAND, palm);
        for (int link = HAND + 1; link < ARM_JOINTS; link++) {
            report_gap(table);
            write_point(table, world, HAND, palm);
            write_point(table, world, link, 0);
            write_point(table, world, link, claw);
        }
    }
    imp_world_free(world);
}
