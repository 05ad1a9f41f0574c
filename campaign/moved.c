/* moved.c - momenta, energies, masses and contact rows of a world, link by link. */
#include "campaign/moved.h"

#include "base/vec3.h"

#include <math.h>
#include <string.h>

static const imp_link *link_of(const imp_world *w, int i) {
    return imp_tree_link(w->tree[w->tree_of[i]], w->link_of[i]);
}

/* velocity <- of a point that a link carries. */
static void velocity_at(const imp_link_state *s, const double point[3], double velocity[3]) {
    double arm[3];
    sub3(point, s->origin, arm);
    memcpy(velocity, s->velocity, sizeof s->velocity);
    add_cross3(s->spin, arm, velocity);
}

moved_tree moved_of(const imp_world *w, int t) {
    moved_tree m = {.floats = imp_tree_link(w->tree[t], 0)->joint == IMP_FREE};
    double fastest = 0, reach = 0, spread = 0, spin = 0, turning = 0;
    const double *root = imp_tree_state(w->tree[t], 0)->origin;
    for (int i = 0; i < imp_tree_links(w->tree[t]); i++) {
        const imp_link_state *s = imp_tree_state(w->tree[t], i);
        const double mass = imp_tree_link(w->tree[t], i)->mass;
        double velocity[3], own[3], arm[3];
        velocity_at(s, s->com, velocity);
        apply3(s->inertia, s->spin, own);
        m.mass += mass;
        add3(mass, s->com, m.com);
        add3(mass, velocity, m.linear);
        add3(1, own, m.angular);
        cross3(s->com, velocity, arm);
        add3(mass, arm, m.angular);
        m.kinetic += 0.5 * (mass * dot3(velocity, velocity) + dot3(s->spin, own));
        turning += (s->inertia[0] + s->inertia[4] + s->inertia[8]) * norm3(s->spin);
        fastest = fmax(fastest, norm3(velocity));
        reach = fmax(reach, norm3(s->com));
        spin = fmax(spin, norm3(s->spin));
        sub3(s->com, root, arm);
        spread = fmax(spread, norm3(arm));
    }
    for (int k = 0; k < 3; k++)
        m.com[k] /= m.mass;
    m.linear_size = m.mass * (fastest + spin * spread);
    m.angular_size = m.linear_size * (reach + spread) + turning;
    return m;
}

static bool factor(moved_basis *b) {
    const int n = b->nv;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double rest = b->H[i * n + j];
            for (int k = 0; k < j; k++)
                rest -= b->L[i * n + k] * b->L[j * n + k];
            if (i == j && !(rest > 0)) return false;
            b->L[i * n + j] = i == j ? sqrt(rest) : rest / b->L[j * n + j];
            if (i == j) b->condition = fmax(b->condition, b->H[i * n + i] / rest);
        }
    return true;
}

void moved_solve(const moved_basis *b, double *x) {
    const int n = b->nv;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= b->L[i * n + k] * x[k];
        x[i] /= b->L[i * n + i];
    }
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            x[i] -= b->L[k * n + i] * x[k];
        x[i] /= b->L[i * n + i];
    }
}

bool moved_basis_of(imp_world *w, moved_basis *b) {
    const int n = w->nv;
    double v[GEN_WORLD_NV];
    memcpy(v, w->v, (size_t)n * sizeof *v);
    b->nv = n, b->nl = w->nl, b->condition = 1;
    for (int k = 0; k < n; k++) {
        memset(w->v, 0, (size_t)n * sizeof *w->v);
        w->v[k] = 1;
        imp_world_place(w);
        for (int i = 0; i < w->nl; i++) {
            const imp_link_state *s = imp_world_state(w, i);
            velocity_at(s, s->com, b->rate[k][i]);
            memcpy(b->rate[k][i] + 3, s->spin, sizeof s->spin);
        }
    }
    memcpy(w->v, v, (size_t)n * sizeof *v);
    imp_world_place(w);
    memset(b->H, 0, sizeof b->H);
    for (int i = 0; i < w->nl; i++)
        for (int k = 0; k < n; k++) {
            double own[3];
            apply3(imp_world_state(w, i)->inertia, b->rate[k][i] + 3, own);
            for (int j = 0; j < n; j++)
                b->H[k * n + j] += link_of(w, i)->mass * dot3(b->rate[k][i], b->rate[j][i]) +
                                   dot3(own, b->rate[j][i] + 3);
        }
    return factor(b);
}

void moved_row(const imp_world *w, const moved_basis *b, const imp_contact *c, int r, double *row,
               double *size) {
    const double *axis = c->frame + 3 * (size_t)r;
    for (int k = 0; k < b->nv; k++) {
        row[k] = size[k] = 0;
        for (int side = 0; side < 2; side++) {
            const int link = side ? c->b : c->a;
            double arm[3], velocity[3];
            if (link == IMP_GROUND) continue;
            memcpy(velocity, b->rate[k][link], sizeof velocity);
            sub3(c->point, imp_world_state(w, link)->com, arm);
            add_cross3(b->rate[k][link] + 3, arm, velocity);
            row[k] += (side ? 1 : -1) * dot3(axis, velocity);
            size[k] += norm3(b->rate[k][link]) +
                       norm3(b->rate[k][link] + 3) *
                           (norm3(c->point) + norm3(imp_world_state(w, link)->com));
        }
    }
}
