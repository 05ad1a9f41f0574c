/* models.c - the table of models. To add one: its file, its test, a line here, a row in the README. */
#include "contact/model.h"
#include "cone/anitescu.h"
#include "blocks/blocks.h"
#include "cone/convex.h"
#include "plus/plus.h"
#include "single/darboux.h"
#include "single/single.h"

const imp_model *const imp_models[] = {
    &imp_model_maxdiss,
    &imp_model_coulomb,
    &imp_model_darboux_stronge,
    &imp_model_darboux_poisson,
    &imp_model_darboux_newton,
    &imp_model_planar_stronge,
    &imp_model_planar_poisson,
    &imp_model_planar_newton,
    &imp_model_plus,
    &imp_model_single_phase,
    &imp_model_newton,
    &imp_model_poisson,
    &imp_model_anitescu,
    &imp_model_drumwright,
    &imp_model_frictionless,
    &imp_model_gauss_seidel_maxdiss,
    &imp_model_gauss_seidel_coulomb,
    &imp_model_auto,
    NULL,
};
