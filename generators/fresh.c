/* fresh.c - the classes of fresh.h, and how their instances are drawn. */
#include "fresh.h"

#include "base/hash.h"
#include "gen_drawn.h"
#include "gen_impacts.h"
#include "piles.h"
#include "single/single.h"
#include "stress_problems.h"

#include <string.h>

#define OF_BODY "1"
#define FEW     "2 to 8"
#define HEAP    "6 to 141"

const fresh_class fresh_classes[] = {
    /* as gen_class, in its order */
    {"sphere", OF_BODY, "a sphere: no coupling of normal and tangents; mu to 1", true},
    {"free-box-1", OF_BODY, "a box struck on a random face; mu to 1", true},
    {"free-box-5", OF_BODY, "the same; mu to 5", true},
    {"six-point", OF_BODY, "a body of six mass points; mu 1e-3 to 100", true},
    {"two-body", OF_BODY, "two of them", true},
    {"spd-1", OF_BODY, "W of condition 1 to 10; mu 1e-3 to 100", true},
    {"spd-4", OF_BODY, "W of condition 1 to 1e4", true},
    {"spd-8", OF_BODY, "W of condition 1 to 1e8", true},
    {"painleve", OF_BODY, "a box that friction may jam: W_nn <= mu |W_nt|", true},
    {"tiny-closing", OF_BODY, "hardly closing: q_n to -1e-16 of the slip", true},
    {"zero-closing", OF_BODY, "touching: q_n = 0", true},
    {"opening", OF_BODY, "separating: q_n > 0", true},
    {"units", OF_BODY, "W and q in units to 1e6 from ours", true},
    {"several", OF_BODY, "two or more solutions of Coulomb's law", true},
    {"adversarial", OF_BODY, "close to the edges of stick, slip and parabola", true},
    {"speed-box", OF_BODY, "boxes of which most slide: those that are timed", true},
    /* as gen_impact_class, in its order */
    {"impact-body", OF_BODY, "a box struck on a face; e 0 to 1, as in all impacts", true},
    {"impact-thin", OF_BODY, "a body of six mass points; mu 1e-3 to 100", true},
    {"impact-spd", OF_BODY, "W of condition to 1e8", true},
    {"impact-steep", OF_BODY, "two compressions: u_n may fall", true},
    {"impact-graze", OF_BODY, "the first of two compressions hardly ends", true},
    {"impact-boundary", OF_BODY, "stick at the edge of stability", true},
    {"impact-at-rest", OF_BODY, "no slip at the start", true},
    {"impact-tiny-slip", OF_BODY, "slip to 1e-60 of the approach", true},
    {"impact-huge-slip", OF_BODY, "slip to 1e9 of the approach", true},
    {"impact-near-ray", OF_BODY, "slip beside a direction that stays", true},
    {"impact-double-ray", OF_BODY, "two such directions nearly one", true},
    {"impact-reverse", OF_BODY, "slip almost opposite to the one that diverges", true},
    {"impact-planar", OF_BODY, "in the plane (n, t)", true},
    {"impact-dyadic", OF_BODY, "small integers: ties", true},
    {"impact-sphere", OF_BODY, "a sphere", true},
    {"impact-frictionless", OF_BODY, "mu = 0", true},
    /* of several contacts */
    {"bodies", FEW, "a box on its face, boxes in a heap, a row of spheres; mu to 1.5", false},
    {"loose", FEW, "two bodies, the ground, and random points of contact; e 0 to 1", false},
    {"redundant", FEW, "contacts that are the same one; mu to 1e6, e 0 to 1", false},
    {"wedges", FEW, "contacts with opposite normals; mu to 1e6, e 0 to 1", false},
    {"singular", FEW, "diagonal blocks of rank 1 and 2, or nearly; mu to 1e6, e 0 to 1", false},
    {"masses", FEW, "masses to 1e8 apart; mu to 1e6, e 0 to 1", false},
    {"pile", HEAP, "spheres in shifted layers on the ground; mu 0.1 to 0.9", false},
    {"wall", HEAP, "bricks in running bond, four points a pair", false},
    {"bin", HEAP, "boxes and balls of all sizes", false},
    {"chain", HEAP, "a row of spheres on the ground, hit from one end", false},
    {"tower", HEAP, "stacked plates on four legs each", false},
    {"drawn", "2 to 37", "cubes, bricks and balls in whole numbers, one struck or all falling",
     false},
    {NULL, NULL, NULL, false}};

enum {
    IMPACTS = GEN_CLASSES,
    BODIES = IMPACTS + GEN_IMPACT_CLASSES,
    LOOSE,
    SHAPES,
    PILES = SHAPES + 4,
    DRAWN = PILES + PILE_KINDS,
    CLASSES
};

_Static_assert(sizeof fresh_classes / sizeof *fresh_classes == CLASSES + 1, "a line for each");

static const stress_shape shapes[] = {STRESS_TWINS, STRESS_WEDGED, STRESS_SINGULAR, STRESS_MASSES};

/* What takes all that stress_make has. */
static const imp_model any = {.takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION};

static imp_status one(int class, uint64_t index, gen_stream *s, fresh_problem *made) {
    const bool impact = class >= IMPACTS;
    const gen_problem g = impact ? gen_impact((gen_impact_class)(class - IMPACTS), index)
                                 : gen_make((gen_class) class, index);
    gen_dense dense;
    imp_coulomb_set set;
    if (g.excluded) return IMP_NO_SOLUTION;
    if (class == GEN_SEVERAL &&
        (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK || set.count < 2))
        return IMP_NO_SOLUTION;
    gen_dense_of(&g, &dense);
    return fresh_disguise(&dense.problem, impact && class - IMPACTS == GEN_IMPACT_PLANAR, s, made);
}

static imp_status few(int class, uint64_t index, gen_stream *s, fresh_problem *made) {
    double e[GEN_MOST_CONTACTS] = {0};
    if (class >= SHAPES) {
        stress_case c;
        stress_make_shape(&any, shapes[class - SHAPES], index, &c);
        return c.problem.nc > 1 ? fresh_disguise(&c.problem, false, s, made) : IMP_NO_SOLUTION;
    }
    const gen_many g = class == BODIES ? gen_bodies(index, 2 + (int)(index / 3 % 7))
                                       : gen_loose(909, index, GEN_MOST_CONTACTS, 1.5, 0, e);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
    return g.nc > 1 ? fresh_disguise(&problem, false, s, made) : IMP_NO_SOLUTION;
}

static imp_status heap(int class, uint64_t index, gen_stream *s, fresh_problem *made) {
    imp_fclib file;
    imp_fclib_posed posed;
    const int contacts = (int)gen_power10(s, 1.25, 2.15);
    imp_status status = pile_make((pile_kind)(class - PILES), index, contacts, &file);
    if (status != IMP_OK) return status;
    status = imp_fclib_pose(&file, &posed);
    if (status == IMP_OK) {
        status = fresh_disguise(&posed.problem, false, s, made);
        imp_fclib_posed_clear(&posed);
    }
    imp_fclib_clear(&file);
    return status;
}

static imp_status drawn(gen_stream *s, fresh_problem *made) {
    gen_drawn d;
    double W[9 * DRAWN_CONTACTS * DRAWN_CONTACTS], q[3 * DRAWN_CONTACTS];
    gen_drawn_of((gen_drawn_kind)gen_uniform(s, 0, DRAWN_KINDS), s, &d);
    const imp_status status = imp_delassus_dense(d.nb, d.body, d.nc, d.contact, W, q);
    if (status != IMP_OK) return status;
    const imp_operator op = imp_operator_dense(d.nc, W);
    const imp_problem problem = {.nc = d.nc, .W = &op, .q = q, .mu = d.mu, .e = d.e};
    return fresh_disguise(&problem, false, s, made);
}

enum { TRIES = 10000 }; /* of the candidates for `several` one in dozens is taken */

imp_status fresh_make(const fresh_class *c, uint64_t seed, uint64_t k, fresh_problem *made) {
    const int class = (int)(c - fresh_classes);
    /* by the name: classes may be listed in any order */
    const uint64_t own = imp_hash(IMP_HASH_SEED, c->name, strlen(c->name));
    imp_status status = IMP_NO_SOLUTION;
    *made = (fresh_problem){0};
    for (uint64_t try = 0; try < TRIES && status != IMP_OK; try++) {
        gen_stream s = gen_seed(own ^ gen_seed(seed, 0).state, TRIES * k + try);
        const uint64_t index = gen_seed(s.state, 1).state;
        status = class < BODIES  ? one(class, index, &s, made)
                 : class < PILES ? few(class, index, &s, made)
                 : class < DRAWN ? heap(class, index, &s, made)
                                 : drawn(&s, made);
        if (status == IMP_OK) status = imp_problem_check(&made->problem, NULL);
        if (status != IMP_OK) fresh_clear(made);
        if (status == IMP_NO_MEMORY) return status;
    }
    return status;
}
