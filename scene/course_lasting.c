/* course_lasting.c - the contacts of a course that last from an instant on: what counts as still
 * there, and what the law decides of what does. */
#include "scene/course_run.h"

#include "base/vec3.h"
#include "scene/impact.h"
#include "scene/speeds.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef scene_course_run course;

/* Of the fastest body so far among those that a contact or a joint is coupled with, or of a fall: a
 * slower separation, or rate, is none. */
static const double SEPARATES = 1e-8;
/* In accuracies of the run, of the fastest of them since contacts changed last: a slower slip is
 * none, as the errors of all coordinates may add up to it; but never more than LOOSEST of the
 * fastest. */
static const double SLIPS = 10, LOOSEST = 0.01;

void scene_course_speeds(course *c) {
    scene_speeds(c->s, c->now);
    for (int i = 0; i < imp_tree_links(c->s->tree); i++)
        c->fastest[i] = fmax(c->fastest[i], c->now[i]);
}

double scene_course_falls(const course *c) {
    return sqrt(norm3(c->s->system.gravity) * scene_length(c->s));
}

/* m/s or rad/s: that of a fall, along or about joint j. */
static double falls_at(const course *c, int j) {
    const scene_lasting *l = &c->lasting;
    const imp_tree *tree = l->s->tree;
    const int number = l->joint[j], loop = number - l->nv;
    bool slides = loop >= 0 && imp_loops_at(l->s->loops, loop)->kind == IMP_LOOP_SLIDER;
    for (int i = 0; i < imp_tree_links(tree); i++)
        slides = slides || (imp_tree_link(tree, i)->joint == IMP_PRISMATIC &&
                            imp_tree_link(tree, i)->v_at == number);
    return scene_course_falls(c) / (slides ? 1 : scene_length(c->s));
}

/* What counts as still beside each body and at each joint, after scene_lasting_look. Slips a little
 * above it and a little below may turn each other round without time: it grows by every turn. */
static void choose_still(course *c) {
    scene_lasting *l = &c->lasting;
    const double falls = scene_course_falls(c), looser = 1 + c->rounds,
                 loose = fmin(LOOSEST, looser * SLIPS * c->s->run.accuracy);
    scene_course_speeds(c);
    scene_couple(c->s, l->nc, l->contact, c->fastest);
    scene_couple(c->s, l->nc, l->contact, c->recent);
    scene_couple(c->s, l->nc, l->contact, c->now);
    for (int i = 0; i < imp_tree_links(c->s->tree); i++) {
        l->still[i] = SEPARATES * fmax(c->fastest[i], falls);
        l->slow[i] = fmax(looser * l->still[i], loose * fmax(falls, fmax(c->recent[i], c->now[i])));
        c->recent[i] = c->now[i];
    }
    scene_lasting_sizes(l, c->fastest, c->quickest);
    for (int j = 0; j < l->joints; j++)
        l->still_joint[j] = looser * SEPARATES * fmax(c->quickest[j], falls_at(c, j));
}

/* After that: what hops by less than places round by is still, too. c->now <- what was before. */
static void still_hops(course *c) {
    const double height = compliant_rounding(&c->s->system, c->q),
                 hop = sqrt(2 * norm3(c->s->system.gravity) * height);
    for (int i = 0; i < imp_tree_links(c->s->tree); i++) {
        c->now[i] = c->lasting.still[i];
        c->lasting.still[i] = fmax(hop, c->now[i]);
    }
}

/* Contacts that separate, after scene_lasting_look. */
static int count_parting(const scene_lasting *l) {
    int count = 0;
    for (int i = 0; i < l->nc; i++)
        count += l->u[3 * i] > scene_lasting_still(l, i);
    return count;
}

static imp_status decide_modes(course *c, bool piled, scene_verdict *verdict) {
    scene_lasting *l = &c->lasting;
    imp_status status = scene_lasting_decide(l, verdict);
    if (status == IMP_OK && piled && *verdict != SCENE_DECIDED) { /* not all of them at once */
        memcpy(l->still, c->now, (size_t)imp_tree_links(c->s->tree) * sizeof *l->still);
        status = scene_lasting_decide(l, verdict);
    }
    return status;
}

imp_status scene_course_look_around(course *c, scene_verdict *verdict) {
    scene_lasting *l = &c->lasting;
    const bool piled = !isnan(c->pile);
    *verdict = SCENE_DECIDED;
    imp_tree_place(c->s->tree, c->q, c->v);
    imp_status status = scene_lasting_init(l, c->s);
    if (status == IMP_OK) status = scene_lasting_look(l);
    if (status == IMP_OK) choose_still(c);
    if (status == IMP_OK && piled) still_hops(c);
    for (int parting = INT_MAX;
         status == IMP_OK && *verdict == SCENE_DECIDED && count_parting(l) < parting;) {
        status = decide_modes(c, piled, verdict);
        parting = count_parting(l);
        if (status == IMP_OK && *verdict == SCENE_DECIDED &&
            (scene_lasting_count(l) > 0 || l->joints > 0)) {
            status = scene_lasting_correct(l, c->q, c->v);
            if (status == IMP_OK) status = scene_lasting_look(l);
        }
    }
    return status;
}
