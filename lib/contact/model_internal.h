/* model_internal.h - a model asked without a judge, by imp_solve and by time steppers. */
#ifndef IMP_MODEL_INTERNAL_H
#define IMP_MODEL_INTERNAL_H

#include "contact/model.h"

/* p (3nc, N s) <- the model's own answer to a problem that it takes, with its settings and its
 * workspace `work`; no certificate. *found: did it leave an impulse? Where it left none, or one
 * that is not finite (its status ok is IMP_OVERFLOW then), p is 0 unless the status is negative. */
imp_status imp_model_answer(const imp_model *model, const imp_problem *problem,
                            const void *settings, double *p, void *work, imp_info *info,
                            bool *found);

/* The settings, or, where there are none, *room made the presets. */
static inline const void *imp_model_chosen(const imp_model *model, const void *settings,
                                           imp_settings *room) {
    if (!settings) imp_model_presets(model, room);
    return settings ? settings : room;
}

#endif
