/* spheres_run.c - the long run of 1001 spheres with its checkpoints. */
#include "benchmarks/experiments/spheres_run.h"

#include "base/clock.h"
#include "benchmarks/experiments/spheres.h"
#include "lib/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double spheres_frame_time[SPHERES_FRAMES] = {0.5, 1};

/* The course so far, then q and v. */
static bool load(const char *path, spheres *s, spheres_course *course) {
    FILE *file = fopen(path, "rb");
    const size_t nq = (size_t)s->scene.world->nq, nv = (size_t)s->scene.world->nv;
    *course = (spheres_course){0};
    if (!file) return true;
    bool good = fread(course, sizeof *course, 1, file) == 1 && course->count >= 0 &&
                course->count <= SPHERES_STEPS;
    good = good && fread(s->scene.world->q, sizeof(double), nq, file) == nq &&
           fread(s->scene.world->v, sizeof(double), nv, file) == nv;
    fclose(file);
    if (!good) course->count = 0;
    return good;
}

static bool save(const char *path, const spheres *s, const spheres_course *course) {
    char part[512];
    const size_t nq = (size_t)s->scene.world->nq, nv = (size_t)s->scene.world->nv;
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "wb");
    if (!file) return false;
    bool good = fwrite(course, sizeof *course, 1, file) == 1;
    good = good && fwrite(s->scene.world->q, sizeof(double), nq, file) == nq &&
           fwrite(s->scene.world->v, sizeof(double), nv, file) == nv;
    good = fclose(file) == 0 && good;
    return good && rename(part, path) == 0;
}

static void take_frame(const spheres *s, double t, spheres_course *course) {
    for (int f = 0; f < SPHERES_FRAMES; f++)
        for (int i = 0; i < SPHERES_COUNT && fabs(t - spheres_frame_time[f]) < 1e-9; i++)
            for (int k = 0; k < 3; k++)
                course->place[f][i][k] = (float)imp_world_q(s->scene.world, i)[k];
}

static spheres_row look(const spheres *s, int k, int status, double time) {
    spheres_row row = {.t = k * s->scene.settings.h,
                       .kinetic = spheres_kinetic(s),
                       .energy = spheres_energy(s),
                       .overlap = imp_shapes_overlap(&s->scene.shapes, s->scene.world),
                       .seconds = time,
                       .contacts = s->scene.stepper->problem.nc,
                       .solves = s->scene.stepper->solves,
                       .status = status};
    if (row.contacts > 0)
        row.event =
            imp_problem_energy(&s->scene.stepper->problem, s->scene.stepper->p) / spheres_mass(s);
    row.height = (row.energy - row.kinetic) / (-s->scene.settings.gravity[2] * s->count);
    return row;
}

void spheres_run(const char *state, double until, void (*watch)(void *data, double done),
                 void *data, spheres_course *course) {
    spheres s;
    imp_error error;
    bool good = spheres_open("1001", &s, &error) && s.count == SPHERES_COUNT;
    const int steps = (int)fmin(SPHERES_STEPS, round(until / 0.005));
    good = good && load(state, &s, course);
    while (good && course->count < steps) {
        const double from = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
        const imp_status status = imp_step(s.scene.stepper, &s.scene.settings);
        const int k = course->count;
        if (status < 0) break;
        course->row[k] = look(&s, k + 1, status, imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
        course->count++;
        take_frame(&s, course->row[k].t, course);
        if (course->count % 10 == 0 || course->count == steps) save(state, &s, course);
        if (watch) watch(data, (double)course->count / steps);
    }
    spheres_free(&s);
}
