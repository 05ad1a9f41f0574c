/* lasting_every.c - contacts that all slide: which of them press, by every choice.
 *
 * Against a slip that is there friction is linear in the force that presses. What is left of the
 * law is a linear complementarity problem, f_n >= 0 _|_ a_n >= 0 of the contacts that touch, and of
 * joints at rest a torque within its bound, at which the joint begins to slide. All solutions are
 * among those of the choices of what presses and of what sticks. */
#include "scene/lasting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a contact's scale: a force or an acceleration of less is none, which leaves the rounding of
 * choices of a condition of 1e5 room; accelerations closer than that are the same, also where
 * a choice of a condition of 100 has made much of what is none. */
static const double NONE = 1e-10, ALIKE = 1e-8;

typedef struct every {
    scene_lasting *l;
    const double *scale; /* (nc) m/s^2 */
    int *touching;       /* (nc) `count` of them: contacts that do not separate */
    int *resting;        /* (joints) `rests` of them: joints at rest that dry friction may hold */
    int count, rests;
    double *f;               /* (n) forces of the choice that is kept */
    scene_mode *mode, *held; /* (nc), (joints) of that */
    double *side;            /* (joints) */
    bool found;              /* one is kept */
    bool differs;            /* another obeys, too, by other accelerations */
    bool unsure; /* forces of a choice move the bodies in many ways, and may obey in some */
} every;

static bool rests(const scene_lasting *l, const double *v, int j) {
    return v[3 * l->nc + j] == 0 && l->s->mu_c[l->joint[j]] > 0 && scene_lasting_moves(l, j);
}

bool scene_lasting_all_slide(const scene_lasting *l, const double *v) {
    int choices = 0; /* bits */
    for (int i = 0; i < l->nc; i++) {
        const bool slides = v[3 * i + 1] != 0 || v[3 * i + 2] != 0;
        if (v[3 * i] != 0) continue;
        if (!slides && scene_lasting_friction(l, i) > 0) return false;
        choices++;
    }
    for (int j = 0; j < l->joints; j++)
        choices += rests(l, v, j) ? 2 : 0;
    return choices <= SCENE_LASTING_EVERY;
}

/* What a choice comes to: what presses accelerates; something pulls or closes; all obeys, but for
 * rounding; by more than that. */
typedef enum outcome { ACCELERATES, BREAKS, OBEYS, CLEARLY } outcome;

static outcome outcome_of(double much, double none) {
    return much > none ? CLEARLY : much >= -none ? OBEYS : BREAKS;
}

static outcome judge_contact(const every *e, int i) {
    const scene_lasting *l = e->l;
    const bool presses = l->mode[i] != SCENE_OPEN;
    const double a = l->b[3 * i] + scene_lasting_felt(l, l->f, 3 * i),
                 much = presses ? l->f[3 * i] * scene_lasting_diagonal(l, 3 * i) : a;
    if (presses && !(fabs(a) <= ALIKE * e->scale[i])) return ACCELERATES;
    return outcome_of(much, NONE * e->scale[i]);
}

/* Of a joint at rest: its torque is within its bound, or it begins to slide to that side. */
static outcome judge_joint(const scene_lasting *l, int j) {
    const double a = scene_lasting_joint_acceleration(l, l->f, j), f = l->f[3 * l->nc + j],
                 scale = scene_lasting_joint_scale(l, j), bound = l->s->mu_c[l->joint[j]];
    if (l->held[j] == SCENE_SLIDES) return outcome_of(a * l->side[j], NONE * scale);
    if (!(fabs(a) <= ALIKE * scale)) return ACCELERATES;
    return !scene_lasting_holds(l, j) ? BREAKS : fabs(f) < bound * (1 - NONE) ? CLEARLY : OBEYS;
}

/* The worst of what contacts and joints come to. */
static outcome judge(const every *e) {
    outcome worst = CLEARLY;
    for (int k = 0; k < e->count + e->rests && worst != ACCELERATES; k++) {
        const outcome here = k < e->count ? judge_contact(e, e->touching[k])
                                          : judge_joint(e->l, e->resting[k - e->count]);
        if (here < worst) worst = here;
    }
    return worst;
}

static void keep(every *e) {
    memcpy(e->f, e->l->f, (size_t)scene_lasting_rows(e->l) * sizeof *e->f);
    memcpy(e->mode, e->l->mode, (size_t)e->l->nc * sizeof *e->mode);
    memcpy(e->held, e->l->held, (size_t)e->l->joints * sizeof *e->held);
    memcpy(e->side, e->l->side, (size_t)e->l->joints * sizeof *e->side);
    e->found = true;
}

/* The choice that l->mode and l->held hold; `all` that touch press in it, and all at rest stick.
 * Forces that move the bodies in many ways stand with fewer that press, too: until one presses no
 * more, or reaches its bound, if no other is open that might close by then. */
static imp_status look_at(every *e, bool all) {
    scene_lasting *l = e->l;
    bool unique = true;
    imp_status status = scene_lasting_forces(l);
    if (status == IMP_OK) status = scene_lasting_unique(l, &unique);
    if (status != IMP_OK) return status;
    const outcome comes_to = judge(e);
    if (comes_to == CLEARLY && !unique) e->differs = true;
    if (comes_to >= OBEYS && e->found && !scene_lasting_alike(l, l->f, e->f, e->scale, ALIKE))
        e->differs = true;
    if (comes_to != ACCELERATES && comes_to != CLEARLY && !unique && !all) e->unsure = true;
    if (comes_to >= OBEYS && !e->found) keep(e);
    return IMP_OK;
}

/* Of choices, counted by contacts that press or not first, then by joints that slide to one side or
 * the other or stick: the last is that of all that press and stick. */
static void choose(const every *e, int choice) {
    scene_lasting *l = e->l;
    for (int i = 0; i < l->nc; i++)
        l->mode[i] = SCENE_OPEN;
    for (int k = 0; k < e->count; k++, choice /= 2)
        if (choice % 2) l->mode[e->touching[k]] = SCENE_SLIDES;
    for (int k = 0; k < e->rests; k++, choice /= 3) {
        l->held[e->resting[k]] = choice % 3 == 2 ? SCENE_STICKS : SCENE_SLIDES;
        l->side[e->resting[k]] = choice % 3 == 0 ? -1 : 1;
    }
}

/* From the last to the first: of choices under which all moves alike that has the most. */
static imp_status look_at_all(every *e, bool decided, scene_verdict *verdict) {
    scene_lasting *l = e->l;
    imp_status status = IMP_OK;
    int choices = 1 << e->count;
    for (int k = 0; k < e->rests; k++)
        choices *= 3;
    if (decided) keep(e);
    for (int choice = choices; choice-- > 0 && status == IMP_OK;) {
        choose(e, choice);
        status = look_at(e, choice == choices - 1);
    }
    *verdict = status != IMP_OK ? SCENE_UNDECIDED
               : e->differs     ? SCENE_UNDETERMINED
               : e->found       ? SCENE_DECIDED
               : e->unsure      ? SCENE_UNDECIDED
                                : SCENE_NO_FORCE;
    if (status != IMP_OK || *verdict != SCENE_DECIDED) return status;
    memcpy(l->mode, e->mode, (size_t)l->nc * sizeof *l->mode);
    memcpy(l->held, e->held, (size_t)l->joints * sizeof *l->held);
    memcpy(l->side, e->side, (size_t)l->joints * sizeof *l->side);
    return scene_lasting_forces(l);
}

imp_status scene_lasting_every(scene_lasting *l, const double *v, const double *scale,
                               scene_verdict *verdict) {
    const size_t nc = (size_t)l->nc, nj = (size_t)l->joints, rows = 3 * nc + nj;
    every e = {.l = l, .scale = scale};
    imp_status status = IMP_NO_MEMORY;
    e.f = calloc(rows + nj + 1, sizeof *e.f);
    e.touching = calloc(nc + nj + 1, sizeof *e.touching);
    e.mode = calloc(nc + nj + 1, sizeof *e.mode);
    if (e.f && e.touching && e.mode) {
        e.side = e.f + rows;
        e.resting = e.touching + nc;
        e.held = e.mode + nc;
        for (int i = 0; i < l->nc; i++)
            if (v[3 * i] == 0) e.touching[e.count++] = i;
        for (int j = 0; j < l->joints; j++)
            if (rests(l, v, j)) e.resting[e.rests++] = j;
        status = look_at_all(&e, *verdict == SCENE_DECIDED, verdict);
    }
    free(e.f);
    free(e.touching);
    free(e.mode);
    return status;
}
