/* forms.h - a contact problem in another form, whose answer says what that to the problem must
 * be: other bodies, a contact that is there twice, another problem beside it, friction and
 * restitution at their limits. */
#ifndef CAMPAIGN_FORMS_H
#define CAMPAIGN_FORMS_H

#include "contact/model.h"
#include "generators/gen_situation.h"

#include <stdbool.h>

enum { FORM_CONTACTS = 2 * GEN_MOST_CONTACTS, FORM_ROWS = 3 * FORM_CONTACTS };

/* A problem over arrays of its own. Points into itself: never copied. */
typedef struct form {
    int nc;
    double W[FORM_ROWS * FORM_ROWS], q[FORM_ROWS], mu[FORM_CONTACTS], e[FORM_CONTACTS];
    imp_operator op;
    imp_problem problem;
} form;

/* A law: two forms of one problem, and what answers to them have to do with each other. */
typedef struct form_law {
    const char *name;
    /* Does it hold for this model and so many contacts? The reasons stand at each (forms.c). */
    bool (*holds)(const imp_model *model, int nc);
    /* *a, *b <- two forms of this problem (b's model in *second, which is `model` until it is
     * changed), by this draw. false: the problem has none. */
    bool (*make)(const imp_problem *problem, uint64_t draw, form *a, form *b,
                 const imp_model **second);
    /* Is that an answer to a, by the law of the model? Else it is near one, as b is near a. */
    bool lawful;
    /* p (3 a.nc) <- what an answer to b says of a. */
    void (*read)(const form *a, const form *b, const double *of_b, double *p);
    /* Is that, bit for bit, what this model answers to a? NULL: of none */
    bool (*exact)(const imp_model *model);
} form_law;

/* All of them, ended by one without a name. */
extern const form_law form_laws[];

/* *a, *b <- the contact problem of random bodies, nc contacts; and with the bodies in another
 * order, some of its contacts seen from the other body: the third axes of these are reversed.
 * false: W or q differ by more than rounding. */
bool form_bodies(uint64_t index, int nc, form *a, form *b);

#endif
