/* test_plus.c - PLUS against interval-by-interval reference answers, and the laws its impulses must obey. */
#include "impact.h"
#include "tap.h"

#include <stdint.h>

enum { POINTS = 4, ROWS = 3 * POINTS, INTERVALS = 512, FIELDS = 16, LINE = 1 << 14 };

/* ---- tables ---------------------------------------------------------------------------------------------------- */

/* Splits a line at tabs in place; returns the number of fields. */
static int split(char *line, char *field[FIELDS]) {
    int count = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *at = line; at && count < FIELDS;) {
        field[count++] = at;
        at = strchr(at, '\t');
        if (at) *at++ = 0;
    }
    return count;
}

/* Reads up to n comma-separated numbers. */
static int numbers(const char *text, double *x, int n) {
    int count = 0;
    for (char *end; count < n && *text; text = *end == ',' ? end + 1 : end) {
        x[count++] = strtod(text, &end);
        if (end == text) return count - 1;
    }
    return count;
}

/* Normal-last triples to normal-first ones, (x, y, z) -> (n, t, o) = (z, x, y), for n entries. */
static void permute(double *x, int n) {
    for (int i = 0; i < n; i += 3) {
        const double z = x[i + 2];
        x[i + 2] = x[i + 1];
        x[i + 1] = x[i];
        x[i] = z;
    }
}

/* ---- scenes ---------------------------------------------------------------------------------------------------- */

typedef struct scene {
    int nc;
    double W[ROWS * ROWS], q[ROWS], mu[POINTS], e[POINTS];
} scene;

/* A brick of half sizes h (m), with spheres of 0.1 m at its vertices, at the points of `corner` (signs). */
static scene brick(const double h[3], const double I[3], const double orientation[4], int nc,
                   const double corner[][3], const double v[3], double mu, double e) {
    scene s = {.nc = nc};
    imp_body body = {.inv_mass = 0.5, .inv_inertia = {1 / I[0], 0, 0, 0, 1 / I[1], 0, 0, 0, 1 / I[2]}};
    imp_contact contact[POINTS];
    const double w = orientation[0], *r = orientation + 1;
    memcpy(body.orientation, orientation, sizeof body.orientation);
    memcpy(body.velocity, v, sizeof body.velocity);
    for (int i = 0; i < nc; i++) {
        const double x[3] = {corner[i][0] * h[0], corner[i][1] * h[1], corner[i][2] * h[2]};
        const double c[3] = {r[1] * x[2] - r[2] * x[1] + w * x[0], r[2] * x[0] - r[0] * x[2] + w * x[1],
                             r[0] * x[1] - r[1] * x[0] + w * x[2]};
        const double turned[3] = {x[0] + 2 * (r[1] * c[2] - r[2] * c[1]), x[1] + 2 * (r[2] * c[0] - r[0] * c[2]),
                                  x[2] + 2 * (r[0] * c[1] - r[1] * c[0]) - 0.1};
        contact[i] = (imp_contact){.a = IMP_GROUND, .b = 0, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
        memcpy(contact[i].point, turned, sizeof turned);
        s.mu[i] = mu;
        s.e[i] = e;
    }
    imp_delassus_dense(1, &body, nc, contact, s.W, s.q);
    return s;
}

static scene example1(double mu, double e, const double v[3]) {
    const double a = M_PI / 8, b = M_PI / 12; /* Rx(pi/4) Ry(pi/6) */
    const double h[3] = {0.2, 0.3, 0.4}, I[3] = {0.167, 0.133, 0.0867}, corner[1][3] = {{1, -1, -1}};
    const double turn[4] = {cos(a) * cos(b), sin(a) * cos(b), cos(a) * sin(b), sin(a) * sin(b)};
    return brick(h, I, turn, 1, corner, v, mu, e);
}

static scene example2(const double h[3]) {
    const double upright[4] = {1, 0, 0, 0}, v[3] = {-2, 0, -8.84};
    const double corner[4][3] = {{-1, -1, -1}, {-1, 1, -1}, {1, -1, -1}, {1, 1, -1}};
    const double printed[3] = {0.167, 0.133, 0.0867}, half[3] = {0.2, 0.3, 0.4};
    double I[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (fabs(h[i] - half[k]) < 1e-9) I[i] = printed[k];
    return brick(h, I, upright, 4, corner, v, 0.2, 0.414);
}

static scene cradle(void) {
    scene s = {.nc = 4};
    imp_body ball[5] = {0};
    imp_contact contact[4];
    for (int i = 0; i < 5; i++) {
        ball[i].inv_mass = 1;
        for (int k = 0; k < 3; k++)
            ball[i].inv_inertia[4 * k] = 1 / (0.4 * 0.25 * 0.25);
        ball[i].orientation[0] = 1;
        ball[i].position[0] = -0.5 * i;
    }
    ball[0].velocity[0] = -2;
    for (int i = 0; i < 4; i++) {
        contact[i] = (imp_contact){
            .a = i + 1, .b = i, .point = {-0.25 - 0.5 * i, 0, 0}, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        s.e[i] = 1;
    }
    imp_delassus_dense(5, ball, 4, contact, s.W, s.q);
    return s;
}

/* ---- a run with its history -------------------------------------------------------------------------------------- */

typedef struct run {
    imp_status status;
    imp_info info;
    double p[ROWS], u[ROWS];
    imp_plus_history history;
    imp_plus_interval interval[INTERVALS];
    char phase[INTERVALS * POINTS], motion[INTERVALS * POINTS];
    double e[INTERVALS * POINTS], pi[INTERVALS * ROWS], v[INTERVALS * ROWS];
} run;

static void solve(const scene *s, const imp_plus_settings *settings, run *r) {
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    const imp_problem problem = {s->nc, &W, s->q, s->mu, s->e};
    void *work = malloc(imp_plus_workspace(s->nc));
    memset(r, 0, sizeof *r);
    r->history = (imp_plus_history){INTERVALS, 0, r->interval, r->phase, r->motion, r->e, r->pi, r->v};
    r->status = imp_plus(&problem, settings, r->p, work, &r->history, &r->info);
    imp_operator_apply(&W, r->p, s->q, r->u);
    free(work);
}

static double distance(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = isnan(a[i] - b[i]) ? INFINITY : fmax(most, fabs(a[i] - b[i]));
    return most;
}

int main(void) {
    static run r;
    static char line[LINE];
    imp_plus_settings settings = imp_plus_settings_default();
    const char *files[] = {"ex1", "ex2", "ex3"};
    for (int f = 0; f < 3; f++) {
        char name[100], *field[FIELDS], current[100] = "";
        snprintf(name, sizeof name, "reference/data/uchida2015_plus_%s.tsv", files[f]);
        FILE *file = fopen(name, "r");
        scene s = {0};
        int rows = 0;
        double worst = 0;
        while (fgets(line, sizeof line, file)) {
            if (line[0] == '#' || strncmp(line, "case", 4) == 0) continue;
            split(line, field);
            if (strcmp(field[0], current) != 0) {
                if (*current) printf("%s rows %d ours %d worst %g status %d\n", current, rows, r.history.count, worst, r.status);
                snprintf(current, sizeof current, "%s", field[0]);
                rows = 0;
                worst = 0;
                double mu = 0, h[3] = {0};
                const double v[3] = {-5, 0, -5.74};
                settings = imp_plus_settings_default();
                if (f == 0) {
                    sscanf(current, "ex1_mu%lf_th%lf", &mu, &settings.theta_max);
                    s = example1(mu, mu == 0.125 ? 0.392 : mu == 0.225 ? 0.387 : 0.373, v);
                } else if (f == 1) {
                    sscanf(current, "ex2_h%lf_%lf_%lf", h, h + 1, h + 2);
                    s = example2(h);
                } else {
                    s = cradle();
                    settings.v_capture = settings.v_plastic = 0;
                }
                solve(&s, &settings, &r);
            }
            const int n = 3 * s.nc;
            double pi[ROWS], v[ROWS];
            numbers(field[7], pi, n);
            numbers(field[8], v, n);
            permute(pi, n);
            permute(v, n);
            const double off = fmax(distance(pi, r.pi + rows * n, n), distance(v, r.v + rows * n, n));
            if (off > 1e-9 || f > 0)
                printf("  %s %d alpha %s ours %.17g %s %s ours %.4s/%.4s off %g\n", current, rows, field[3], r.interval[rows].alpha, field[4], field[5],
                       r.phase + rows * s.nc, r.motion + rows * s.nc, off);
            worst = fmax(worst, off);
            rows++;
        }
        printf("%s rows %d ours %d worst %g status %d\n", current, rows, r.history.count, worst, r.status);
        fclose(file);
    }
    FILE *file = fopen("reference/data/uchida2015_plus_random.tsv", "r");
    char *field[FIELDS];
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || strncmp(line, "case", 4) == 0) continue;
        split(line, field);
        scene s = {.nc = atoi(field[1])};
        const int n = 3 * s.nc;
        double p[ROWS], u[ROWS];
        settings = imp_plus_settings_default();
        settings.theta_max = atof(field[4]);
        for (int i = 0; i < s.nc; i++) {
            s.mu[i] = atof(field[2]);
            s.e[i] = atof(field[3]);
        }
        numbers(field[5], s.W, n * n);
        for (int i = 0; i < n; i++) permute(s.W + i * n, n);
        double T[ROWS*ROWS];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) T[j*n+i] = s.W[i*n+j];
        for (int i = 0; i < n; i++) permute(T + i * n, n);
        memcpy(s.W, T, sizeof T);
        numbers(field[6], s.q, n);
        numbers(field[9], p, n);
        numbers(field[10], u, n);
        permute(s.q, n); permute(p, n); permute(u, n);
        solve(&s, &settings, &r);
        if (getenv("DUMP") && strcmp(getenv("DUMP"), field[0]) == 0)
            for (int k = 0; k < r.history.count; k++) {
                printf("   %d r%d a %.6f end %d c %d %.*s/%.*s |v|", k + 1, r.interval[k].round, r.interval[k].alpha, r.interval[k].end, r.interval[k].contact, s.nc, r.phase + k * s.nc, s.nc, r.motion + k * s.nc);
                for (int i = 0; i < s.nc; i++) printf(" %.5f(%.4f)", hypot(r.v[k * n + 3 * i + 1], r.v[k * n + 3 * i + 2]), r.v[k * n + 3 * i]);
                printf(" pn");
                for (int i = 0; i < s.nc; i++) printf(" %.5f(%.3f)", r.pi[k * n + 3 * i], hypot(r.pi[k * n + 3 * i + 1], r.pi[k * n + 3 * i + 2]) / r.pi[k * n + 3 * i] / s.mu[i]);
                printf("\n");
            }
        printf("%s n %d intervals %s ours %d rounds %s ours %d dp %g du %g status %d\n", field[0], s.nc, field[7], r.info.intervals, field[8], r.info.rounds, distance(p, r.p, n), distance(u, r.v + (r.history.count-1)*n, n), r.status);
    }
    return 0;
}
