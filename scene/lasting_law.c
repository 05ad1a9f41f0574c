/* lasting_law.c - contacts that last: which of them press, stick and slide, by Signorini's and
 * Coulomb's law on accelerations.
 *
 * Each contact is asked for all its forces under the present ones of the others
 * (single/forces.h), in turn, until nothing changes any more. Contacts of one body often share a
 * load in many ways under which all accelerations are the same: the modes are taken from the forces
 * that were found, the accelerations from the modes, and both have to agree. */
#include "scene/lasting.h"

#include "base/vec3.h"
#include "linear/anderson.h"
#include "linear/factored.h"
#include "scene/impact.h"
#include "scene/speeds.h"
#include "single/forces.h"

#include <stdlib.h>
#include <string.h>

/* Of a contact's scale: what changes by less in a sweep is settled; less than this is none;
 * and how far those of the modes may be from those of the forces. */
static const double SETTLED = 1e-13, NONE = 1e-9, AGREES = 1e-8;
/* Of its scale, too: how far those of contacts that do the same may be apart. */
static const double LEFT = 1e-12;
/* Of the trace of a contact's W, where that is singular: what the tangents give, the normal not at
 * all. */
static const double GIVE = 1e-13;
enum { SWEEPS = 20000, WHOLE = 2000 };

/* A search in turn. */
typedef struct search {
    scene_lasting *l;
    double *f; /* (n) N, N m */
    double *v; /* (n) m/s, rad/s: velocities with what is none made 0 */
    /* (nc) m/s^2, the largest acceleration of the contacts that each is coupled with, or gravity */
    double *scale;
    double change;         /* the largest in a sweep, of that or of a joint's own */
    double share;          /* of the way to its own answer, that a contact goes in a sweep */
    bool nothing, several; /* in the last sweep: a contact without a force, with more than one */
    imp_motion *motion;    /* (nc) */
    anderson *mixing;      /* of sweeps */
} search;

static void block_of(const scene_lasting *l, int i, double W[6]) {
    double full[9];
    for (int r = 0; r < 3; r++)
        memcpy(full + 3 * r, l->W + (size_t)(3 * i + r) * (size_t)scene_lasting_rows(l) + 3 * i,
               3 * sizeof *full);
    pack3(full, W);
}

/* s->scale; size (links) is room. */
static void scales(search *s, double *size) {
    const scene_lasting *l = s->l;
    for (int k = 0; k < imp_tree_links(l->s->tree); k++)
        size[k] = norm3(l->s->system.gravity);
    for (int i = 0; i < l->nc; i++) {
        const int on[2] = {l->contact[i].a, l->contact[i].b};
        for (int k = 0; k < 2; k++)
            if (on[k] != IMP_GROUND) size[on[k]] = fmax(size[on[k]], norm3(l->b + 3 * i));
    }
    scene_couple(l->s, l->nc, l->contact, size);
    for (int i = 0; i < l->nc; i++)
        s->scale[i] = scene_larger(size, l->contact[i].a, l->contact[i].b);
}

/* What is slower than `still` and `slow` stands; what closes faster collides and is no contact that
 * lasts. */
static void quiet(search *s) {
    const scene_lasting *l = s->l;
    for (int i = 0; i < l->nc; i++) {
        double *v = s->v + 3 * i;
        v[0] = l->u[3 * i];
        scene_lasting_slip(l, i, v + 1);
        if (fabs(v[0]) <= scene_lasting_still(l, i)) v[0] = 0;
        if (hypot(v[1], v[2]) <= scene_lasting_slow(l, i)) v[1] = v[2] = 0;
    }
    for (int j = 0; j < l->joints; j++) {
        const double rate = l->u[3 * l->nc + j];
        s->v[3 * l->nc + j] = fabs(rate) <= l->still_joint[j] ? 0 : rate;
    }
}

/* Is there a force inside the friction cone that a singular block W does not feel? Then what is
 * held may be held by any force, and a contact that would do otherwise may as well be jammed. Its
 * rank is 2: tangents that nothing moves along are filled. */
static bool wedges(const double W[9], double mu) {
    double across[3], none[3] = {0};
    for (int r = 0; r < 3; r++) {
        cross3(W + 3 * r, W + 3 * ((r + 1) % 3), across);
        if (norm3(across) > norm3(none)) memcpy(none, across, sizeof none);
    }
    return mu * fabs(none[0]) > hypot(none[1], none[2]);
}

static imp_status relax(search *s, int i) {
    const scene_lasting *l = s->l;
    imp_force_set set;
    double W[6], b[3], *f = s->f + 3 * i, old[3];
    s->motion[i] = IMP_SEPARATES;
    if (s->v[3 * i] != 0) return IMP_OK;
    const double mu = scene_lasting_friction(l, i);
    block_of(l, i, W);
    memcpy(old, f, sizeof old);
    memset(f, 0, sizeof old);
    /* joints take all that it might press by, and no friction shows it */
    const double none = SCENE_IMMOBILE * l->own[i];
    if (W[0] <= none && (mu == 0 || W[3] + W[5] <= none)) return IMP_OK;
    scene_lasting_acceleration(l, s->f, i, b); /* by the others alone */
    if (fabs(b[0]) <= SETTLED * s->scale[i]) b[0] = 0;
    const double full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    const double slip = hypot(s->v[3 * i + 1], s->v[3 * i + 2]);
    const bool singular = imp_block_singular(full, 3);
    if (singular) { /* joints leave directions that depend on each other */
        const double give = GIVE * (W[0] + W[3] + W[5]);
        W[3] += give, W[5] += give;
    }
    const imp_status status = imp_forces(W, s->v + 3 * i, b, mu, &set);
    if (status != IMP_OK) return status;
    s->nothing = s->nothing || set.count == 0;
    s->several = s->several || set.count > 1;
    if (set.count > 0) {
        memcpy(f, set.force[0].f, sizeof old);
        s->motion[i] = set.force[0].motion;
    }
    if (singular && slip == 0 && wedges(full, mu)) {
        double a[3];
        scene_lasting_acceleration(l, s->f, i, a);
        s->several = s->several || norm3(a) > NONE * s->scale[i];
    }
    double way[3], felt[3], change;
    sub3(f, old, way);
    add3(s->share - 1, way, f);
    change = norm3(way) * fmax(W[0], fmax(W[3], W[5]));
    if (singular) { /* a force that W does not feel is free, and what gave goes on giving */
        apply3(full, way, felt);
        change = fmax(0, norm3(felt) - 10 * GIVE * (full[0] + full[4] + full[8]) * norm3(old));
    }
    s->change = fmax(s->change, change / s->scale[i]);
    return IMP_OK;
}

/* A joint that moves is opposed by its bound, at a dead centre whatever counts as still; another is
 * held, as far as that reaches. */
static void relax_joint(search *s, int j) {
    const scene_lasting *l = s->l;
    const double rate = s->v[3 * l->nc + j], bound = l->s->mu_c[l->joint[j]],
                 scale = scene_lasting_joint_scale(l, j);
    double *f = &s->f[3 * l->nc + j];
    const double a = scene_lasting_joint_acceleration(l, s->f, j),
                 own = scene_lasting_diagonal(l, 3 * l->nc + j), old = *f;
    if (!scene_lasting_moves(l, j))
        *f = scene_lasting_against(l, j);
    else if (rate != 0)
        *f = rate > 0 ? -bound : bound;
    else
        *f = fmax(-bound, fmin(bound, old - a / own));
    if (scale > 0) s->change = fmax(s->change, fabs(*f - old) * own / scale);
}

/* Does a ball stay on a box? How the box's nearest point moves over it is not followed. */
static bool stays_on_box(const search *s) {
    const compliant_system *system = &s->l->s->system;
    for (int i = 0; i < s->l->nc; i++) {
        const compliant_pair *pair = &system->pairs[s->l->pair[i]];
        if (s->v[3 * i] == 0 && pair->plane < 0 && norm3(system->spheres[pair->a].half) > 0)
            return true;
    }
    return false;
}

/* IMP_UNSUPPORTED: no accelerations are known that a force could be asked of. */
static imp_status sweep(search *s) {
    imp_status status = stays_on_box(s) ? IMP_UNSUPPORTED : IMP_OK;
    imp_anderson_forget(s->mixing);
    for (int k = 0; k < SWEEPS && status == IMP_OK; k++) {
        if (k == WHOLE) { /* friction may drive whole steps in a circle: anew, by shorter ones */
            imp_anderson_forget(s->mixing);
            memset(s->f, 0, (size_t)scene_lasting_rows(s->l) * sizeof *s->f);
        }
        imp_anderson_before(s->mixing, s->f);
        s->change = 0;
        s->share = k < WHOLE ? 1 : 0.25;
        s->nothing = s->several = false;
        for (int i = 0; i < s->l->nc && status == IMP_OK; i++)
            status = relax(s, i);
        for (int j = 0; j < s->l->joints && status == IMP_OK; j++)
            relax_joint(s, j);
        if (s->change <= SETTLED) break;
        imp_anderson_after(s->mixing, s->f, NULL);
    }
    return status;
}

/* The mode that contact i was found in: without friction, or where all it could hold is dead,
 * nothing sticks; `loosely`: an acceleration within rounding is none. */
static scene_mode mode_of(const search *s, int i, bool loosely) {
    const double *f = s->f + 3 * i, *v = s->v + 3 * i;
    double a[3], W[6];
    block_of(s->l, i, W);
    if (s->motion[i] == IMP_SEPARATES || !(f[0] * W[0] > NONE * s->scale[i])) return SCENE_OPEN;
    if (v[1] != 0 || v[2] != 0 || scene_lasting_friction(s->l, i) == 0) return SCENE_SLIDES;
    if (s->l->dead[i] == 2) return SCENE_SLIDES;
    scene_lasting_acceleration(s->l, s->f, i, a);
    return s->motion[i] == IMP_STICKS || (loosely && norm3(a) <= NONE * s->scale[i]) ? SCENE_STICKS
                                                                                     : SCENE_SLIDES;
}

/* A joint sticks unless it moves or accelerates, is at a dead centre, or holds by more than its
 * bound where all that do none of it stick: by half of what `allowed` takes for rounding, so that
 * what is beyond that slides, against its friction. `loosely`: whatever its torque, which several
 * may share. */
static void settle_joint(search *s, int j, bool loosely) {
    scene_lasting *l = s->l;
    const int row = 3 * l->nc + j;
    const double rate = s->v[row], bound = l->s->mu_c[l->joint[j]];
    const bool moves = scene_lasting_moves(l, j),
               rests = fabs(scene_lasting_joint_acceleration(l, s->f, j)) <=
                       NONE * scene_lasting_joint_scale(l, j),
               holds = loosely || (l->held[j] == SCENE_STICKS && scene_lasting_holds(l, j));
    const bool sticks = rate == 0 && bound > 0 && moves && rests && holds;
    l->held[j] = sticks ? SCENE_STICKS : SCENE_SLIDES;
    l->side[j] = !moves ? 0 : (rate != 0 ? rate : -s->f[row]) < 0 ? -1 : 1;
}

/* Does it slide, from rest? */
static bool begins(const search *s, int i) {
    return s->l->mode[i] == SCENE_SLIDES && s->v[3 * i + 1] == 0 && s->v[3 * i + 2] == 0;
}

/* Of contacts that begin to slip: those between the same links that do so alike, but for what is
 * left when forces are settled, slip in one direction, against their friction together: were each
 * to follow what is left of its own, the slower their slip the further they were apart. */
static void begin_alike(const search *s) {
    scene_lasting *l = s->l;
    double *a = l->work, *rubs = a + 3 * l->nc; /* (3nc, world) each */
    for (int i = 0; i < l->nc; i++) {
        double own[3];
        scene_lasting_acceleration(l, s->f, i, own);
        apply3_transposed(l->contact[i].frame, own, a + 3 * i);
    }
    memcpy(rubs, l->slip, 3 * (size_t)l->nc * sizeof *rubs);
    for (int i = 0; i < l->nc; i++)
        for (int j = 0; j < l->nc && begins(s, i); j++) {
            double apart[3];
            if (j == i || !begins(s, j) || l->contact[j].a != l->contact[i].a ||
                l->contact[j].b != l->contact[i].b)
                continue;
            sub3(a + 3 * i, a + 3 * j, apart);
            if (norm3(apart) <= LEFT * s->scale[i]) add3(1, rubs + 3 * j, l->slip + 3 * i);
        }
}

/* The modes of what was found, and their forces. A contact that begins to slip slips against its
 * friction, wherever what counts as still has gone. */
static imp_status settle(search *s, bool loosely) {
    scene_lasting *l = s->l;
    for (int i = 0; i < l->nc; i++) {
        const double *f = s->f + 3 * i, *v = s->v + 3 * i;
        const bool slips = v[1] != 0 || v[2] != 0, rough = scene_lasting_friction(l, i) > 0;
        double along[3] = {0};
        l->dead[i] = scene_lasting_dead(l, i);
        l->mode[i] = mode_of(s, i, loosely);
        for (int k = 1; k < 3 && rough; k++)
            along[k] = slips ? v[k] : -f[k];
        apply3_transposed(l->contact[i].frame, along, l->slip + 3 * i);
        if (!slips) l->u[3 * i + 1] = l->u[3 * i + 2] = 0;
    }
    begin_alike(s);
    for (int j = 0; j < l->joints; j++)
        settle_joint(s, j, loosely);
    return scene_lasting_forces(l);
}

static imp_status open_search(search *s, scene_lasting *l) {
    *s = (search){.l = l};
    const size_t rows = (size_t)scene_lasting_rows(l);
    double *ones;
    const size_t links = (size_t)imp_tree_links(l->s->tree);
    s->f = calloc(2 * rows + (size_t)l->nc + links + 1, sizeof *s->f);
    s->motion = calloc((size_t)l->nc + 1, sizeof *s->motion);
    s->mixing = imp_anderson_new((int)rows, 0, &ones);
    if (!s->f || !s->motion || !s->mixing) return IMP_NO_MEMORY;
    s->v = s->f + rows;
    s->scale = s->v + rows;
    quiet(s);
    scales(s, s->scale + l->nc);
    return IMP_OK;
}

static void close_search(search *s) {
    imp_anderson_free(s->mixing);
    free(s->f);
    free(s->motion);
}

/* Signorini's and Coulomb's inequalities, of the forces of the modes. */
static bool allowed(const scene_lasting *l) {
    for (int i = 0; i < l->nc; i++) {
        const double *f = l->f + 3 * i, mu = scene_lasting_friction(l, i);
        double W[6];
        block_of(l, i, W);
        if (l->mode[i] == SCENE_OPEN) continue;
        if (f[0] * W[0] < -SCENE_LASTING_SLACK * norm3(l->b + 3 * i)) return false;
        if (l->mode[i] == SCENE_STICKS && hypot(f[1], f[2]) > mu * f[0] * (1 + SCENE_LASTING_SLACK))
            return false;
    }
    for (int j = 0; j < l->joints; j++)
        if (fabs(l->f[3 * l->nc + j]) > l->s->mu_c[l->joint[j]] * (1 + SCENE_LASTING_SLACK))
            return false;
    return true;
}

/* Contacts that slide do so until their slip reverses, however slow they are. */
static void keep_sliding(search *s) {
    for (int i = 0; i < s->l->nc; i++)
        if (s->l->mode[i] == SCENE_SLIDES) scene_lasting_direction(s->l, i, s->v + 3 * i + 1);
}

/* What is apart where its mode is open presses nowhere, and is not at rest there even where it
 * turns back, as a ball at the top of its hop. */
static void keep_apart(search *s) {
    for (int i = 0; i < s->l->nc; i++)
        if (s->l->mode[i] == SCENE_OPEN && scene_apart(s->l->s, s->l->pair[i])) s->v[3 * i] = 1;
}

/* Where f does not obey the law and several forces of the modes do the same: f <- such ones that
 * do, found from f on. *found: forces that obey the law; *same: they move the bodies as f does. */
static imp_status share_anew(scene_lasting *l, bool *found, bool *same) {
    search s;
    *found = *same = allowed(l);
    if (*found || !l->loose) return IMP_OK;
    const imp_status status = open_search(&s, l);
    if (status == IMP_OK) {
        keep_sliding(&s);
        keep_apart(&s);
        memcpy(s.f, l->f, (size_t)scene_lasting_rows(l) * sizeof *s.f);
        *found = sweep(&s) == IMP_OK && s.change <= SETTLED && !s.nothing;
        *same = *found && scene_lasting_alike(l, s.f, l->f, s.scale, AGREES);
        if (*same) memcpy(l->f, s.f, (size_t)scene_lasting_rows(l) * sizeof *s.f);
    }
    close_search(&s);
    return status;
}

/* Is there but one contact that touches, and no joint that rubs? Then its forces are all. */
static bool alone(const search *s) {
    int touching = s->l->joints;
    for (int i = 0; i < s->l->nc; i++)
        touching += s->v[3 * i] == 0;
    return touching == 1;
}

/* What each contact's forces under those of the others come to. */
static imp_status decide_in_turn(search *s, scene_verdict *verdict) {
    scene_lasting *l = s->l;
    bool unique = true;
    imp_status status = sweep(s);
    const bool settled = status == IMP_OK && s->change <= SETTLED;
    *verdict = settled && s->nothing && alone(s) ? SCENE_NO_FORCE
               : settled && s->several           ? SCENE_UNDETERMINED
                                                 : SCENE_UNDECIDED;
    if (status == IMP_NO_MEMORY || status == IMP_UNSUPPORTED) return status;
    status = settle(s, true); /* as where several forces do the same */
    if (!settled || s->nothing || s->several) return IMP_OK;
    if (status == IMP_OK && !l->loose) status = settle(s, false);
    if (status == IMP_OK) status = scene_lasting_unique(l, &unique);
    if (status == IMP_OK && !unique) *verdict = SCENE_UNDETERMINED;
    if (status == IMP_OK && unique && scene_lasting_alike(l, s->f, l->f, s->scale, AGREES))
        *verdict = SCENE_DECIDED;
    return status;
}

imp_status scene_lasting_decide(scene_lasting *l, scene_verdict *verdict) {
    search s;
    bool found = false, same = false;
    imp_status status = open_search(&s, l);
    if (status == IMP_OK) status = decide_in_turn(&s, verdict);
    if (status != IMP_NO_MEMORY && status != IMP_UNSUPPORTED && !alone(&s) &&
        scene_lasting_all_slide(l, s.v))
        status = scene_lasting_every(l, s.v, s.scale, verdict);
    if (status == IMP_OK && *verdict == SCENE_DECIDED) status = share_anew(l, &found, &same);
    if (found && !same) *verdict = SCENE_UNDETERMINED;
    l->as_loose = l->loose;
    close_search(&s);
    return status == IMP_NO_MEMORY ? status : IMP_OK;
}

imp_status scene_lasting_obeys(scene_lasting *l, bool *obeys) {
    bool found;
    return share_anew(l, &found, obeys);
}
