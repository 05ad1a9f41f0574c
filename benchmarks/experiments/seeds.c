/* seeds.c - runs of a flow from several seeds, and what they say together. */
#include "benchmarks/experiments/seeds.h"
#include "benchmarks/experiments/channel.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH = 5,
    LOCAL_EVERY = 10
}; /* particles in a cell; samples per look at single
                                          contacts */

/* A run under way. */
typedef struct measuring {
    const imp_flow *flow;
    imp_granular *g;
    seeds_run *run;
    double *energy; /* by id (ids), J, free of this step's contacts */
    int64_t ids;
    double *cell; /* (nx ny) count, then v_x, v_y, v_z: sums over the last samples */
    int nx, ny;
    long samples, cells_from; /* made; the first of those last ones */
    long steps;               /* since `from` */
} measuring;

static double kinetic(const imp_sphere *s, const double kick[3]) {
    const imp_body b = imp_sphere_body(s);
    double turn = 0, straight = 0, axis = 0;
    const double *q = b.orientation,
                 z[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    for (int x = 0; x < 3; x++) {
        straight += (b.velocity[x] + kick[x]) * (b.velocity[x] + kick[x]);
        turn += b.spin[x] * b.spin[x];
        axis += b.spin[x] * z[x];
    }
    return 0.5 * (straight / b.inv_mass + (turn - axis * axis) / b.inv_inertia[0] +
                  axis * axis / b.inv_inertia[8]);
}

/* Before a step: every sphere's energy after gravity. Those who enter in it come with the inflow's
 * velocity. */
static void note_energies(measuring *m) {
    const imp_granular_settings *set = &m->flow->settings;
    double kick[3];
    for (int x = 0; x < 3; x++)
        kick[x] = set->step * set->gravity[x];
    for (int64_t id = 0; id < m->ids; id++)
        m->energy[id] = NAN;
    for (int i = 0; i < imp_granular_count(m->g); i++) {
        const imp_sphere s = imp_granular_sphere(m->g, i);
        if (s.id < m->ids) m->energy[s.id] = kinetic(&s, kick);
    }
}

static void add_dissipated(measuring *m, const imp_granular_report *step) {
    const imp_granular_settings *set = &m->flow->settings;
    static const double none[3];
    double work = 0;
    for (int k = 0; k < m->flow->shapes; k++)
        for (int x = 0; x < 3; x++)
            work += step->shape_impulse[k][x] * m->flow->shape[k].velocity[x];
    for (int i = 0; i < imp_granular_count(m->g); i++) {
        const imp_sphere s = imp_granular_sphere(m->g, i);
        if (s.id >= m->ids) continue;
        double before = m->energy[s.id];
        if (isnan(before)) {
            imp_sphere entered = {
                .radius = s.radius, .density = s.density, .offset = s.offset, .orientation = {1}};
            double kick[3];
            imp_inflow_disturb(&m->flow->inflow, s.id, entered.velocity);
            for (int x = 0; x < 3; x++)
                kick[x] = set->step * set->gravity[x];
            before = kinetic(&entered, kick);
        }
        work -= kinetic(&s, none) - before;
    }
    m->run->value[SEEDS_POWER] += work / set->step;
}

static void add_means(measuring *m, const imp_granular_report *step) {
    const double *low = m->flow->settings.low, n = step->particles;
    double speed = 0, spin = 0;
    for (int i = 0; i < step->particles; i++) {
        const imp_sphere s = imp_granular_sphere(m->g, i);
        speed += sqrt(s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] +
                      s.velocity[2] * s.velocity[2]);
        spin += sqrt(s.spin[0] * s.spin[0] + s.spin[1] * s.spin[1] + s.spin[2] * s.spin[2]);
        const int x = (int)((s.position[0] - low[0]) * 1e3),
                  y = (int)((s.position[1] - low[1]) * 1e3);
        if (m->samples < m->cells_from || x < 0 || y < 0 || x >= m->nx || y >= m->ny) continue;
        double *cell = m->cell + 4 * (x * m->ny + y);
        cell[0]++;
        for (int c = 0; c < 3; c++)
            cell[1 + c] += s.velocity[c];
    }
    double *value = m->run->value;
    value[SEEDS_FRACTION] += n * channel_sphere_volume(m->flow);
    value[SEEDS_LOADED] += 2 * step->loaded / n;
    value[SEEDS_SPEED] += speed / n;
    value[SEEDS_SPIN] += spin / n;
}

/* A contact by itself, from the bodies as they are: W, and the velocity that p has just stopped.
 * Both laws answer. */
static void compare_laws(measuring *m, const imp_granular_contact *c) {
    imp_body body[2];
    imp_contact at = {.a = IMP_GROUND, .b = 0};
    const imp_sphere b = imp_granular_sphere(m->g, c->b);
    double W[9], q[3], p[3], mu = m->flow->settings.friction, x[3], apart = 0, size = 0;
    body[0] = imp_sphere_body(&b);
    if (c->a >= 0) {
        const imp_sphere a = imp_granular_sphere(m->g, c->a);
        body[at.a = 1] = imp_sphere_body(&a);
    } else {
        mu = m->flow->shape[-1 - c->a].friction;
    }
    for (int k = 0; k < 3; k++)
        at.point[k] = b.position[k] - (b.radius + 0.5 * c->gap) * c->normal[k];
    if (imp_frame_from_normal(c->normal, at.frame) != IMP_OK ||
        imp_delassus_dense(c->a >= 0 ? 2 : 1, body, 1, &at, W, q) != IMP_OK)
        return;
    for (int i = 0; i < 3; i++) {
        p[i] = 0;
        for (int k = 0; k < 3; k++)
            p[i] += at.frame[3 * i + k] * c->impulse[k];
        if (c->a < 0)
            for (int k = 0; k < 3; k++)
                q[i] -= at.frame[3 * i + k] * m->flow->shape[-1 - c->a].velocity[k];
    }
    if (!(p[0] > 0)) return;
    q[0] = 0; /* the answer neither opens nor closes it */
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            q[i] -= W[3 * i + k] * p[k];
    const double packed[6] = {W[0], W[1], W[2], W[4], W[5], W[8]};
    imp_coulomb_set set;
    if (imp_maxdiss(packed, q, mu, 0, x, NULL) != IMP_OK ||
        imp_coulomb_enumerate(packed, q, mu, &set) < IMP_OK || set.count < 1)
        return;
    const imp_coulomb_solution *other =
        &set.solution[imp_coulomb_choose(&set, IMP_MOST_DISSIPATIVE)];
    for (int i = 0; i < 3; i++) {
        apart += (x[i] - other->p[i]) * (x[i] - other->p[i]);
        size += other->p[i] * other->p[i];
    }
    seeds_run *run = m->run;
    const bool differs = sqrt(apart) > 1e-6 * sqrt(size);
    run->loaded++;
    run->sliding += other->kind == IMP_SLIP;
    run->differing += differs;
    run->difference += differs ? sqrt(apart / size) : 0;
    run->coupled += set.eccentricity > SEEDS_COUPLED;
    run->largest = fmax(run->largest, set.eccentricity);
}

static void look_at_contacts(measuring *m) {
    const int n = imp_granular_contacts(m->g, NULL, 0);
    imp_granular_contact *c = malloc(((size_t)n + 1) * sizeof *c);
    if (c) imp_granular_contacts(m->g, c, n);
    for (int i = 0; c && i < n; i++)
        compare_laws(m, &c[i]);
    free(c);
}

static void finish(measuring *m) {
    seeds_run *run = m->run;
    const double deepest = run->value[SEEDS_PENETRATION];
    for (int k = 0; k < SEEDS_VALUES; k++)
        run->value[k] /= (double)(k == SEEDS_POWER || k == SEEDS_DEPTH ? m->steps : m->samples);
    run->value[SEEDS_PENETRATION] = deepest;
    run->value[SEEDS_FRACTION] /= channel_room(m->flow);
    for (int i = 0; i < m->nx * m->ny; i++) {
        const double *cell = m->cell + 4 * i;
        const double speed =
            sqrt(cell[1] * cell[1] + cell[2] * cell[2] + cell[3] * cell[3]) / cell[0];
        if (cell[0] >= ENOUGH && speed > run->value[SEEDS_PEAK]) run->value[SEEDS_PEAK] = speed;
    }
}

static void measure(const imp_flow *base, double from, int every, seeds_run *run) {
    imp_flow flow = *base;
    imp_status status;
    measuring m = {.flow = &flow, .run = run};
    *run = (seeds_run){.law = run->law, .seed = run->seed};
    flow.settings.law = run->law;
    flow.inflow.seed = run->seed;
    m.nx = (int)lround((flow.settings.high[0] - flow.settings.low[0]) * 1e3);
    m.ny = (int)lround((flow.settings.high[1] - flow.settings.low[1]) * 1e3);
    m.g = imp_flow_start(&flow, false, &status);
    const long long steps = llround(flow.until / flow.settings.step),
                    first = llround(from / flow.settings.step);
    m.cells_from = steps / every - first / every -
                   lround(0.02 / (flow.settings.high[2] - flow.settings.low[2]));
    const double layer =
        flow.inflow.plane < 0 ? INFINITY : flow.inflow.advance / flow.settings.step;
    m.ids = (m.g ? imp_granular_count(m.g) : 0) +
            (int64_t)((double)steps / layer + 2) * flow.inflow.ny * flow.inflow.nz;
    m.energy = malloc((size_t)m.ids * sizeof *m.energy);
    m.cell = calloc((size_t)m.nx * (size_t)m.ny * 4, sizeof *m.cell);
    bool good = m.g && m.energy && m.cell;
    for (long long k = 1; good && k <= steps; k++) {
        imp_granular_report step;
        if (k > first) note_energies(&m);
        good = imp_granular_step(m.g, &step) == IMP_OK;
        run->value[SEEDS_PENETRATION] = fmax(run->value[SEEDS_PENETRATION], step.penetration);
        if (!good || k <= first) continue;
        add_dissipated(&m, &step);
        run->value[SEEDS_DEPTH] += step.penetration;
        m.steps++;
        if (k % every != 0) continue;
        add_means(&m, &step);
        if (m.samples++ % LOCAL_EVERY == 0) look_at_contacts(&m);
    }
    run->good = good && m.samples > 0;
    if (run->good) finish(&m);
    free(m.energy);
    free(m.cell);
    imp_granular_free(m.g);
}

void seeds_measure(report *r, const imp_flow *flow, double from, int every, seeds_run *runs,
                   int n) {
    int done = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1)
#endif
    for (int k = 0; k < n; k++) {
        measure(flow, from, every, &runs[k]);
#ifdef _OPENMP
#pragma omp critical
#endif
        if (r) report_progress(r, (double)++done / n);
    }
}

seeds_spread seeds_spread_of(const seeds_run *runs, int n, int value) {
    seeds_spread s = {.least = INFINITY, .largest = -INFINITY};
    for (int k = 0; k < n; k++) {
        const double x = runs[k].value[value];
        s.mean += x / n;
        s.least = fmin(s.least, x);
        s.largest = fmax(s.largest, x);
    }
    for (int k = 0; k < n; k++)
        s.deviation += (runs[k].value[value] - s.mean) * (runs[k].value[value] - s.mean) / (n - 1);
    s.deviation = sqrt(s.deviation);
    return s;
}

double seeds_t(const seeds_spread *a, const seeds_spread *b, int n, double *freedom) {
    const double va = a->deviation * a->deviation / n, vb = b->deviation * b->deviation / n,
                 both = va + vb;
    *freedom = both > 0 ? both * both * (n - 1) / (va * va + vb * vb) : n - 1;
    if (both > 0) return (a->mean - b->mean) / sqrt(both);
    return a->mean == b->mean ? 0 : INFINITY;
}

double seeds_t_limit(double freedom, double share) {
    return gsl_cdf_tdist_Qinv(share / 2, freedom);
}
