/* quasi_definite_plan.c - AMD's ordering, elimination tree, fronts.
 *
 * Amestoy, Davis, Duff (2004), "Algorithm 837: AMD"; fronts are merged with their last child where
 * that leaves few zeros in them, by the rule of CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008,
 * section 2). */
#include "linear/quasi_definite_plan.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/ldl.h>

/* Columns while they become fronts. */
typedef struct tree {
    int n;
    int *parent, *count;      /* (n) elimination tree; entries of L below the diagonal */
    int *head, *next, *stack; /* (n) children of a node as lists, and a stack */
    int *relabel;             /* (n) */
    double *zeros;            /* (n) of a front, so far */
} tree;

/* relabel <- the place of each node in a postorder: a depth-first walk. */
static void postorder(tree *t) {
    int placed = 0;
    for (int j = 0; j < t->n; j++)
        t->head[j] = -1;
    for (int j = t->n - 1; j >= 0; j--) /* lists in ascending order */
        if (t->parent[j] >= 0) {
            t->next[j] = t->head[t->parent[j]];
            t->head[t->parent[j]] = j;
        }
    for (int root = 0; root < t->n; root++) {
        if (t->parent[root] >= 0) continue;
        int depth = 0;
        t->stack[depth++] = root;
        while (depth > 0) {
            const int j = t->stack[depth - 1], child = t->head[j];
            if (child >= 0) {
                t->head[j] = t->next[child];
                t->stack[depth++] = child;
            } else {
                t->relabel[j] = placed++;
                depth--;
            }
        }
    }
}

/* Renumbers all that goes by columns: old order, parents, counts. */
static void apply_postorder(quasi_definite_plan *p, tree *t) {
    const size_t bytes = (size_t)p->n * sizeof(int);
    int *from = t->stack;
    memcpy(from, p->order, bytes);
    for (int j = 0; j < p->n; j++)
        p->order[t->relabel[j]] = from[j];
    for (int j = 0; j < p->n; j++)
        p->place[p->order[j]] = j;
    memcpy(from, t->parent, bytes);
    for (int j = 0; j < p->n; j++)
        t->parent[t->relabel[j]] = from[j] < 0 ? -1 : t->relabel[from[j]];
    memcpy(from, t->count, bytes);
    for (int j = 0; j < p->n; j++)
        t->count[t->relabel[j]] = from[j];
}

/* May a front of `width` columns of which a share is zeros be? */
static bool allowed(int width, double share) {
    return width <= 4 || (width <= 16 && share < 0.8) || (width <= 48 && share < 0.1) ||
           share < 0.05;
}

/* first, fronts: each column joins the front before it, then whole fronts their last child's, while
 * that is allowed. */
static void find_fronts(quasi_definite_plan *p, const tree *t) {
    int *first = p->first, count = 0;
    for (int j = 0; j < p->n; j++) {
        int begin = j;
        double zeros = 0;
        while (count > 0) {
            const int low = first[count - 1], last = begin - 1; /* the front before */
            if (t->parent[last] < 0 || t->parent[last] > j) break;
            const int height = t->count[j], width = j + 1 - low;
            const double more = (double)(begin - low) * (j + 1 - begin + height - t->count[last]);
            const double total = (double)width * (width + 1) / 2 + (double)width * height;
            if (more > 0 && !allowed(width, (zeros + more + t->zeros[count - 1]) / total)) break;
            zeros += more + t->zeros[--count];
            begin = low;
        }
        first[count] = begin;
        t->zeros[count++] = zeros;
    }
    first[count] = p->n;
    p->fronts = count;
}

static int ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The rows of front f below its columns: those of the matrix and of its children. head, next:
 * children's lists. */
static bool find_rows(quasi_definite_plan *p, const int *start, const int *row, int f,
                      const tree *t, size_t *room) {
    const int begin = p->first[f], end = p->first[f + 1];
    int *mark = t->stack;
    size_t count = p->below[f];
    p->children[f] = 0;
    if (*room < count + (size_t)p->n) {
        *room = 2 * *room + (size_t)p->n;
        int *more = realloc(p->row, *room * sizeof *more);
        if (!more) return false;
        p->row = more;
    }
    for (int j = begin; j < end; j++)
        for (int k = start[p->order[j]]; k < start[p->order[j] + 1]; k++) {
            const int i = p->place[row[k]];
            if (i < end || mark[i] == f) continue;
            mark[i] = f;
            p->row[count++] = i;
        }
    for (int c = t->head[f]; c >= 0; c = t->next[c]) {
        p->children[f]++;
        for (size_t k = p->below[c]; k < p->below[c + 1]; k++) {
            const int i = p->row[k];
            if (i < end || mark[i] == f) continue;
            mark[i] = f;
            p->row[count++] = i;
        }
    }
    p->below[f + 1] = count;
    qsort(p->row + p->below[f], count - p->below[f], sizeof *p->row, ascending);
    return true;
}

/* The fronts' rows, one after the other; each tells its parent, the front of its first row. */
static bool find_all_rows(quasi_definite_plan *p, const int *start, const int *row, tree *t) {
    int *front_of = t->relabel;
    size_t room = 0;
    for (int f = 0; f < p->fronts; f++) {
        t->head[f] = -1;
        for (int j = p->first[f]; j < p->first[f + 1]; j++) {
            front_of[j] = f;
            t->stack[j] = -1;
        }
    }
    p->below[0] = 0;
    for (int f = 0; f < p->fronts; f++) {
        if (!find_rows(p, start, row, f, t, &room)) return false;
        if (p->below[f + 1] == p->below[f]) continue;
        const int parent = front_of[p->row[p->below[f]]];
        t->next[f] = t->head[parent];
        t->head[parent] = f;
    }
    return true;
}

static size_t square(size_t a) {
    return a * a;
}

/* Sizes of panels, stack and work; `top` (fronts) room. */
static void measure(quasi_definite_plan *p, size_t *top) {
    size_t depth = 0, filled = 0;
    p->panel[0] = 0;
    for (int f = 0; f < p->fronts; f++) {
        const size_t width = (size_t)(p->first[f + 1] - p->first[f]),
                     height = p->below[f + 1] - p->below[f];
        const size_t most = width * height + square(width) / 4 + width + height;
        p->panel[f + 1] = p->panel[f] + width * (width + height);
        p->work = most > p->work ? most : p->work;
        filled += square(height);
        p->stack = filled > p->stack ? filled : p->stack;
        for (int c = 0; c < p->children[f]; c++)
            filled -= top[--depth];
        if (height > 0) top[depth++] = square(height); /* a root leaves nothing */
    }
}

bool imp_quasi_definite_make_plan(int n, const int *start, const int *row, quasi_definite_plan *p) {
    const size_t N = (size_t)n;
    *p = (quasi_definite_plan){.n = n};
    p->order = malloc((4 * N + 1) * sizeof *p->order);
    p->below = malloc(2 * (N + 1) * sizeof *p->below);
    int *ints = malloc((7 * N + 1) * sizeof *ints);
    double *zeros = malloc((N + 1) * sizeof *zeros);
    size_t *top = calloc(N + 1, sizeof *top);
    bool good = p->order && p->below && ints && zeros && top;
    if (good) {
        p->place = p->order + N;
        p->children = p->place + N;
        p->first = p->children + N;
        p->panel = p->below + N + 1;
        tree t = {n, ints, ints + N, ints + 2 * N, ints + 3 * N, ints + 4 * N, ints + 5 * N, zeros};
        int *total = ints + 6 * N, *start_too, *row_too; /* LDL reads the pattern, though it does
                                                            not say so */
        memcpy(&start_too, &start, sizeof start);
        memcpy(&row_too, &row, sizeof row);
        good = amd_order(n, start, row, p->order, NULL, NULL) >= AMD_OK;
        if (good)
            ldl_symbolic(n, start_too, row_too, total, t.parent, t.count, t.stack, p->order,
                         p->place);
        good = good && total[n] >= 0;
        if (good) {
            postorder(&t);
            apply_postorder(p, &t);
            find_fronts(p, &t);
            good = find_all_rows(p, start, row, &t);
        }
        if (good) measure(p, top);
    }
    free(ints);
    free(zeros);
    free(top);
    return good;
}

void imp_quasi_definite_unplan(quasi_definite_plan *p) {
    free(p->order);
    free(p->below);
    free(p->row);
    *p = (quasi_definite_plan){0};
}
