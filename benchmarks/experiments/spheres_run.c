/* spheres_run.c - the long run of 1001 spheres with its checkpoints. */
#include "benchmarks/experiments/spheres_run.h"

#include "base/clock.h"
#include "benchmarks/experiments/spheres.h"
#include "lib/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rows so far, then q and v. */
static int load(const char *path, spheres *s, spheres_row *row) {
    FILE *file = fopen(path, "rb");
    int count = 0;
    const size_t nq = (size_t)s->scene.world->nq, nv = (size_t)s->scene.world->nv;
    if (!file) return 0;
    bool good = fread(&count, sizeof count, 1, file) == 1 && count >= 0 && count <= SPHERES_STEPS;
    good = good && fread(row, sizeof *row, (size_t)count, file) == (size_t)count;
    good = good && fread(s->scene.world->q, sizeof(double), nq, file) == nq &&
           fread(s->scene.world->v, sizeof(double), nv, file) == nv;
    fclose(file);
    return good ? count : -1;
}

static bool save(const char *path, const spheres *s, const spheres_row *row, int count) {
    char part[512];
    const size_t nq = (size_t)s->scene.world->nq, nv = (size_t)s->scene.world->nv;
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "wb");
    if (!file) return false;
    bool good = fwrite(&count, sizeof count, 1, file) == 1;
    good = good && fwrite(row, sizeof *row, (size_t)count, file) == (size_t)count;
    good = good && fwrite(s->scene.world->q, sizeof(double), nq, file) == nq &&
           fwrite(s->scene.world->v, sizeof(double), nv, file) == nv;
    good = fclose(file) == 0 && good;
    return good && rename(part, path) == 0;
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

int spheres_run(const char *state, double until, void (*watch)(void *data, double done), void *data,
                spheres_row *row) {
    spheres s;
    imp_error error;
    int count = spheres_open("1001", &s, &error) ? load(state, &s, row) : -1;
    const int steps = (int)fmin(SPHERES_STEPS, round(until / 0.005));
    while (count >= 0 && count < steps) {
        const double from = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
        const imp_status status = imp_step(s.scene.stepper, &s.scene.settings);
        if (status < 0) break;
        row[count] = look(&s, count + 1, status, imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
        count++;
        if (count % 10 == 0 || count == steps) save(state, &s, row, count);
        if (watch) watch(data, (double)count / steps);
    }
    spheres_free(&s);
    return count < 0 ? 0 : count;
}
