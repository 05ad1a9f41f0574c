/* liggghts.c - drives the program liggghts by files in a temporary folder. */
#include "benchmarks/peers/liggghts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double POISSON = 0.25, FRICTION = 0.4;

static const char SCRIPT[] =
    "atom_style granular\natom_modify map array sort 0 0\nboundary f f f\nnewton off\nhard_particles yes\ncommunicate "
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
    "fix move all nve/sphere\nthermo 100000\nrun %d\nrun %d\n"
    "dump d all custom 1 end id x y z\ndump_modify d format \"%%d %%.15g %%.15g %%.15g\"\nrun 0\n";

bool liggghts_is_there(void) {
    return system("command -v liggghts > /dev/null 2>&1") == 0;
}

static bool write_packing(const imp_granular *g, double wide) {
    FILE *f = fopen("packing", "w");
    if (!f) return false;
    const int n = imp_granular_count(g);
    double high = 0;
    for (int i = 0; i < n; i++)
        high = fmax(high, imp_granular_sphere(g, i).position[2]);
    fprintf(f, "spheres\n\n%d atoms\n1 atom types\n%g %g xlo xhi\n%g %g ylo yhi\n%g %g zlo zhi\n\nAtoms\n\n", n,
            -0.1 * wide, 1.1 * wide, -0.1 * wide, 1.1 * wide, -0.1 * wide, high + wide);
    for (int i = 0; i < n; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        fprintf(f, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * s.radius, s.density, s.position[0], s.position[1],
                s.position[2]);
    }
    return fclose(f) == 0;
}

static bool write_script(double wide, int settle, int steps, const liggghts *l) {
    FILE *f = fopen("script", "w");
    if (!f) return false;
    fprintf(f, SCRIPT, l->stiffness, POISSON, FRICTION, l->step, wide, wide, settle, steps);
    return fclose(f) == 0;
}

/* The loop of `steps` steps in what it printed. */
static bool read_time(int steps, double *seconds) {
    FILE *f = fopen("screen", "r");
    char line[512];
    bool found = false;
    double time;
    int done;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Loop time of %lf on 1 procs for %d steps", &time, &done) == 2 && done == steps) {
            *seconds = time / steps;
            found = true;
        }
    if (f) fclose(f);
    return found;
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
        if (atoms && sscanf(line, "%d %lf %lf %lf", &id, &at[0], &at[1], &at[2]) == 4 && id >= 1 && id <= n) {
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
            const double a = x[i][0] - x[j][0], b = x[i][1] - x[j][1], c = x[i][2] - x[j][2], d = a * a + b * b + c * c;
            if (d < 4 * r * r) *deepest = fmax(*deepest, 2 * r - sqrt(d)); /* all of one radius */
        }
    }
    free(x);
    return read == n;
}

bool liggghts_run(const imp_granular *g, double wide, double stiffness, int settle, int steps, liggghts *out) {
    char folder[] = "/tmp/impact-liggghts-XXXXXX", back[4096];
    const imp_sphere s = imp_granular_sphere(g, 0);
    const double pi = 3.14159265358979323846, shear = stiffness / (2 * (1 + POISSON));
    const double rayleigh = pi * s.radius * sqrt(s.density / shear) / (0.1631 * POISSON + 0.8766);
    *out = (liggghts){.stiffness = stiffness, .step = 0.17 * rayleigh};
    if (!liggghts_is_there() || !getcwd(back, sizeof back) || !mkdtemp(folder) || chdir(folder) != 0) return false;
    bool good = write_packing(g, wide) && write_script(wide, settle, steps, out) &&
                system("liggghts -log none -screen screen -in script > /dev/null 2> /dev/null") == 0 &&
                read_time(steps, &out->per_step) && read_penetration(g, &out->penetration);
    (void)(unlink("packing") + unlink("script") + unlink("screen") + unlink("end"));
    if (chdir(back) != 0) good = false;
    (void)rmdir(folder);
    return good;
}
