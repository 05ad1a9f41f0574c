/* simulate.c - `impact simulate`: a scene in time, by the time stepper where it has a step, from
 * impact to impact where it has a run. */
#include "cli/simulate.h"

#include <string.h>

/* Is it a setting of the model, without points? */
static bool is_setting(const imp_model *model, const char *assignment) {
    const size_t length = strcspn(assignment, "=.");
    return assignment[length] == '=' && imp_settings_has(model, assignment, length);
}

static bool has_step(const scene_file *file) {
    return json_object_get(file->root, "step") != NULL;
}

static bool is_any_setting(const char *assignment) {
    for (const imp_model *const *m = imp_models; *m; m++)
        if (is_setting(*m, assignment)) return true;
    return false;
}

/* Of a scene with a step its keys alone, which may choose the model. */
static imp_status assign_keys(const options *o, scene_file *file, imp_error *error) {
    const imp_model *const none[] = {NULL};
    imp_status status = IMP_OK;
    for (char **a = o->assign; *a && has_step(file) && status == IMP_OK; a++)
        if (!is_any_setting(*a)) status = scene_assign(file, none, *a, error);
    return status;
}

/* What is left: of a scene with a step settings of no model that it has. */
static imp_status assign_rest(const options *o, scene_file *file, const imp_model *model,
                              imp_error *error) {
    const imp_model *const models[] = {model, NULL};
    imp_status status = IMP_OK;
    for (char **a = o->assign; *a && status == IMP_OK; a++)
        if (!has_step(file) || (is_any_setting(*a) && !is_setting(model, *a)))
            status = scene_assign(file, models, *a, error);
    return status;
}

/* The model of the command line, or of the scene's step. NULL after a complaint. */
static const imp_model *model_of(const options *o, const scene_file *file, int variant) {
    imp_error error;
    scene_steps s;
    if (o->models[0] && o->models[1]) {
        complain_of("simulate: %s and %s, expected one model", o->models[0]->name,
                    o->models[1]->name);
        return NULL;
    }
    if (o->models[0]) return o->models[0];
    if (!has_step(file)) {
        complain_of("%s: simulate: no model, expected --model NAME (impact models lists them)",
                    file->name);
        return NULL;
    }
    if (scene_steps_build(file, variant, &s, &error) != IMP_OK) {
        complain(&error);
        return NULL;
    }
    const imp_model *model = s.settings.model;
    scene_steps_clear(&s);
    return model;
}

static int steps_of(const options *o, const scene_file *file, int variant, const imp_model *model) {
    simulation r = simulation_of(o);
    imp_error error;
    scene_steps s;
    imp_status status = scene_steps_build(file, variant, &s, &error);
    if (status == IMP_OK && s.settings.model != model) {
        s.settings.model = model;
        imp_model_presets(model, &s.own);
    }
    for (char **a = o->assign; *a && status == IMP_OK; a++)
        if (is_setting(model, *a)) status = imp_settings_assign(model, &s.own, *a, &error);
    if (status == IMP_OK && !(model->takes & IMP_TAKES_MANY))
        status =
            imp_error_set(&error, IMP_UNSUPPORTED,
                          "simulate: %s takes one contact, expected a model of many", model->name);
    if (status != IMP_OK) {
        scene_steps_clear(&s);
        return complain(&error);
    }
    r.names = s.names;
    r.named = s.named;
    r.until = s.until;
    const int outcome = simulation_close(
        &r, simulation_open(o, file, variant, &r) ? simulate_steps(&r, &s) : EXIT_BAD);
    scene_steps_clear(&s);
    return outcome;
}

static int course_of(const options *o, const scene_file *file, int variant,
                     const imp_model *model) {
    simulation r = simulation_of(o);
    imp_error error;
    imp_settings settings;
    scene s;
    if (scene_build_rubbing(file, variant, &s, &error) != IMP_OK) return complain(&error);
    scene_model_settings(&s, model, &settings);
    r.names = s.names;
    r.named = s.bodies;
    r.until = s.run.until;
    const int outcome = simulation_close(&r, simulation_open(o, file, variant, &r)
                                                 ? simulate_course(&r, &s, model, &settings)
                                                 : EXIT_BAD);
    scene_clear(&s);
    return outcome;
}

static int run_file(const options *o, scene_file *file) {
    imp_error error;
    int variant, last;
    if (!options_keep_apart(o)) return EXIT_BAD;
    if (!asked_variants(o, file, &variant, &last)) return EXIT_BAD;
    if (assign_keys(o, file, &error) != IMP_OK) return complain(&error);
    const imp_model *model = model_of(o, file, variant);
    if (!model) return EXIT_BAD;
    if (assign_rest(o, file, model, &error) != IMP_OK) return complain(&error);
    return has_step(file) ? steps_of(o, file, variant, model) : course_of(o, file, variant, model);
}

static int run(const command *self, int argc, char **argv) {
    return run_scene(self, argc, argv, run_file);
}

static const char *const option_names[] = {"model",    "set", "variant", "every",  "bodies",
                                           "contacts", "vtk", "keep",    "output", NULL};

const command command_simulate = {
    .name = "simulate",
    .arguments = "[OPTION]... SCENE",
    .summary = "run a scene in time, by steps or from impact to impact",
    .options = option_names,
    .text = "A scene with a step goes by the time stepper: a row per step. Any other goes from "
            "impact to impact by\n"
            "--model, in free motion between them, or sliding, rolling and resting: a row per "
            "impact and per change\n"
            "of contacts that last (rests, slides, sticks, leaves, zeno), and a last one that says "
            "how it ended: end\n"
            "(of its time), zeno (impacts pile up, and nothing lasts), no-force (Painleve), "
            "undetermined, unsolved,\n"
            "stopped. An impact without an answer ends it, and a step that cannot be made: its "
            "status stands in the last\n"
            "row, the exit status is 1, as it is where a step goes on with the best that the model "
            "has. `lost` is what the\n"
            "impact, or the steps since the row before, took of the energy, `rubbed` what friction "
            "took since, `drift` what\n"
            "joints that close loops miss (m, or a sine): after a step, before they were closed "
            "again.\n"
            "KEY is a setting of the model or a key of the scene (--set step.h=0.001 --set "
            "run.until=2).\n",
    .files = 1,
    .models = true,
    .one_model = true,
    .tables = true,
    .run = run,
};
