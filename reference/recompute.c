/* recompute.c - recomputes the tables of reference/data in quadruple precision and says how far
 * they are off.
 *
 *     recompute [--write]      run in the root of the repository; --write puts the recomputed
 *                              numbers into the tables
 *
 * Prints one line per table; fails when a number is off by more than 1e-15 of its size: the largest
 * impulse of the problem, the largest of the terms a velocity or an energy is the sum of, itself
 * otherwise; times the condition number `sens` where the table has one. */
#include "reference/oracle/reduced.h"
#include "reference/oracle/sheet.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

/* A table under comparison: the row being looked at, the worst number so far and its row. */
typedef struct check {
    sheet *table;
    int row;
    real worst;
    int worst_row;
} check;

static void note(check *c, real off) {
    if (!isnan(off) && off <= c->worst) return;
    c->worst = isnan(off) ? INFINITY : off;
    c->worst_row = c->row;
}

static real number(const check *c, const char *name) {
    return sheet_number(c->table, c->row, name);
}

static bool says(const check *c, const char *name, const char *text) {
    return strcmp(sheet_text(c->table, c->row, name), text) == 0;
}

/* Compares a cell with ours and puts ours there. */
static void settle(check *c, const char *name, real ours, real size) {
    const real off = fabsl(number(c, name) - ours);
    note(c, off == 0 ? 0 : off / size);
    sheet_set(c->table, c->row, name, ours);
}

typedef struct contact {
    double W[6], q[3], mu;
} contact;

static const char *const W_names[] = {"W11", "W12", "W13", "W22", "W23", "W33"};
static const char *const q_names[] = {"q1", "q2", "q3"}, *const p_names[] = {"p1", "p2", "p3"};
static const char *const u_names[] = {"u1", "u2", "u3"};

static contact contact_of(const check *c) {
    contact result = {.mu = (double)number(c, "mu")};
    for (int i = 0; i < 6; i++)
        result.W[i] = (double)number(c, W_names[i]);
    for (int i = 0; i < 3; i++)
        result.q[i] = (double)number(c, q_names[i]);
    return result;
}

static real largest(const real *x, int n) {
    real big = 0;
    for (int i = 0; i < n; i++)
        big = fmaxl(big, fabsl(x[i]));
    return big;
}

/* Impulse, velocity and energy; `slack` times the precision is granted, `push` is the size of
 * impulses. */
static void settle_solution(check *c, const contact *at, const oracle_solution *s, real push,
                            real slack) {
    const double *W = at->W, full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    real velocity = 0, energy = 0;
    for (int i = 0; i < 3; i++) {
        real sum = fabs(at->q[i]);
        for (int j = 0; j < 3; j++)
            sum += fabsl(full[3 * i + j] * s->p[j]);
        velocity = fmaxl(velocity, sum);
        energy += fabsl(at->q[i] * s->p[i]);
    }
    for (int i = 0; i < 3; i++) {
        settle(c, p_names[i], s->p[i], slack * push);
        settle(c, u_names[i], s->u[i], slack * velocity);
    }
    settle(c, "energy", s->energy, slack * energy);
}

static void maxdiss(check *c) {
    const contact at = contact_of(c);
    const reduced r = reduced_from_double(at.W, at.q, at.mu, (double)number(c, "plane"));
    const oracle_solution s = reduced_maxdiss(&r);
    /* infinite on a discontinuity: exact data, to be met exactly */
    const real sens = number(c, "sens");
    if (!says(c, "leaf", s.kind)) note(c, INFINITY);
    settle_solution(c, &at, &s, largest(s.p, 3), isfinite(sens) ? fmaxl(1, sens) : 1);
    settle(c, "eccentricity", (real)r.ecc, (real)r.ecc);
}

static void coulomb(check *c) {
    const contact at = contact_of(c);
    const reduced r = reduced_from_double(at.W, at.q, at.mu, -at.q[0]);
    oracle_solution all[ORACLE_MOST];
    const int count = reduced_coulomb(&r, all), index = (int)number(c, "index");
    if (count != (int)number(c, "count") || index < 0 || index >= count ||
        !says(c, "kind", all[index].kind)) {
        note(c, INFINITY);
        return;
    }
    real push = 0;
    for (int k = 0; k < count; k++)
        push = fmaxl(push, largest(all[k].p, 3));
    settle_solution(c, &at, &all[index], push, 1);
    const oracle_solution best = reduced_maxdiss(&r);
    const quad det = r.H[0] * r.H[2] - r.H[1] * r.H[1];
    /* 2 sqrt(c)/(1 + c), c = cond(H) */
    const real unique = (real)(2 * quad_sqrt(det) / (r.H[0] + r.H[2]));
    settle(c, "kappa", all[index].multiplier, all[index].multiplier);
    settle(c, "eccentricity", (real)r.ecc, (real)r.ecc);
    settle(c, "unique_below", unique, unique);
    settle(c, "least_energy", best.energy, fabsl(best.energy));
}

/* Section 4.1: six mass points, the one on the positive x axis touching; every number of the body
 * as printed. */
static reduced academic(bool orthonormal, quad W[6], quad q[3]) {
    const quad mx = (quad)3 / 100, my = 65, mz = 50, dx = 10, mass = 2 * (mx + my + mz);
    const quad Iy = 2 * (mx * dx * dx + mz), Iz = 2 * (mx * dx * dx + my);
    /* 1/kg, along x, y, z */
    const quad K[3] = {1 / mass, 1 / mass + dx * dx / Iz, 1 / mass + dx * dx / Iy};
    /* minus the free velocity */
    const quad v[3] = {(quad)6 / 100, (quad)70 / 100, (quad)23 / 100};
    const quad up[3] = {(quad)25 / 100, (quad)36 / 100, -(quad)90 / 100};
    const quad length = quad_sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
    const quad n[3] = {up[0] / length, up[1] / length, up[2] / length},
               across = quad_sqrt(n[1] * n[1] + n[2] * n[2]);
    const quad scale = orthonormal ? 1 / across : 1; /* the paper's t = n x e_x is shorter than 1 */
    const quad t[3] = {0, scale * n[2], -scale * n[1]};
    const quad o[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                       n[0] * t[1] - n[1] * t[0]};
    const quad *const axis[3] = {n, t, o};
    for (int i = 0, k = 0; i < 3; i++) {
        q[i] = 0;
        for (int m = 0; m < 3; m++)
            q[i] -= axis[i][m] * v[m];
        for (int j = i; j < 3; j++, k++) {
            W[k] = 0;
            for (int m = 0; m < 3; m++)
                W[k] += axis[i][m] * K[m] * axis[j][m];
        }
    }
    return reduced_make(W, q, (quad)37 / 10, -q[0]);
}

/* Are the digits the paper prints, as "0.12 -0.44 -0.065", ours rounded? "-" where it prints
 * none. */
static bool printed(const char *text, const real *ours) {
    char *end;
    for (int i = 0; strcmp(text, "-") != 0 && *text; i++) {
        const real value = strtold(text, &end);
        const char *point = memchr(text, '.', (size_t)(end - text));
        const real unit = point ? powl(10, -(real)(end - point - 1)) : 1;
        if (!(fabsl(value - ours[i]) <= 0.5L * unit)) return false;
        text = *end ? end + 1 : end;
    }
    return true;
}

static void table1(check *c) {
    quad W[6], q[3];
    const reduced r = academic(says(c, "frame", "orthonormal"), W, q);
    contact at = {.mu = 3.7};
    for (int i = 0; i < 6; i++) {
        at.W[i] = (double)W[i];
        settle(c, W_names[i], (real)W[i], (real)quad_abs(W[i]));
    }
    for (int i = 0; i < 3; i++) {
        at.q[i] = (double)q[i];
        settle(c, q_names[i], (real)q[i], (real)quad_abs(q[i]));
    }
    oracle_solution all[ORACLE_MOST]; /* x1, x2, x3 of the paper by falling energy, then x* */
    const int count = reduced_coulomb(&r, all),
              number_of = sheet_text(c->table, c->row, "solution")[1] - '0';
    if (count != 3) note(c, INFINITY);
    const oracle_solution s =
        number_of >= 1 && number_of <= 3 ? all[3 - number_of] : reduced_maxdiss(&r);
    settle_solution(c, &at, &s, largest(s.p, 3), 1);
    settle(c, "multiplier", s.multiplier, s.multiplier);
    if (!printed(sheet_text(c->table, c->row, "printed_p"), s.p) ||
        !printed(sheet_text(c->table, c->row, "printed_u"), s.u) ||
        !printed(sheet_text(c->table, c->row, "printed_energy"), &s.energy))
        note(c, INFINITY);
}

int main(int argc, char **argv) {
    static const struct {
        const char *path;
        void (*row)(check *c);
    } tables[] = {{"reference/data/preclik2017_table1.tsv", table1},
                  {"reference/data/preclik2017_maxdiss.tsv", maxdiss},
                  {"reference/data/preclik2017_coulomb.tsv", coulomb}};
    const bool write = argc == 2 && strcmp(argv[1], "--write") == 0;
    bool good = true;
    if (argc > 2 || (argc == 2 && !write)) {
        (void)fputs("usage: recompute [--write]\n", stderr);
        return 2;
    }
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        check c = {.table = sheet_read(tables[k].path)};
        if (!c.table) {
            (void)fprintf(stderr, "%s: cannot be read as a table\n", tables[k].path);
            return 2;
        }
        for (c.row = 0; c.row < c.table->rows; c.row++)
            tables[k].row(&c);
        const bool agrees = c.table->rows > 0 && c.worst <= 1e-15L;
        printf("%-40s %4d rows, worst deviation %.2Lg in row %d: %s\n", tables[k].path,
               c.table->rows, c.worst, c.worst_row + 1, agrees ? "agrees" : "DISAGREES");
        good = good && agrees;
        if (write && sheet_write(c.table, tables[k].path) != 0) {
            (void)fprintf(stderr, "%s: cannot be written\n", tables[k].path);
            return 2;
        }
        sheet_free(c.table);
    }
    return good ? 0 : 1;
}
