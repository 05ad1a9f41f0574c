/* plugin.h - what a shared object exports to be a solver for `impact solve --plugin`.
 *
 *     #include <impact.h>
 *     const int imp_plugin_abi = IMP_PLUGIN_ABI;
 *     const imp_model imp_plugin_model = {.name = "mine", .solve = mine, ...};
 *
 * The program calls solve in a process of its own for each problem, after imp_model_takes, with the
 * presets of the plugin's keys, and judges the answer by the law --law names. A law of the plugin's
 * is only a name: it says which law is meant where --law does not. Nothing else of libimpact is
 * needed: W is asked by the functions of its kind. */
#ifndef IMP_PLUGIN_H
#define IMP_PLUGIN_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Another number with every change of imp_model, imp_problem, imp_operator or imp_info. */
enum { IMP_PLUGIN_ABI = 1 };

/* The plugin's own, not the library's. */
extern const int imp_plugin_abi;
extern const imp_model imp_plugin_model;

IMP_PUBLIC_END

#endif
