/* liggghts.c - a packing of spheres at rest, by our granular flow and by LIGGGHTS (Debian:
 * liggghts), which is a program to run, by files in a temporary folder, and no library to link. */
#include "benchmarks/harness/packing.h"
#include "benchmarks/harness/usage.h"
#include "base/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 22, WARM_UP = 100, STEPS = 25, LOAD = 2000, TIMED = 150, REPEATS = 10 };

typedef struct liggghts {
    double stiffness;   /* Pa, Young's modulus of the spheres */
    double step;        /* s */
    double per_step;    /* s by the clock */
    double penetration; /* m, the deepest of the spheres into each other at the end */
} liggghts;

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
    "fix move all nve/sphere\nthermo 100000\nrun %d\nvariable repeat loop %d\nlabel timed\nrun "
    "%d\nnext repeat\njump "
    "script timed\n"
    "dump d all custom 1 end id x y z\ndump_modify d format \"%%d %%.15g %%.15g %%.15g\"\nrun 0\n";

static bool write_packing(const imp_granular *g, double wide) {
    FILE *f = fopen("packing", "w");
    if (!f) return false;
    const int n = imp_granular_count(g);
    double high = 0;
    for (int i = 0; i < n; i++)
        high = fmax(high, imp_granular_sphere(g, i).position[2]);
    fprintf(f,
            "spheres\n\n%d atoms\n1 atom types\n%g %g xlo xhi\n%g %g ylo yhi\n%g %g zlo "
            "zhi\n\nAtoms\n\n",
            n, -0.1 * wide, 1.1 * wide, -0.1 * wide, 1.1 * wide, -0.1 * wide, high + wide);
    for (int i = 0; i < n; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        fprintf(f, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * s.radius, s.density,
                s.position[0], s.position[1], s.position[2]);
    }
    return fclose(f) == 0;
}

static bool write_script(double wide, const liggghts *l) {
    FILE *f = fopen("script", "w");
    if (!f) return false;
    fprintf(f, SCRIPT, l->stiffness, POISSON, FRICTION, l->step, wide, wide, LOAD, REPEATS, TIMED);
    return fclose(f) == 0;
}

/* The quickest of the timed loops in what it printed. */
static bool read_time(double *per_step) {
    FILE *f = fopen("screen", "r");
    char line[512];
    double time;
    int done;
    *per_step = INFINITY;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Loop time of %lf on 1 procs for %d steps", &time, &done) == 2 &&
            done == TIMED)
            *per_step = fmin(*per_step, time / TIMED);
    if (f) fclose(f);
    return isfinite(*per_step);
}

static bool read_penetration(const imp_granular *g, double *deepest) {
    FILE *f = fopen("end", "r");
    char line[512];
    const int n = imp_granular_count(g);
    double(*x)[3] = malloc((size_t)n * sizeof *x);
    int id, read = 0;
    bool atoms = false;
    while (f && x && fgets(line, sizeof line, f)) {
        double at[3];
        if (atoms && sscanf(line, "%d %lf %lf %lf", &id, &at[0], &at[1], &at[2]) == 4 && id >= 1 &&
            id <= n) {
            memcpy(x[id - 1], at, sizeof at);
            read++;
        }
        atoms = atoms || strncmp(line, "ITEM: ATOMS", 11) == 0;
    }
    if (f) fclose(f);
    *deepest = 0;
    for (int i = 0; read == n && i < n; i++) {
        const double r = imp_granular_sphere(g, i).radius;
        for (int j = 0; j < i; j++) {
            const double a = x[i][0] - x[j][0], b = x[i][1] - x[j][1], c = x[i][2] - x[j][2],
                         d = a * a + b * b + c * c;
            if (d < 4 * r * r) *deepest = fmax(*deepest, 2 * r - sqrt(d)); /* all of one radius */
        }
    }
    free(x);
    return read == n;
}

/* Runs the spheres from where they are: LOAD steps, then those that are timed, at 17 % of the
 * Rayleigh time. */
static bool run_liggghts(const imp_granular *g, double wide, double stiffness, liggghts *out) {
    char folder[] = "/tmp/impact-liggghts-XXXXXX", back[4096];
    const imp_sphere s = imp_granular_sphere(g, 0);
    const double pi = 3.14159265358979323846, shear = stiffness / (2 * (1 + POISSON));
    const double rayleigh = pi * s.radius * sqrt(s.density / shear) / (0.1631 * POISSON + 0.8766);
    *out = (liggghts){.stiffness = stiffness, .step = 0.17 * rayleigh};
    if (!getcwd(back, sizeof back) || !mkdtemp(folder) || chdir(folder) != 0) return false;
    bool good =
        write_packing(g, wide) && write_script(wide, out) &&
        system("liggghts -log none -screen screen -in script > /dev/null 2> /dev/null") == 0 &&
        read_time(&out->per_step) && read_penetration(g, &out->penetration);
    (void)(unlink("packing") + unlink("script") + unlink("screen") + unlink("end"));
    if (chdir(back) != 0) good = false;
    (void)rmdir(folder);
    return good;
}

static bool run_ours(imp_granular *g, liggghts *out) {
    imp_granular_report report;
    *out = (liggghts){.step = imp_granular_settings_default().step, .per_step = INFINITY};
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const double from = imp_seconds(CLOCK_MONOTONIC);
        for (int k = 0; k < (repeat < 0 ? WARM_UP : STEPS); k++) {
            if (imp_granular_step(g, &report) != IMP_OK) return false;
            if (repeat >= 0) out->penetration = fmax(out->penetration, report.penetration);
        }
        if (repeat >= 0)
            out->per_step = fmin(out->per_step, (imp_seconds(CLOCK_MONOTONIC) - from) / STEPS);
    }
    return true;
}

static void print_row(const packing *p, const char *name, bool good, const liggghts *l) {
    const double ns = 1e9 * 1e-3 * l->per_step / l->step;
    printf("%d spheres in a box\t1 ms, penetration over radius\t%s\t", p->n, name);
    if (good)
        printf("%.4g\t%.2g\t0\t\n", ns, l->penetration / p->sphere[0].radius);
    else
        puts("\t\t100\tfailed");
    fflush(stdout);
}

static const usage about = {
    .program = "liggghts",
    .arguments = "",
    .text =
        "A packing of spheres at rest, by our granular flow and by LIGGGHTS. Soft spheres need "
        "time steps that follow their\n"
        "stiffness, so what counts is the time that a simulated millisecond takes. Both run the "
        "same packing on one core;\n"
        "times are by the clock, the least of some runs. The error is the deepest penetration "
        "over the radius. Rows:\n"
        "question, case, solver, ns, error, percent failed, and a remark. Exit 1: no memory; 2: "
        "bad use.\n",
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    static const double soft = 5e6, quartz = 70e9; /* Pa */
    const imp_granular_settings settings = imp_granular_settings_default();
    packing p = packing_settle(SIDE);
    imp_granular *at_rest = p.n ? packing_flow(&p, &settings) : NULL,
                 *moving = p.n ? packing_flow(&p, &settings) : NULL;
    liggghts own, l;
    if (!at_rest || !moving) return 1;
    puts("# LIGGGHTS: Hertz with tangential history, e = 0.1, steps of 17 % of the Rayleigh time; "
         "ours: rigid, 10 "
         "sweeps, "
         "steps of 10 us");
    const bool good = run_ours(moving, &own);
    print_row(&p, "impact, granular", good, &own);
    const bool fine = run_liggghts(at_rest, p.wide, soft, &l);
    print_row(&p, "LIGGGHTS, 5 MPa", fine, &l);
    if (good && fine) { /* under a given load the penetration goes with stiffness^(-2/3) */
        const double equal = soft * pow(l.penetration / own.penetration, 1.5);
        print_row(&p, "LIGGGHTS, as deep as ours", run_liggghts(at_rest, p.wide, equal, &l), &l);
    }
    print_row(&p, "LIGGGHTS, quartz (70 GPa)", run_liggghts(at_rest, p.wide, quartz, &l), &l);
    imp_granular_free(at_rest);
    imp_granular_free(moving);
    free(p.sphere);
    return 0;
}
