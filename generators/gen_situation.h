/* gen_situation.h - problems of one or several contacts that a given model takes, and other ways to
 * write the same. */
#ifndef GEN_SITUATION_H
#define GEN_SITUATION_H

#include "contact/model.h"
#include "gen.h"

enum { SITUATION_MOST = 3 * GEN_MOST_CONTACTS };

typedef struct situation {
    int nc;
    double W[SITUATION_MOST * SITUATION_MOST], q[SITUATION_MOST], mu[GEN_MOST_CONTACTS],
        e[GEN_MOST_CONTACTS];
} situation;

/* As a contact problem over its own arrays; W is the caller's room for the operator. */
imp_problem situation_problem(const situation *s, imp_operator *W);

/* One contact with the packed W of gen_problem. */
situation situation_of(const double W[6], const double q[3], double mu, double e);

/* Takes away what the model does not take: restitution, friction, the third dimension. */
void situation_restrict(situation *s, const imp_model *model);

/* Problem k of one contact, of the classes in turn but for those made to be hard; of several, as
 * gen_bodies has it, 2 to 8 contacts in turn. With restitution 0, 0.5, 1, 0.2 in turn, restricted
 * to what the model takes. */
situation situation_one(const imp_model *model, uint64_t k);
situation situation_many(const imp_model *model, uint64_t k);

/* Another way to write the same situation: contact i is the old one order[i], its axes turned by R,
 * W and q in other units. W' = w T W T', q' = v T q, so p' = v/w T p. */
typedef struct change {
    double R[9], w, v;
    int order[GEN_MOST_CONTACTS];
} change;

/* Drawn by k for a situation that the model takes: turned about the normal (by what leaves a
 * pyramid or a plane alone, where the model has one), mirrored, W or q in other units, the contacts
 * shuffled. */
change change_turned(const imp_model *model, const situation *s, uint64_t k);
change change_mirrored(const imp_model *model, const situation *s, uint64_t k);
change change_mass_unit(const imp_model *model, const situation *s, uint64_t k);
change change_velocity_unit(const imp_model *model, const situation *s, uint64_t k);
change change_order(const imp_model *model, const situation *s, uint64_t k);

situation situation_changed(const situation *s, const change *c);

/* p (3nc) of the original from the changed one's. */
void change_undo(const change *c, int nc, const double *changed_p, double *p);

#endif
