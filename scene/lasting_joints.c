/* lasting_joints.c - joints that rub, as rows beside the contacts that last. */
#include "scene/lasting.h"

#include "scene/speeds.h"

#include <math.h>
#include <string.h>

static double *of_joint(const scene_lasting *l, double *rows, int j) {
    return rows + (size_t)j * (size_t)l->nv;
}

static double along(const scene_lasting *l, const double *row, const double *v) {
    double sum = 0;
    for (int k = 0; k < l->nv; k++)
        sum += row[k] * v[k];
    return sum;
}

imp_status scene_lasting_joints(scene_lasting *l) {
    const scene *s = l->s;
    imp_status status = IMP_OK;
    for (int j = 0; j < l->joints && status == IMP_OK; j++) {
        double *row = of_joint(l, l->row, j), *gives = of_joint(l, l->gives, j);
        memset(row, 0, (size_t)l->nv * sizeof *row);
        if (l->joint[j] < l->nv)
            row[l->joint[j]] = 1;
        else
            imp_loops_slip(s->loops, l->joint[j] - l->nv, row);
        memcpy(gives, row, (size_t)l->nv * sizeof *row);
        imp_tree_solve(s->tree, gives);
        l->own[l->nc + j] = along(l, row, gives);
        if (s->loops) status = imp_loops_velocity(s->loops, gives);
        l->u[3 * l->nc + j] = along(l, row, imp_tree_velocity(s->tree));
    }
    return status;
}

void scene_lasting_viscous(const scene_lasting *l, double *force) {
    for (int j = 0; j < l->joints; j++) {
        const double *row = of_joint(l, l->row, j),
                     torque = -l->s->mu_v[l->joint[j]] * l->u[3 * l->nc + j];
        for (int k = 0; k < l->nv; k++)
            force[k] += torque * row[k];
    }
}

/* W's rows of contacts as they stand in the whole. */
static void spread_out(scene_lasting *l) {
    const size_t contacts = 3 * (size_t)l->nc, n = (size_t)scene_lasting_rows(l);
    for (size_t r = contacts; r-- > 0;)
        memmove(l->W + r * n, l->W + r * contacts, contacts * sizeof *l->W);
}

/* row (nv) <- the velocity along direction r of contact i, of v. */
static void contact_row(const scene_lasting *l, int i, int r, double *row) {
    const imp_contact *c = &l->contact[i];
    const double *n = c->frame + 3 * r, minus[3] = {-n[0], -n[1], -n[2]};
    memset(row, 0, (size_t)l->nv * sizeof *row);
    if (c->b != IMP_GROUND) imp_tree_push(l->s->tree, c->b, c->point, n, row);
    if (c->a != IMP_GROUND) imp_tree_push(l->s->tree, c->a, c->point, minus, row);
}

void scene_lasting_measure(scene_lasting *l) {
    double *row = l->work, *gives = row + l->nv;
    for (int i = 0; i < l->nc; i++) {
        l->own[i] = 0;
        for (int r = 0; r < 3; r++) {
            contact_row(l, i, r, row);
            memcpy(gives, row, (size_t)l->nv * sizeof *row);
            imp_tree_solve(l->s->tree, gives);
            l->own[i] += along(l, row, gives) / 3;
        }
    }
}

void scene_lasting_join(scene_lasting *l) {
    const size_t contacts = 3 * (size_t)l->nc, n = (size_t)scene_lasting_rows(l);
    if (l->joints == 0) return;
    spread_out(l);
    for (size_t r = 0; r < n; r++) {
        const int own = (int)r - (int)contacts;
        if (own < 0) contact_row(l, (int)r / 3, (int)r % 3, l->work);
        const double *row = own < 0 ? l->work : of_joint(l, l->row, own);
        for (int j = 0; j < l->joints; j++) {
            const double W = along(l, row, of_joint(l, l->gives, j));
            l->W[r * n + contacts + (size_t)j] = W;
            l->W[(contacts + (size_t)j) * n + r] = W;
        }
    }
    for (int j = 0; j < l->joints; j++) {
        const int loop = l->joint[j] - l->nv;
        l->b[3 * l->nc + j] = along(l, of_joint(l, l->row, j), l->free) +
                              (loop < 0 ? 0 : imp_loops_slip_bias(l->s->loops, loop));
    }
}

/* The rate of a joint is g' H v, g what its unit torque gives: the sum of its terms, each as large
 * as it is. */
static double momenta(const scene_lasting *l, const double *g) {
    const double *v = imp_tree_velocity(l->s->tree);
    double sum = 0;
    for (int k = 0; k < l->nv; k++) {
        const double *H = l->H + (size_t)k * (size_t)l->nv;
        for (int m = 0; m < l->nv && g[k] != 0; m++)
            sum += fabs(g[k] * H[m] * v[m]);
    }
    return sum;
}

/* By the impulses that would stop the bodies at their contacts. */
static double shocks(const scene_lasting *l, int j, const double *speed) {
    const size_t contacts = 3 * (size_t)l->nc, n = (size_t)scene_lasting_rows(l);
    double sum = 0;
    for (size_t r = 0; r < contacts; r++) {
        const imp_contact *c = &l->contact[r / 3];
        const double *W = l->W + r * n;
        if (W[r] > 0) sum += fabs(W[contacts + (size_t)j]) / W[r] * scene_larger(speed, c->a, c->b);
    }
    return sum;
}

void scene_lasting_sizes(scene_lasting *l, const double *speed, double *size) {
    if (l->joints > 0) imp_tree_mass_matrix(l->s->tree, l->H);
    for (int j = 0; j < l->joints; j++)
        size[j] = fmax(size[j], momenta(l, of_joint(l, l->gives, j)) + shocks(l, j, speed));
}
