/* system.c - which spheres may touch, how they do, and the forces between them. */
#include "compliant/system.h"

#include "multibody/box.h"
#include "base/vec3.h"

#include <stdlib.h>
#include <string.h>

/* The link itself, or the one it is welded to in the end. */
static int anchor(const imp_tree *tree, int link) {
    while (link != IMP_GROUND && imp_tree_link(tree, link)->joint == IMP_WELD)
        link = imp_tree_link(tree, link)->parent;
    return link;
}

/* The same, but what is welded to the ground stands for itself, with what is welded to it: it stops
 * what the ground, or another that stands there, holds by a joint. */
static int piece(const imp_tree *tree, int link) {
    while (link != IMP_GROUND && imp_tree_link(tree, link)->joint == IMP_WELD &&
           imp_tree_link(tree, link)->parent != IMP_GROUND)
        link = imp_tree_link(tree, link)->parent;
    return link;
}

/* Can two links move against each other, and are they not neighbours at a joint? */
static bool may_touch(const imp_tree *tree, int a, int b) {
    if (anchor(tree, a) == anchor(tree, b)) return false;
    a = piece(tree, a);
    b = piece(tree, b);
    if (a == IMP_GROUND || b == IMP_GROUND) return true;
    return piece(tree, imp_tree_link(tree, a)->parent) != b &&
           piece(tree, imp_tree_link(tree, b)->parent) != a;
}

static bool is_box(const compliant_sphere *s) {
    return norm3(s->half) > 0;
}

/* Two spheres, or a sphere and a box, which is A then. */
static compliant_pair pair_of(const compliant_system *s, int a, int b, double transition) {
    if (is_box(&s->spheres[b])) return pair_of(s, b, a, transition);
    const compliant_sphere *A = &s->spheres[a], *B = &s->spheres[b];
    const double radius = is_box(A) ? B->radius : A->radius * B->radius / (A->radius + B->radius);
    return (compliant_pair){-1, a, b,
                            compliant_law_of(&A->material, &B->material, radius, transition)};
}

/* The pairs, NULL: only how many there are; counting stops beyond COMPLIANT_PAIRS. */
static int list_pairs(const compliant_system *s, double transition, compliant_pair *pairs) {
    int count = 0;
    for (int b = 0; b < s->nspheres && count <= COMPLIANT_PAIRS; b++) {
        const compliant_sphere *B = &s->spheres[b];
        const bool lands = !is_box(B) && anchor(s->tree, B->link) != IMP_GROUND;
        for (int p = 0; p < s->nplanes && lands; p++, count++)
            if (pairs)
                pairs[count] = (compliant_pair){
                    p, -1, b,
                    compliant_law_of(&s->planes[p].material, &B->material, B->radius, transition)};
        for (int a = 0; a < b && count <= COMPLIANT_PAIRS; a++) {
            const compliant_sphere *A = &s->spheres[a];
            if (!may_touch(s->tree, A->link, B->link) || A->corner || B->corner) continue;
            if (is_box(A) && is_box(B)) continue;
            if (pairs) pairs[count] = pair_of(s, a, b, transition);
            count++;
        }
    }
    return count;
}

imp_status compliant_system_init(compliant_system *system, imp_tree *tree, const double gravity[3],
                                 int nspheres, const compliant_sphere *spheres, int nplanes,
                                 const compliant_plane *planes, double transition) {
    *system = (compliant_system){.tree = tree, .nspheres = nspheres, .nplanes = nplanes};
    memcpy(system->gravity, gravity, sizeof system->gravity);
    system->spheres = calloc((size_t)nspheres + 1, sizeof *spheres);
    system->planes = calloc((size_t)nplanes + 1, sizeof *planes);
    if (!system->spheres || !system->planes) {
        compliant_system_clear(system);
        return IMP_NO_MEMORY;
    }
    if (nspheres) memcpy(system->spheres, spheres, (size_t)nspheres * sizeof *spheres);
    if (nplanes) memcpy(system->planes, planes, (size_t)nplanes * sizeof *planes);
    for (int i = 0; i < nplanes; i++) {
        /* of its points the one that rounds least: how far along itself it was given is nothing */
        compliant_plane *own = &system->planes[i];
        const double height = dot3(own->point, own->normal);
        for (int k = 0; k < 3; k++)
            own->point[k] = height * own->normal[k];
    }
    system->npairs = list_pairs(system, transition, NULL);
    const bool many = system->npairs > COMPLIANT_PAIRS;
    if (!many) system->pairs = calloc((size_t)system->npairs + 1, sizeof *system->pairs);
    if (!system->pairs) {
        compliant_system_clear(system);
        return many ? IMP_BAD_ARGUMENT : IMP_NO_MEMORY;
    }
    list_pairs(system, transition, system->pairs);
    return IMP_OK;
}

/* What links are where loops weld some, too: the piece of each, known by one of its links, and
 * which of those stand on the ground. */
typedef struct rigid {
    int *piece;  /* (links) */
    bool *fixed; /* (links) */
    bool welds;  /* loops weld some to others */
} rigid;

static int piece_of(const rigid *r, int link) {
    return link == IMP_GROUND ? link : r->piece[link];
}

/* Welds of loops to the ground make no piece of it, as those of trees do not. */
static void find_pieces(const compliant_system *s, rigid *r) {
    const int links = imp_tree_links(s->tree);
    for (int i = 0; i < links; i++)
        r->piece[i] = piece(s->tree, i);
    for (int i = 0; i < imp_loops_count(s->loops); i++) {
        const imp_loop *l = imp_loops_at(s->loops, i);
        if (l->kind != IMP_LOOP_WELD || l->a == IMP_GROUND || l->b == IMP_GROUND) continue;
        const int from = r->piece[l->b], to = r->piece[l->a];
        for (int k = 0; k < links; k++)
            if (r->piece[k] == from) r->piece[k] = to;
        r->welds = true;
    }
    for (int i = 0; i < links; i++)
        if (anchor(s->tree, i) == IMP_GROUND) r->fixed[r->piece[i]] = true;
    for (int i = 0; i < imp_loops_count(s->loops); i++) {
        const imp_loop *l = imp_loops_at(s->loops, i);
        if (l->kind == IMP_LOOP_WELD && (l->a == IMP_GROUND || l->b == IMP_GROUND))
            r->fixed[r->piece[l->a == IMP_GROUND ? l->b : l->a]] = true;
    }
}

/* Are two pieces held together by a joint? Those that a tree's joint holds as it stands have no
 * pair. */
static bool joined(const compliant_system *s, const rigid *r, int a, int b) {
    for (int i = 0; i < imp_loops_count(s->loops); i++) {
        const imp_loop *l = imp_loops_at(s->loops, i);
        const int A = piece_of(r, l->a), B = piece_of(r, l->b);
        if (l->kind != IMP_LOOP_ROLLING && ((A == a && B == b) || (A == b && B == a))) return true;
    }
    for (int i = 0; r->welds && i < imp_tree_links(s->tree); i++) {
        const int A = r->piece[i], B = piece_of(r, imp_tree_link(s->tree, i)->parent);
        if ((A == a && B == b) || (A == b && B == a)) return true;
    }
    return false;
}

imp_status compliant_system_join(compliant_system *s, imp_loops *loops) {
    const size_t links = (size_t)imp_tree_links(s->tree);
    rigid r = {.piece = calloc(links, sizeof *r.piece), .fixed = calloc(links, sizeof *r.fixed)};
    int kept = 0;
    s->loops = loops;
    if (r.piece && r.fixed) find_pieces(s, &r);
    for (int i = 0; i < s->npairs && r.piece && r.fixed; i++) {
        const compliant_pair *p = &s->pairs[i];
        const int a = p->plane >= 0 ? IMP_GROUND : piece_of(&r, s->spheres[p->a].link),
                  b = piece_of(&r, s->spheres[p->b].link);
        const bool moves = a == IMP_GROUND ? !r.fixed[b] : a != b && !(r.fixed[a] && r.fixed[b]);
        /* a plane is the ground's, and stops what is joined to the ground all the same */
        if (moves && (p->plane >= 0 || !joined(s, &r, a, b))) s->pairs[kept++] = *p;
    }
    if (r.piece && r.fixed) s->npairs = kept;
    const imp_status status = r.piece && r.fixed ? IMP_OK : IMP_NO_MEMORY;
    free(r.piece);
    free(r.fixed);
    return status;
}

void compliant_system_clear(compliant_system *system) {
    free(system->spheres);
    free(system->planes);
    free(system->pairs);
    *system = (compliant_system){0};
}

/* R (9): a link's axes to the world's. */
static const double *axes_of(const compliant_system *system, int link) {
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    return link == IMP_GROUND ? world : imp_tree_state(system->tree, link)->rotation;
}

/* apart, moving (3) <- from the nearest point of A's core to B's centre, and how that changes but
 * for the box's own spin: along a face or an edge the nearest point goes with the centre. */
static void follow(const compliant_system *system, const compliant_pair *p, double apart[3],
                   double moving[3]) {
    const compliant_sphere *A = &system->spheres[p->a], *B = &system->spheres[p->b];
    double centre[2][3], velocity[2][3];
    imp_tree_point(system->tree, A->link, A->centre, centre[0]);
    imp_tree_point(system->tree, B->link, B->centre, centre[1]);
    /* of A's material where B's centre is, or, of a sphere, at its own */
    imp_tree_point_velocity(system->tree, A->link, centre[is_box(A)], velocity[0]);
    imp_tree_point_velocity(system->tree, B->link, centre[1], velocity[1]);
    sub3(centre[1], centre[0], apart);
    sub3(velocity[1], velocity[0], moving);
    if (!is_box(A)) return;
    const double *R = axes_of(system, A->link);
    double at[3], out[3], going[3];
    apply3_transposed(R, apart, at);
    apply3_transposed(R, moving, going);
    imp_box_outside(A->half, at, out);
    for (int k = 0; k < 3; k++)
        if (out[k] == 0) going[k] = 0;
    apply3(R, out, apart);
    apply3(R, going, moving);
}

/* t->turn: the normal's turning, which is that of the line from A's core to B's centre, and the
 * mean spin about it. A plane's normal stands still, a box's turns with it. */
static void turn_of(const compliant_system *system, const compliant_pair *p, compliant_touch *t) {
    const int links[2] = {p->plane >= 0 ? IMP_GROUND : system->spheres[p->a].link,
                          system->spheres[p->b].link};
    double spin = 0, apart[3] = {0}, moving[3] = {0};
    for (int side = 0; side < 2; side++) {
        if (links[side] == IMP_GROUND) continue;
        spin += 0.5 * dot3(imp_tree_state(system->tree, links[side])->spin, t->normal);
    }
    if (p->plane < 0) follow(system, p, apart, moving);
    cross3(apart, moving, t->turn);
    const double square = dot3(apart, apart);
    for (int k = 0; k < 3; k++)
        t->turn[k] = (square > 0 ? t->turn[k] / square : 0) + spin * t->normal[k];
    if (p->plane >= 0 || links[0] == IMP_GROUND || !is_box(&system->spheres[p->a])) return;
    const double *turning = imp_tree_state(system->tree, links[0])->spin;
    add3(1, turning, t->turn);
    add3(-dot3(turning, t->normal), t->normal, t->turn);
}

compliant_touch compliant_look(const compliant_system *system, int pair) {
    const compliant_pair *p = &system->pairs[pair];
    const compliant_sphere *B = &system->spheres[p->b];
    compliant_touch t;
    double b[3], va[3] = {0}, vb[3];
    t.passing = 0;
    imp_tree_point(system->tree, B->link, B->centre, b);
    if (p->plane >= 0) {
        const compliant_plane *A = &system->planes[p->plane];
        double arm[3];
        sub3(b, A->point, arm);
        memcpy(t.normal, A->normal, sizeof t.normal);
        const double height = dot3(arm, t.normal);
        t.depth = B->radius - height;
        memcpy(t.point, b, sizeof b);
        add3(-height - p->law.share * t.depth, t.normal, t.point);
    } else {
        const compliant_sphere *A = &system->spheres[p->a];
        double a[3], apart[3];
        imp_tree_point(system->tree, A->link, A->centre, a);
        sub3(b, a, apart);
        const double distance =
            imp_box_distance(A->half, axes_of(system, A->link), apart, t.normal);
        t.depth = A->radius + B->radius - distance;
        memcpy(t.point, is_box(A) ? b : a, sizeof a);
        add3(A->radius - p->law.share * t.depth - (is_box(A) ? distance : 0), t.normal, t.point);
        imp_tree_point_velocity(system->tree, A->link, t.point, va);
    }
    imp_tree_point_velocity(system->tree, B->link, t.point, vb);
    sub3(vb, va, t.slip);
    t.rate = -dot3(t.normal, t.slip);
    add3(t.rate, t.normal, t.slip);
    if (p->law.give > 0)
        turn_of(system, p, &t);
    else
        memset(t.turn, 0, sizeof t.turn);
    return t;
}

double compliant_passing(const compliant_system *system, int pair) {
    const compliant_pair *p = &system->pairs[pair];
    const compliant_sphere *B = &system->spheres[p->b];
    double b[3], va[3] = {0}, vb[3];
    imp_tree_point(system->tree, B->link, B->centre, b);
    imp_tree_point_velocity(system->tree, B->link, b, vb);
    if (p->plane < 0) {
        const compliant_sphere *A = &system->spheres[p->a];
        double a[3];
        imp_tree_point(system->tree, A->link, A->centre, a);
        /* a box turns with its body, a sphere has no sides */
        imp_tree_point_velocity(system->tree, A->link, is_box(A) ? b : a, va);
    }
    sub3(vb, va, vb);
    return norm3(vb);
}

imp_contact compliant_contact(const compliant_system *system, int pair,
                              const compliant_touch *touch) {
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    const compliant_pair *p = &system->pairs[pair];
    imp_contact c = {.a = p->plane >= 0 ? IMP_GROUND : system->spheres[p->a].link,
                     .b = system->spheres[p->b].link};
    memcpy(c.point, touch->point, sizeof c.point);
    imp_frame_from_tangent(touch->normal, fabs(touch->normal[0]) < 0.9 ? x : y, c.frame);
    return c;
}

void compliant_surfaces(const compliant_system *system, int pair, const compliant_touch *touch,
                        double point[2][3]) {
    const double share = system->pairs[pair].law.share, gap = fmax(0, -touch->depth);
    for (int side = 0; side < 2; side++) {
        memcpy(point[side], touch->point, sizeof point[side]);
        add3((side - share) * gap, touch->normal, point[side]);
    }
}

double compliant_reach(const compliant_system *system) {
    double reach = 0;
    for (int i = 0; i < system->nspheres; i++) {
        const compliant_sphere *s = &system->spheres[i];
        if (s->link != IMP_GROUND)
            reach = fmax(reach, norm3(s->centre) + norm3(s->half) + s->radius);
    }
    return reach;
}

void compliant_lever(const compliant_system *system, int pair, const compliant_touch *touch,
                     double *lever, double *row) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const compliant_pair *p = &system->pairs[pair];
    const int links[2] = {p->plane >= 0 ? IMP_GROUND : system->spheres[p->a].link,
                          system->spheres[p->b].link};
    double point[2][3];
    compliant_surfaces(system, pair, touch, point);
    for (int i = 0; i < 6; i++) { /* side, axis */
        const int link = links[i / 3];
        if (link == IMP_GROUND) continue;
        const imp_tree_part own =
            imp_tree_part_at(system->tree, imp_tree_part_of(system->tree, link));
        memset(row + own.v, 0, (size_t)(own.v_end - own.v) * sizeof *row);
        imp_tree_push(system->tree, link, point[i / 3], axes[i % 3], row);
        for (int k = own.v; k < own.v_end; k++)
            lever[k] = fmax(lever[k], fabs(row[k]));
    }
}

void compliant_force(const compliant_law *law, const compliant_touch *touch, double force[3],
                     double *normal) {
    const double n = compliant_normal(law, touch->depth, touch->rate);
    const double speed = norm3(touch->slip);
    for (int k = 0; k < 3; k++)
        force[k] = n * touch->normal[k];
    if (speed > 0 && n > 0) add3(-n * compliant_friction(law, speed) / speed, touch->slip, force);
    if (normal) *normal = n;
}
