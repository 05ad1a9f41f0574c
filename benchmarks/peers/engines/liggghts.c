/* liggghts.c - a packing of spheres, by our granular flow and by LIGGGHTS (Debian: liggghts), which
 * is a program to run, by files in a temporary folder, and no library to link. */
#include "benchmarks/harness/packing.h"
#include "benchmarks/harness/usage.h"
#include "base/clock.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A millisecond is timed, looked at INSTANTS times; before it both go through LOAD, LIGGGHTS at
 * least through LOAD_STEPS: what carries the others' weight has to be pressed in first. */
enum { SIDE = 22, INSTANTS = 50, LOAD_STEPS = 2000, TRIES = 3 };
static const double TIMED = 1e-3, LOAD = 0.2e-3; /* s */

typedef struct timing {
    double seconds;     /* by the clock, of the simulated millisecond */
    double penetration; /* m, the deepest of the spheres into each other, mean of all instants */
    double stiffness;   /* Pa, Young's modulus of LIGGGHTS' spheres */
} timing;

static const double POISSON = 0.25, FRICTION = 0.4;

static const char SCRIPT[] =
    "atom_style granular\natom_modify map array sort 0 0\nboundary f f f\nnewton "
    "off\nhard_particles yes\ncommunicate "
    "single vel yes\n"
    "units si\nread_data packing\nneighbor 0.0001 bin\nneigh_modify delay 0\n"
    "fix m1 all property/global youngsModulus peratomtype %.17g\n"
    "fix m2 all property/global poissonsRatio peratomtype %g\n"
    "fix m3 all property/global coefficientRestitution peratomtypepair 1 0.1\n"
    "fix m4 all property/global coefficientFriction peratomtypepair 1 %g\n"
    "pair_style gran model hertz tangential history\npair_coeff * *\ntimestep %.17g\n"
    "fix g all gravity 9.81 vector 0.0 0.0 -1.0\n"
    "fix z all wall/gran model hertz tangential history primitive type 1 zplane 0.0\n"
    "fix x0 all wall/gran model hertz tangential history primitive type 1 xplane 0.0\n"
    "fix x1 all wall/gran model hertz tangential history primitive type 1 xplane %.17g\n"
    "fix y0 all wall/gran model hertz tangential history primitive type 1 yplane 0.0\n"
    "fix y1 all wall/gran model hertz tangential history primitive type 1 yplane %.17g\n"
    "fix move all nve/sphere\nthermo 100000\nrun %d\n"
    "variable instant loop %d\nlabel timed\nrun %d\n"
    "dump d all custom 1 at_${instant} id x y z\ndump_modify d format \"%%d %%.15g %%.15g "
    "%%.15g\"\n"
    "run 0\nundump d\nnext instant\njump script timed\n";

/* m: by places in the order of their x, so that only spheres that may touch are held together. */
static double deepest(int n, double radius, double (*x)[3]) {
    double worst = 0;
    size_t *order = malloc((size_t)n * sizeof *order);
    if (!order) return NAN;
    gsl_sort_index(order, x[0], 3, (size_t)n);
    for (int i = 0; i < n; i++) {
        const double *a = x[order[i]];
        for (int j = i + 1; j < n && x[order[j]][0] - a[0] < 2 * radius; j++) {
            const double *b = x[order[j]];
            worst = fmax(worst, 2 * radius - hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
        }
    }
    free(order);
    return worst;
}

static bool write_packing(const packing *p) {
    FILE *f = fopen("packing", "w");
    if (!f) return false;
    double high = 0;
    for (int i = 0; i < p->n; i++)
        high = fmax(high, p->sphere[i].position[2]);
    fprintf(f,
            "spheres\n\n%d atoms\n1 atom types\n%g %g xlo xhi\n%g %g ylo yhi\n%g %g zlo "
            "zhi\n\nAtoms\n\n",
            p->n, -0.1 * p->wide, 1.1 * p->wide, -0.1 * p->wide, 1.1 * p->wide, -0.1 * p->wide,
            high + p->wide);
    for (int i = 0; i < p->n; i++) {
        const imp_sphere *s = &p->sphere[i];
        fprintf(f, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * s->radius, s->density,
                s->position[0], s->position[1], s->position[2]);
    }
    fprintf(f, "\nVelocities\n\n");
    for (int i = 0; i < p->n; i++) {
        const double *v = p->sphere[i].velocity, *w = p->sphere[i].spin;
        fprintf(f, "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1, v[0], v[1], v[2], w[0], w[1],
                w[2]);
    }
    return fclose(f) == 0;
}

/* Steps of 17 % of the Rayleigh time. */
static bool write_script(const packing *p, double stiffness, int *between) {
    FILE *f = fopen("script", "w");
    const double pi = 3.14159265358979323846, shear = stiffness / (2 * (1 + POISSON));
    const double rayleigh =
        pi * p->sphere[0].radius * sqrt(p->sphere[0].density / shear) / (0.1631 * POISSON + 0.8766);
    if (!f) return false;
    *between = (int)ceil(TIMED / INSTANTS / (0.17 * rayleigh));
    const double step = TIMED / INSTANTS / *between;
    const int load = (int)fmax(LOAD_STEPS, ceil(LOAD / step));
    fprintf(f, SCRIPT, stiffness, POISSON, FRICTION, step, p->wide, p->wide, load, INSTANTS,
            *between);
    return fclose(f) == 0;
}

/* The timed loops in what it printed. */
static bool read_time(int between, double *seconds) {
    FILE *f = fopen("screen", "r");
    char line[512];
    double time;
    int done, read = 0;
    *seconds = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Loop time of %lf on 1 procs for %d steps", &time, &done) == 2 &&
            done == between) {
            *seconds += time;
            read++;
        }
    if (f) fclose(f);
    return read == INSTANTS;
}

/* What it wrote at an instant is removed. */
static bool read_places(int instant, int n, double (*x)[3]) {
    char name[32], line[512];
    int id, read = 0;
    bool atoms = false;
    snprintf(name, sizeof name, "at_%d", instant);
    FILE *f = fopen(name, "r");
    while (f && fgets(line, sizeof line, f)) {
        double at[3];
        if (atoms && sscanf(line, "%d %lf %lf %lf", &id, &at[0], &at[1], &at[2]) == 4 && id >= 1 &&
            id <= n && isfinite(at[0] + at[1] + at[2])) {
            memcpy(x[id - 1], at, sizeof at);
            read++;
        }
        atoms = atoms || strncmp(line, "ITEM: ATOMS", 11) == 0;
    }
    if (f) fclose(f);
    (void)unlink(name);
    return read == n;
}

static bool read_penetration(const packing *p, double *penetration) {
    double(*x)[3] = malloc((size_t)p->n * sizeof *x);
    bool good = x != NULL;
    *penetration = 0;
    for (int i = 1; x && i <= INSTANTS; i++) {
        good = read_places(i, p->n, x) && good;
        if (good) *penetration += deepest(p->n, p->sphere[0].radius, x) / INSTANTS;
    }
    free(x);
    return good;
}

static bool run_liggghts(const packing *p, double stiffness, timing *out) {
    char folder[] = "/tmp/impact-liggghts-XXXXXX", back[4096];
    int between;
    if (!getcwd(back, sizeof back) || !mkdtemp(folder) || chdir(folder) != 0) return false;
    out->stiffness = stiffness;
    bool good =
        write_packing(p) && write_script(p, stiffness, &between) &&
        system("liggghts -log none -screen screen -in script > /dev/null 2> /dev/null") == 0 &&
        read_time(between, &out->seconds);
    good = read_penetration(p, &out->penetration) && good;
    (void)(unlink("packing") + unlink("script") + unlink("screen"));
    if (chdir(back) != 0) good = false;
    (void)rmdir(folder);
    return good;
}

static bool is_as_deep(const timing *t, double wanted) {
    return fabs(t->penetration / wanted - 1) <= 0.1;
}

/* Penetration goes with a power of the stiffness, -2/3 under a given load, -2/5 where spheres meet
 * at a given velocity: by the power that soft and stiff spheres have shown, until it is as deep.
 * false: it was not in TRIES. */
static bool run_as_deep(const packing *p, const timing *soft, const timing *stiff, double wanted,
                        timing *out) {
    const double power =
        log(stiff->stiffness / soft->stiffness) / log(stiff->penetration / soft->penetration);
    *out = *stiff;
    for (int i = 0; i < TRIES && !is_as_deep(out, wanted); i++)
        if (!run_liggghts(p, out->stiffness * pow(wanted / out->penetration, power), out))
            return false;
    return is_as_deep(out, wanted);
}

static bool run_ours(const packing *p, const imp_granular_settings *set, timing *out) {
    const int between = (int)lround(TIMED / INSTANTS / set->step),
              load = (int)lround(LOAD / set->step);
    imp_granular *g = packing_flow(p, set);
    double(*x)[3] = malloc((size_t)p->n * sizeof *x);
    bool good = g && x;
    *out = (timing){0};
    for (int k = 0; good && k < load; k++)
        good = imp_granular_step(g, NULL) == IMP_OK;
    for (int i = 0; good && i < INSTANTS; i++) {
        const double from = imp_seconds(CLOCK_MONOTONIC);
        for (int k = 0; good && k < between; k++)
            good = imp_granular_step(g, NULL) == IMP_OK;
        out->seconds += imp_seconds(CLOCK_MONOTONIC) - from;
        for (int j = 0; j < p->n; j++) {
            const imp_sphere s = imp_granular_sphere(g, j);
            memcpy(x[j], s.position, sizeof x[j]);
        }
        out->penetration += deepest(p->n, p->sphere[0].radius, x) / INSTANTS;
    }
    free(x);
    imp_granular_free(g);
    return good;
}

static void print_row(const packing *p, const char *name, bool good, const timing *t) {
    printf("%d spheres in a box\t1 ms, penetration over radius\t%s\t", p->n, name);
    if (good)
        printf("%.4g\t%.2g\t0\t\n", 1e9 * t->seconds, t->penetration / p->sphere[0].radius);
    else
        puts("\t\t100\tfailed");
    fflush(stdout);
}

static const usage about = {
    .program = "liggghts",
    .arguments = "",
    .text =
        "A packing of spheres, by our granular flow and by LIGGGHTS. Soft spheres need time steps "
        "that follow their\n"
        "stiffness, so what counts is the time that a simulated millisecond takes. Both begin with "
        "the same places and\n"
        "velocities, on one core; times are by the clock. The error is the deepest penetration "
        "over the radius, the mean\n"
        "of 50 instants of that millisecond. Rows: question, case, solver, ns, error, percent "
        "failed, and a remark.\n"
        "Exit 1: no memory; 2: bad use.\n",
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    const imp_granular_settings set = imp_granular_settings_default();
    const packing p = packing_settle(SIDE);
    timing own, soft, quartz, deep;
    if (!p.n) return 1;
    puts("# LIGGGHTS: Hertz with tangential history, e = 0.1, steps of 17 % of the Rayleigh time; "
         "ours: rigid, 10 "
         "sweeps, "
         "steps of 10 us");
    const bool good = run_ours(&p, &set, &own), fine = run_liggghts(&p, 5e6, &soft),
               hard = run_liggghts(&p, 70e9, &quartz);
    print_row(&p, "impact, granular", good, &own);
    print_row(&p, "LIGGGHTS, 5 MPa", fine, &soft);
    print_row(&p, "LIGGGHTS, quartz (70 GPa)", hard, &quartz);
    if (good && fine && hard)
        print_row(&p, "LIGGGHTS, as deep as ours",
                  run_as_deep(&p, &soft, &quartz, own.penetration, &deep), &deep);
    free(p.sphere);
    return 0;
}
