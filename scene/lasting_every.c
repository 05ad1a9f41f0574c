/* lasting_every.c - contacts that all slide: which of them press, by every choice.
 *
 * Against a slip that is there friction is linear in the force that presses. What is left of the
 * law is a linear complementarity problem, f_n >= 0 _|_ a_n >= 0 of the contacts that touch, all of
 * whose solutions are among those of the choices of what presses. */
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
    int count;
    double *f;        /* (n) forces of the choice that is kept */
    scene_mode *mode; /* (nc) of that */
    bool found;       /* one is kept */
    bool differs;     /* another obeys, too, by other accelerations */
    bool unsure;      /* forces of a choice move the bodies in many ways, and may obey in some */
} every;

bool scene_lasting_all_slide(const scene_lasting *l, const double *v) {
    int touching = 0;
    for (int i = 0; i < l->nc; i++) {
        const bool slides = v[3 * i + 1] != 0 || v[3 * i + 2] != 0;
        if (v[3 * i] != 0) continue;
        if (!slides && scene_lasting_friction(l, i) > 0) return false;
        touching++;
    }
    for (int j = 0; j < l->joints; j++)
        if (v[3 * l->nc + j] == 0 && l->s->mu_c[l->joint[j]] > 0) return false;
    return touching <= SCENE_LASTING_EVERY;
}

/* What a choice comes to: what presses accelerates; something pulls or closes; all obeys, but for
 * rounding; by more than that. */
typedef enum outcome { ACCELERATES, BREAKS, OBEYS, CLEARLY } outcome;

static outcome judge(const every *e) {
    const scene_lasting *l = e->l;
    outcome worst = CLEARLY;
    for (int k = 0; k < e->count; k++) {
        const int i = e->touching[k];
        const bool presses = l->mode[i] != SCENE_OPEN;
        const double a = l->b[3 * i] + scene_lasting_felt(l, l->f, 3 * i),
                     much = presses ? l->f[3 * i] * scene_lasting_diagonal(l, 3 * i) : a,
                     none = NONE * e->scale[i];
        if (presses && !(fabs(a) <= ALIKE * e->scale[i])) return ACCELERATES;
        const outcome here = much > none ? CLEARLY : much >= -none ? OBEYS : BREAKS;
        if (here < worst) worst = here;
    }
    return worst;
}

static void keep(every *e) {
    memcpy(e->f, e->l->f, (size_t)scene_lasting_rows(e->l) * sizeof *e->f);
    memcpy(e->mode, e->l->mode, (size_t)e->l->nc * sizeof *e->mode);
    e->found = true;
}

/* The choice that l->mode holds; `all` that touch press in it. Forces that move the bodies in many
 * ways stand with fewer that press, too: until one presses no more, if no other is open that might
 * close by then. */
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

/* From all that touch to none: of choices under which all moves alike the first has the most. */
static imp_status look_at_all(every *e, bool decided, scene_verdict *verdict) {
    scene_lasting *l = e->l;
    imp_status status = IMP_OK;
    if (decided) keep(e);
    const unsigned sets = 1u << e->count;
    for (unsigned set = sets; set-- > 0 && status == IMP_OK;) {
        for (int i = 0; i < l->nc; i++)
            l->mode[i] = SCENE_OPEN;
        for (int k = 0; k < e->count; k++)
            if (set >> k & 1) l->mode[e->touching[k]] = SCENE_SLIDES;
        status = look_at(e, set == sets - 1);
    }
    *verdict = status != IMP_OK ? SCENE_UNDECIDED
               : e->differs     ? SCENE_UNDETERMINED
               : e->found       ? SCENE_DECIDED
               : e->unsure      ? SCENE_UNDECIDED
                                : SCENE_NO_FORCE;
    if (status != IMP_OK || *verdict != SCENE_DECIDED) return status;
    memcpy(l->mode, e->mode, (size_t)l->nc * sizeof *l->mode);
    return scene_lasting_forces(l);
}

imp_status scene_lasting_every(scene_lasting *l, const double *v, const double *scale,
                               scene_verdict *verdict) {
    const size_t nc = (size_t)l->nc;
    every e = {.l = l, .scale = scale};
    imp_status status = IMP_NO_MEMORY;
    e.f = calloc((size_t)scene_lasting_rows(l) + 1, sizeof *e.f);
    e.touching = calloc(nc + 1, sizeof *e.touching);
    e.mode = calloc(nc + 1, sizeof *e.mode);
    if (e.f && e.touching && e.mode) {
        for (int i = 0; i < l->nc; i++)
            if (v[3 * i] == 0) e.touching[e.count++] = i;
        status = look_at_all(&e, *verdict == SCENE_DECIDED, verdict);
    }
    free(e.f);
    free(e.touching);
    free(e.mode);
    return status;
}
