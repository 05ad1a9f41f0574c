/* darboux_process.c - where a Darboux-Keller process is to stop, and what is kept of its path. */
#include "single/darboux_process.h"

double imp_process_goal(const imp_process *p) {
    switch (p->law) {
    case IMP_STRONGE: return -p->e * p->e * p->work[0];
    case IMP_POISSON: return (1 + p->e) * p->squeeze;
    case IMP_NEWTON: return -p->e * p->uz_start;
    case IMP_COMPLIANT: break;
    }
    return 0;
}

void imp_process_point(const imp_process *p) {
    imp_darboux_path *path = p->path;
    if (!path || path->count >= path->capacity) return;
    const bool free = p->mu == 0;
    path->points[path->count++] =
        (imp_darboux_point){{p->pz, p->pt[0], p->pt[1]},
                            {p->uz, free ? p->v[0] + p->b[0] * p->pz : p->r * p->w[0],
                             free ? p->v[1] + p->b[1] * p->pz : p->r * p->w[1]}};
}

void imp_process_mark(imp_process *p, char kind) {
    imp_darboux_path *path = p->path;
    if (!path) return;
    const bool first = path->segments == 0;
    if (path->segments < IMP_DARBOUX_SEGMENTS &&
        (first || p->pz > path->segment[path->segments - 1].p_n))
        path->segment[path->segments++] =
            (imp_darboux_segment){kind, p->opening ? 'D' : 'C', p->pz};
    imp_process_point(p);
}

bool imp_process_cross(imp_process *p, char kind) {
    imp_process_mark(p, kind);
    if (!p->opening) p->squeeze += p->pz - p->closed;
    p->closed = p->pz;
    p->opening = !p->opening;
    return p->opening && p->e == 0;
}
