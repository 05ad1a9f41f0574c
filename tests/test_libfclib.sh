#!/bin/sh
# The field's own library reads what we write, and we read what it writes: local and global problems, guesses, solutions.
cd "$(dirname "$0")/.." || exit 1
program=$(cd "${BUILD:-build}" && pwd)/impact || exit 1
CC=${CC:-gcc}
pkg-config --exists fclib 2> /dev/null || { echo '1..0 # SKIP no libfclib (Debian: libfclib-dev)'; exit; }
. tests/check.sh
cd "$work" || exit 1

cat > peer.c << 'END_C'
/* peer copy FROM TO      a problem with its guess and solution, read and written by libfclib
 * peer judge FILE        u = W r + q of the solution there, or M v = H r + f and u = H'v + w
 * peer make TO           a global problem of one unit cube on two contacts */
#include <fclib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y += A x or A'x; triplets hold columns in p and rows in i. */
static void multiply(const struct fclib_matrix *A, const double *x, double *y, int transposed) {
    const int entries = A->nz >= 0 ? A->nz : A->p[A->nz == -1 ? A->n : A->m];
    for (int k = 0, line = 0; k < entries; k++) {
        while (A->nz < 0 && k >= A->p[line + 1]) line++;
        int row = A->i[k], column = A->nz >= 0 ? A->p[k] : line;
        if (A->nz == -2) { row = line; column = A->i[k]; }
        y[transposed ? column : row] += A->x[k] * x[transposed ? row : column];
    }
}

static int apart(const double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-12 * (1 + fabs(a[i])))) return printf("entry %d: %g, %g\n", i, a[i], b[i]);
    return 0;
}

static int judge(const char *path, int global) {
    struct fclib_solution *s = fclib_read_solution(path);
    if (!s) return puts("no solution");
    if (!global) {
        struct fclib_local *p = fclib_read_local(path);
        double *u = malloc((size_t)p->W->m * sizeof *u);
        memcpy(u, p->q, (size_t)p->W->m * sizeof *u);
        multiply(p->W, s->r, u, 0);
        return apart(u, s->u, p->W->m);
    }
    struct fclib_global *p = fclib_read_global(path);
    double *left = calloc((size_t)p->M->m, sizeof *left), *right = malloc((size_t)p->M->m * sizeof *right);
    double *u = malloc((size_t)p->H->n * sizeof *u);
    memcpy(right, p->f, (size_t)p->M->m * sizeof *right);
    multiply(p->H, s->r, right, 0);
    multiply(p->M, s->v, left, 0);
    memcpy(u, p->w, (size_t)p->H->n * sizeof *u);
    multiply(p->H, s->v, u, 1);
    return apart(left, right, p->M->m) || apart(u, s->u, p->H->n);
}

static int copy(const char *from, const char *to, int global) {
    int guesses = 0;
    struct fclib_solution *guess = fclib_read_guesses(from, &guesses), *solution = fclib_read_solution(from);
    const int wrote = global ? fclib_write_global(fclib_read_global(from), to) : fclib_write_local(fclib_read_local(from), to);
    if (!wrote) return puts("not written");
    if (solution && !fclib_write_solution(solution, to)) return puts("no solution written");
    return guesses > 0 && guess && !fclib_write_guesses(guesses, guess, to) ? puts("no guess written") : 0;
}

static struct fclib_matrix *triplets(int m, int n, int nz, int *row, int *column, double *x) {
    struct fclib_matrix *A = calloc(1, sizeof *A);
    A->m = m; A->n = n; A->nz = A->nzmax = nz; A->p = column; A->i = row; A->x = x;
    return A;
}

static int make(const char *to) {
    static int d[6] = {0, 1, 2, 3, 4, 5};
    static double mass[6] = {1, 1, 1, 1. / 6, 1. / 6, 1. / 6}, f[6] = {0.3, 0, -1, 0, 0.1, 0}, w[6] = {0}, mu[2] = {0.4, 0.2};
    static int row[16], column[16];
    static double x[16];
    int k = 0;
    for (int c = 0; c < 2; c++) { /* points (+-1/2, 0, -1/2); axes z, x, y; moments arm x axis */
        const double arm[3] = {c ? 0.5 : -0.5, 0, -0.5}, axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < 6; i++) {
                const int j = (i + 1) % 3, l = (i + 2) % 3;
                const double value = i < 3 ? axes[a][i] : arm[j] * axes[a][l] - arm[l] * axes[a][j];
                if (value == 0) continue;
                row[k] = i; column[k] = 3 * c + a; x[k++] = value;
            }
    }
    struct fclib_global p = {.M = triplets(6, 6, 6, d, d, mass), .H = triplets(6, 6, k, row, column, x),
                             .mu = mu, .f = f, .w = w, .spacedim = 3};
    return fclib_write_global(&p, to) ? 0 : puts("not written");
}

int main(int argc, char **argv) {
    const int global = argc > 2 && strstr(argv[2], "global") != NULL;
    if (argc > 2 && strcmp(argv[1], "make") == 0) return make(argv[2]) != 0;
    if (argc > 2 && strcmp(argv[1], "judge") == 0) return judge(argv[2], global) != 0;
    return argc > 3 ? copy(argv[2], argv[3], global) != 0 : 2;
}
END_C
check 'a program on libfclib' $CC -std=gnu11 $(pkg-config --cflags fclib hdf5-serial 2> /dev/null) peer.c -o peer \
    $(pkg-config --libs fclib) $(pkg-config --libs hdf5-serial 2> /dev/null) -lm
[ -x peer ] || { echo "1..$count"; exit; }

cat > pair.json << 'END_JSON'
{"n": 2, "blocks": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]], [0, 1, [0.1,0,0, 0,0.2,0, 0,0,0]]],
 "q": [-1, 0.5, 0, -1, 0, 0.5], "mu": [0.3, 0.7], "guess": [0.5,0,0, 0.5,0,0]}
END_JSON
same() { cmp "$1" "$2"; }
text() { "$program" convert "$1" "$2"; }
check 'ours: a local problem' "$program" convert pair.json ours-local.hdf5
check 'solved' "$program" solve --model auto -o solved-local.hdf5 ours-local.hdf5
check 'libfclib finds u = W r + q' ./peer judge solved-local.hdf5
check 'and writes it again' ./peer copy solved-local.hdf5 theirs-local.hdf5
check 'its file judged here' "$program" check --model auto --tol 1e-8 ours-local.hdf5 theirs-local.hdf5
check 'ours as text' text ours-local.hdf5 ours.json
check 'theirs as text' text theirs-local.hdf5 theirs.json
check 'the same bits, the guess among them' same ours.json theirs.json

check 'theirs: a global problem' ./peer make theirs-global.hdf5
check 'solved here' "$program" solve --model auto -o solved-global.hdf5 theirs-global.hdf5
check 'judged here' "$program" check --model auto --tol 1e-8 theirs-global.hdf5 solved-global.hdf5
check "libfclib finds M v = H r + f and u = H'v + w" ./peer judge solved-global.hdf5
check 'and writes it again' ./peer copy solved-global.hdf5 again-global.hdf5
check 'which is a solved problem here' "$program" check --model auto --tol 1e-8 again-global.hdf5 again-global.hdf5
echo "1..$count"
