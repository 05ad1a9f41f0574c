/* gen_uchida.c - scenes and reference tables of Uchida, Sherman, Delp (2015). */
#include "gen_uchida.h"

#include "contact/delassus.h"
#include "generators/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 11, LINE = 1 << 14 };

/* Normal-last triples to normal-first ones. */
static void permute(double *x, int n) {
    for (int i = 0; i < n; i += 3) {
        const double z = x[i + 2];
        x[i + 2] = x[i + 1];
        x[i + 1] = x[i];
        x[i] = z;
    }
}

/* The brick of half sizes h and principal inertia I, 2 kg, turned by `turn`, touching the ground
 * with the spheres of 0.1 m at the vertices of signs `corner`. */
static uchida_scene brick(const double h[3], const double I[3], const double turn[4], int nc,
                          const double corner[][3], const double v[3], double mu, double e) {
    uchida_scene s = {.nc = nc};
    imp_body body = {.inv_mass = 0.5,
                     .inv_inertia = {1 / I[0], 0, 0, 0, 1 / I[1], 0, 0, 0, 1 / I[2]}};
    imp_contact contact[UCHIDA_CONTACTS];
    const double w = turn[0], *r = turn + 1;
    memcpy(body.orientation, turn, sizeof body.orientation);
    memcpy(body.velocity, v, sizeof body.velocity);
    for (int i = 0; i < nc; i++) {
        double x[3], c[3];
        contact[i] = (imp_contact){.a = IMP_GROUND, .b = 0, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
        for (int k = 0; k < 3; k++)
            x[k] = corner[i][k] * h[k];
        for (int k = 0; k < 3; k++) /* r x + w x, then x + 2 r x that */
            c[k] = r[(k + 1) % 3] * x[(k + 2) % 3] - r[(k + 2) % 3] * x[(k + 1) % 3] + w * x[k];
        for (int k = 0; k < 3; k++)
            contact[i].point[k] =
                x[k] + 2 * (r[(k + 1) % 3] * c[(k + 2) % 3] - r[(k + 2) % 3] * c[(k + 1) % 3]);
        contact[i].point[2] -= 0.1;
        s.mu[i] = mu;
        s.e[i] = e;
    }
    (void)imp_delassus_dense(1, &body, nc, contact, s.W, s.q);
    return s;
}

static const double half_sizes[3] = {0.2, 0.3, 0.4}, printed_inertia[3] = {0.167, 0.133, 0.0867};

uchida_scene uchida_vertex(double mu, double e, const double v[3]) {
    /* Rx(pi/4) Ry(pi/6) */
    const double a = acos(-1) / 8, b = acos(-1) / 12, corner[1][3] = {{1, -1, -1}};
    const double turn[4] = {cos(a) * cos(b), sin(a) * cos(b), cos(a) * sin(b), sin(a) * sin(b)};
    return brick(half_sizes, printed_inertia, turn, 1, corner, v, mu, e);
}

uchida_scene uchida_flat(const double h[3]) {
    const double upright[4] = {1, 0, 0, 0}, v[3] = {-2, 0, -8.84};
    const double corner[4][3] = {{-1, -1, -1}, {-1, 1, -1}, {1, -1, -1}, {1, 1, -1}};
    double I[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (fabs(h[i] - half_sizes[k]) < 1e-9) I[i] = printed_inertia[k];
    return brick(h, I, upright, 4, corner, v, 0.2, 0.414);
}

uchida_scene uchida_moving(const double h[3], uint64_t k) {
    uchida_scene s = uchida_flat(h);
    gen_stream g = gen_seed(71, k);
    double v[3], w[3]; /* m/s, of the point 0.1 m below the centre; rad/s */
    for (int i = 0; i < 3; i++) {
        v[i] = gen_uniform(&g, -2, 2);
        w[i] = gen_uniform(&g, -4, 4);
    }
    v[2] = -gen_uniform(&g, 1, 5);
    for (int i = 0; i < 4; i++) {
        const double x = i < 2 ? -h[0] : h[0], y = i % 2 ? h[1] : -h[1];
        double *q = s.q + 3 * i; /* v + w x r */
        q[0] = v[2] + w[0] * y - w[1] * x;
        q[1] = v[0] - w[1] * h[2] - w[2] * y;
        q[2] = v[1] + w[2] * x + w[0] * h[2];
    }
    return s;
}

uchida_scene uchida_cradle(void) {
    uchida_scene s = {.nc = 4};
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
        contact[i] = (imp_contact){.a = i + 1,
                                   .b = i,
                                   .point = {-0.25 - 0.5 * i, 0, 0},
                                   .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        s.e[i] = 1;
    }
    (void)imp_delassus_dense(5, ball, 4, contact, s.W, s.q);
    return s;
}

/* The next data row of the table, split at tabs; the number of fields, 0 at the end. */
static int next_row(FILE *file, char line[LINE], char *field[FIELDS]) {
    do {
        if (!fgets(line, LINE, file)) return 0;
    } while (line[0] == '#' || strncmp(line, "case\t", 5) == 0);
    line[strcspn(line, "\n")] = 0;
    int count = 0;
    for (char *at = line; at && count < FIELDS;) {
        field[count++] = at;
        at = strchr(at, '\t');
        if (at) *at++ = 0;
    }
    return count;
}

/* Reads up to n comma-separated numbers, returns how many there are. */
static int numbers(const char *text, double *x, int n) {
    int count = 0;
    for (char *end; count < n; text = end + 1) {
        x[count++] = strtod(text, &end);
        if (*end != ',') break;
    }
    return count;
}

static void copy(char *to, size_t size, const char *from) {
    const size_t length = strlen(from) < size ? strlen(from) : size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

int uchida_read_interval(FILE *file, uchida_interval *row) {
    char line[LINE], *field[FIELDS];
    if (next_row(file, line, field) < 9) return 0;
    memset(row, 0, sizeof *row);
    copy(row->name, sizeof row->name, field[0]);
    row->round = (int)strtol(field[1], NULL, 10);
    row->alpha = strtod(field[3], NULL);
    copy(row->end, sizeof row->end, field[4]);
    copy(row->state, sizeof row->state, field[5]);
    numbers(field[6], row->e, UCHIDA_CONTACTS);
    permute(row->pi, numbers(field[7], row->pi, UCHIDA_ROWS));
    permute(row->v, numbers(field[8], row->v, UCHIDA_ROWS));
    return 1;
}

int uchida_read_random(FILE *file, uchida_random *row) {
    char line[LINE], *field[FIELDS];
    if (next_row(file, line, field) < 11) return 0;
    memset(row, 0, sizeof *row);
    uchida_scene *s = &row->scene;
    double A[UCHIDA_ROWS * UCHIDA_ROWS];
    copy(row->name, sizeof row->name, field[0]);
    s->nc = (int)strtol(field[1], NULL, 10);
    if (s->nc < 1 || s->nc > UCHIDA_CONTACTS) return 0;
    const int n = 3 * s->nc;
    for (int i = 0; i < s->nc; i++) {
        s->mu[i] = strtod(field[2], NULL);
        s->e[i] = strtod(field[3], NULL);
    }
    row->theta_max = strtod(field[4], NULL);
    if (numbers(field[5], A, n * n) < n * n) return 0;
    permute(A, n * n); /* columns, then rows */
    for (int r = 0; r < n; r++)
        memcpy(s->W + (3 * (r / 3) + (r + 1) % 3) * n, A + r * n, (size_t)n * sizeof *A);
    permute(s->q, numbers(field[6], s->q, n));
    row->intervals = (int)strtol(field[7], NULL, 10);
    row->rounds = (int)strtol(field[8], NULL, 10);
    permute(row->p, numbers(field[9], row->p, n));
    permute(row->u, numbers(field[10], row->u, n));
    return 1;
}
