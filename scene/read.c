/* read.c - a scene from its JSON: the whole around the bodies, then the multibody objects. */
#include "scene/build.h"

#include "compliant/euler.h"
#include "compliant/merson.h"
#include "io/settings.h"
#include "io/table.h"
#include "base/vec3.h"
#include "scene/joints.h"

#include <stdlib.h>
#include <string.h>

/* Spheres that overlap at the start by more than this of the smaller radius are a fault, unless
 * rounding of places hides it; less is rounding of a touching scene. */
static const double OVERLAP = 1e-9;

bool scene_read_ground(const imp_json *at, scene_draft *draft) {
    static const char *const keys[] = {"point", "normal", "material", NULL};
    size_t n;
    if (!at->value) return true;
    if (!imp_json_array(at, &n)) return false;
    draft->planes = calloc(n + 1, sizeof *draft->planes);
    if (!draft->planes) return imp_json_no_memory(at);
    for (size_t i = 0; i < n; i++) {
        compliant_plane *plane = &draft->planes[draft->nplanes++];
        const imp_json item = imp_json_item(at, i), point = imp_json_member(&item, "point"),
                       normal = imp_json_member(&item, "normal"),
                       material = imp_json_member(&item, "material");
        *plane = (compliant_plane){.normal = {0, 0, 1}, .material = draft->material};
        if (!imp_json_object(&item, keys)) return false;
        if (point.value && !imp_json_vector(&point, 3, plane->point)) return false;
        if (normal.value && !imp_json_direction(&normal, plane->normal)) return false;
        if (material.value && !scene_read_material(&material, &plane->material)) return false;
    }
    return true;
}

static bool read_run(const imp_json *at, compliant_settings *run) {
    static const char *const keys[] = {"until",    "apart",     "accuracy", "stepper",
                                       "max_step", "max_steps", NULL};
    static const char *const words[] = {"rk8pd",          "rkf45", "merson", "semi-explicit-euler",
                                        "implicit-euler", NULL};
    const gsl_odeiv2_step_type *const steppers[] = {
        gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45, compliant_step_merson,
        compliant_step_semi_explicit, gsl_odeiv2_step_rk1imp};
    const imp_json until = imp_json_member(at, keys[0]), near = imp_json_member(at, keys[1]),
                   accuracy = imp_json_member(at, keys[2]), stepper = imp_json_member(at, keys[3]),
                   step = imp_json_member(at, keys[4]), steps = imp_json_member(at, keys[5]);
    int word = 0, most = 0;
    *run = compliant_settings_default();
    if (!at->value) return true;
    if (!imp_json_object(at, keys)) return false;
    if (until.value && !scene_read_positive(&until, &run->until)) return false;
    if (near.value && !imp_json_number_in(&near, 0, INFINITY, &run->apart)) return false;
    if (accuracy.value && !imp_json_number_in(&accuracy, 1e-13, 0.1, &run->accuracy)) return false;
    if (stepper.value && !imp_json_choice(&stepper, words, &word)) return false;
    if (step.value && !scene_read_positive(&step, &run->max_step)) return false;
    if (steps.value && !imp_json_whole(&steps, 1, 1000000000, &most)) return false;
    run->stepper = steppers[word];
    if (most) run->max_steps = most;
    return true;
}

static bool read_impact(const imp_json *at, scene *s) {
    static const char *const keys[] = {"proximity", "restitution", "settings", NULL};
    const imp_json proximity = imp_json_member(at, keys[0]),
                   restitution = imp_json_member(at, keys[1]),
                   settings = imp_json_member(at, keys[2]);
    s->impact = (scene_impact){.proximity = 1e-6, .restitution = NAN};
    if (!at->value) return true;
    if (!imp_json_object(at, keys)) return false;
    if (proximity.value && !imp_json_number_in(&proximity, 0, INFINITY, &s->impact.proximity))
        return false;
    if (restitution.value && !imp_json_number_in(&restitution, 0, 1, &s->impact.restitution))
        return false;
    if (!settings.value) return true;
    if (!json_is_object(settings.value))
        return imp_json_expected(&settings, "an object of model names");
    const char *name;
    json_t *ignored;
    json_object_foreach(settings.value, name, ignored) {
        const imp_json one = imp_json_member(&settings, name);
        const imp_model *model = imp_model_find(name);
        imp_settings scratch;
        if (!model) return imp_json_refuse(&one, "unknown model, expected one of impact models");
        imp_model_presets(model, &scratch);
        if (!imp_json_settings(&one, model, &scratch)) return false;
    }
    s->settings = json_incref(settings.value);
    return true;
}

const char *scene_settings_name(const imp_model *model) {
    const bool outside = imp_model_find(model->name) != model;
    for (const imp_model *const *m = imp_models; *m && outside; m++)
        if (strcmp((*m)->law->name, model->law->name) == 0) return (*m)->name;
    return model->name;
}

void scene_model_settings(const scene *s, const imp_model *model, imp_settings *settings) {
    json_t *own = json_object_get(s->settings, scene_settings_name(model));
    const imp_json at = imp_json_root(own, "scene", NULL);
    imp_model_presets(model, settings);
    if (own) (void)imp_json_settings(&at, model, settings); /* checked when it was read */
}

bool scene_read_name(const imp_json *at, const char *name) {
    return imp_table_holds(name) ||
           imp_json_refuse(at, "a name with a tab, the end of a line or another control character, "
                               "expected one that fits in a row of a table");
}

bool scene_read_bodies(const imp_json *at, scene_draft *draft, char ***names, int *count,
                       json_t *numbers) {
    if (!json_is_object(at->value) || json_object_size(at->value) == 0)
        return imp_json_expected(at, "an object with a body at least");
    const size_t n = json_object_size(at->value);
    draft->bodies = calloc(n, sizeof *draft->bodies);
    *names = calloc(n, sizeof **names);
    if (!draft->bodies || !*names) return imp_json_no_memory(at);
    bool good = true;
    const char *name;
    json_t *ignored;
    json_object_foreach(at->value, name, ignored) {
        if (!good) break;
        const imp_json body = imp_json_member(at, name);
        if (strcmp(name, "ground") == 0)
            good = imp_json_refuse(&body, "a body called ground, expected another name");
        else
            good = scene_read_name(&body, name) && scene_read_body(&body, numbers, draft);
        if (!good) break;
        (*names)[(*count)++] = strdup(name);
        if (!(*names)[draft->nbodies] ||
            json_object_set_new(numbers, name, json_integer(draft->nbodies)) != 0)
            good = imp_json_no_memory(&body);
        draft->nbodies++;
    }
    return good;
}

/* q and v (of scene) <- the bodies' initial state. */
static void place_bodies(const scene_draft *draft, scene *s) {
    for (int i = 0; i < draft->nbodies; i++) {
        const scene_body *b = &draft->bodies[i];
        const imp_link *l = imp_tree_link(s->tree, i);
        if (l->joint == IMP_REVOLUTE || l->joint == IMP_PRISMATIC) {
            s->q[l->q_at] = b->coordinate;
            s->v[l->v_at] = b->rate;
        } else if (l->joint == IMP_FREE) {
            memcpy(s->q + l->q_at, b->position, sizeof b->position);
            memcpy(s->q + l->q_at + 3, b->orientation, sizeof b->orientation);
            memcpy(s->v + l->v_at, b->velocity, sizeof b->velocity);
            memcpy(s->v + l->v_at + 3, b->spin, sizeof b->spin);
        }
    }
    imp_tree_place(s->tree, s->q, s->v);
}

/* Until its lowest sphere has its clearance. */
static void lift(const scene_draft *draft, scene_body *b) {
    const compliant_plane *plane = &draft->planes[0];
    double lowest = INFINITY, R[9];
    rotation3(b->orientation, R);
    for (int k = 0; k < b->spheres; k++) {
        const compliant_sphere *ball = &draft->spheres[b->first_sphere + k];
        double centre[3];
        if (norm3(ball->half) > 0) continue; /* a box stands on its corners */
        apply3(R, ball->centre, centre);
        add3(1, b->position, centre);
        add3(-1, plane->point, centre);
        lowest = fmin(lowest, dot3(centre, plane->normal) - ball->radius);
    }
    add3(b->clearance - lowest, plane->normal, b->position);
}

bool scene_lift_bodies(const imp_json *bodies, char **names, scene_draft *draft) {
    for (int i = 0; i < draft->nbodies; i++) {
        if (isnan(draft->bodies[i].clearance)) continue;
        if (draft->nplanes == 0) {
            const imp_json body = imp_json_member(bodies, names[i]),
                           clearance = imp_json_member(&body, "clearance");
            return imp_json_refuse(&clearance, "a scene without ground, expected one");
        }
        lift(draft, &draft->bodies[i]);
    }
    return true;
}

static bool check_overlaps(const imp_json *at, const scene *s) {
    const imp_json bodies = imp_json_member(at, "bodies");
    const double rounding = compliant_rounding(&s->system, s->q);
    for (int i = 0; i < s->system.npairs; i++) {
        const compliant_pair *p = &s->system.pairs[i];
        const compliant_sphere *b = &s->system.spheres[p->b];
        const double depth = compliant_look(&s->system, i).depth,
                     radius = p->plane >= 0 ? b->radius
                                            : fmin(b->radius, s->system.spheres[p->a].radius);
        if (depth <= fmax(OVERLAP * radius, rounding)) continue;
        const imp_json body = imp_json_member(&bodies, s->names[b->link]);
        return imp_json_refuse(
            &body, "overlaps %s by %g m at the start, expected a gap",
            p->plane >= 0 ? "the ground" : s->names[s->system.spheres[p->a].link], depth);
    }
    return true;
}

static bool refuse_rubbing(const imp_json *joint) {
    return imp_json_refuse(joint,
                           "a joint with friction, which only simulate takes, expected none");
}

/* Where joints have to move freely. */
static bool refuse_friction(const imp_json *at, const scene_draft *draft, char *const *names) {
    const imp_json bodies = imp_json_member(at, "bodies");
    for (int i = 0; i < draft->nbodies; i++) {
        if (draft->bodies[i].friction.dry == 0 && draft->bodies[i].friction.viscous == 0) continue;
        const imp_json body = imp_json_member(&bodies, names[i]);
        return refuse_rubbing(&body);
    }
    return true;
}

/* Are all surfaces linear springs, or none? A pair of both has no law. */
static bool check_springs(const imp_json *at, const scene_draft *draft) {
    int linear = 0;
    for (int i = 0; i < draft->nplanes; i++)
        linear += draft->planes[i].material.spring > 0;
    for (int i = 0; i < draft->nspheres; i++)
        linear += draft->spheres[i].material.spring > 0;
    if (linear == 0 || linear == draft->nplanes + draft->nspheres) return true;
    return imp_json_refuse(at, "linear_stiffness on %d of %d surfaces, expected on all or none",
                           linear, draft->nplanes + draft->nspheres);
}

/* A surface that gives along itself has one coefficient of friction, also with another's. */
static bool check_friction(const imp_json *at, const scene *s) {
    for (int i = 0; i < s->system.npairs; i++) {
        const compliant_law *law = &s->system.pairs[i].law;
        if (law->give > 0 && (law->mu_static > law->mu_dynamic || law->mu_viscous > 0))
            return imp_json_refuse(at, "tangential_compliance on a surface that meets one with "
                                       "static_friction or viscous_friction, expected one "
                                       "coefficient of friction for both");
    }
    return true;
}

static void add_friction(scene *s, int joint, const scene_friction *friction) {
    if (friction->dry == 0 && friction->viscous == 0) return;
    s->mu_c[joint] = friction->dry;
    s->mu_v[joint] = friction->viscous;
    s->rubs++;
}

/* Of joints of the tree and of loops, which `joints` lists; those only where they may rub. */
static bool set_friction(const imp_json *joints, const scene_draft *draft,
                         const scene_friction *of_loops, bool rubs, scene *s) {
    const int nv = imp_tree_nv(s->tree), loops = s->loops ? imp_loops_count(s->loops) : 0;
    s->mu_c = calloc((size_t)(nv + loops) + 1, sizeof *s->mu_c);
    s->mu_v = calloc((size_t)(nv + loops) + 1, sizeof *s->mu_v);
    if (!s->mu_c || !s->mu_v) return imp_json_no_memory(joints);
    for (int i = 0; i < draft->nbodies; i++)
        add_friction(s, imp_tree_link(s->tree, i)->v_at, &draft->bodies[i].friction);
    for (int i = 0; i < loops; i++) {
        const int before = s->rubs;
        const imp_json joint = imp_json_item(joints, (size_t)i);
        add_friction(s, nv + i, &of_loops[i]);
        if (s->rubs > before && !rubs) return refuse_rubbing(&joint);
    }
    return true;
}

static bool assemble(const imp_json *at, const json_t *numbers, scene_draft *draft, bool rubs,
                     scene *s) {
    const imp_json bodies = imp_json_member(at, "bodies"), joints = imp_json_member(at, "joints");
    if (!scene_lift_bodies(&bodies, s->names, draft)) return false;
    imp_link *links = calloc((size_t)draft->nbodies, sizeof *links);
    if (!links) return imp_json_no_memory(at);
    for (int i = 0; i < draft->nbodies; i++)
        links[i] = draft->bodies[i].link;
    imp_status status;
    s->tree = imp_tree_new(draft->nbodies, links, &status);
    free(links);
    if (!s->tree && status == IMP_NO_MEMORY) return imp_json_no_memory(at);
    if (!s->tree)
        return imp_json_refuse(&bodies, "no tree of rigid bodies: %s", imp_status_text(status));
    s->q = calloc((size_t)imp_tree_nq(s->tree) + 1, sizeof *s->q);
    s->v = calloc((size_t)imp_tree_nv(s->tree) + 1, sizeof *s->v);
    if (!s->q || !s->v) return imp_json_no_memory(at);
    place_bodies(draft, s);
    if (imp_tree_factor(s->tree) != IMP_OK)
        return imp_json_refuse(&bodies, "a joint moves no mass, expected a positive mass matrix");
    scene_friction *of_loops;
    const bool joined =
        scene_read_joints(&joints, numbers, s->tree, s->q, s->v, &s->loops, &of_loops) &&
        set_friction(&joints, draft, of_loops, rubs, s);
    free(of_loops);
    if (!joined) return false;
    status =
        compliant_system_init(&s->system, s->tree, draft->gravity, draft->nspheres, draft->spheres,
                              draft->nplanes, draft->planes, draft->transition);
    if (status == IMP_BAD_ARGUMENT)
        return imp_json_refuse(&bodies, "more than %d pairs that may touch, expected fewer",
                               COMPLIANT_PAIRS);
    if (status != IMP_OK) return imp_json_no_memory(at);
    if (s->loops && compliant_system_join(&s->system, s->loops) != IMP_OK)
        return imp_json_no_memory(at);
    return check_friction(at, s) && check_overlaps(at, s);
}

bool scene_read_title(const imp_json *at, const char *name, char **whole) {
    const imp_json title = imp_json_member(at, "title"), source = imp_json_member(at, "source");
    const char *text = "", *ignored;
    if (title.value && !(imp_json_text(&title, &text) && scene_read_name(&title, text)))
        return false;
    if (source.value && !imp_json_text(&source, &ignored)) return false;
    const size_t room = strlen(text) + (name ? strlen(name) : 0) + 3;
    *whole = malloc(room);
    if (!*whole) return imp_json_no_memory(at);
    snprintf(*whole, room, "%s%s%s", text, name && *text ? ", " : "", name ? name : "");
    return true;
}

imp_status scene_read(const imp_json *at, const char *name, bool rubs, scene *s) {
    static const char *const keys[] = {"kind",       "title",    "source", "gravity", "material",
                                       "transition", "ground",   "bodies", "joints",  "run",
                                       "impact",     "variants", NULL};
    const imp_json gravity = imp_json_member(at, "gravity"),
                   material = imp_json_member(at, "material"),
                   transition = imp_json_member(at, "transition"),
                   ground = imp_json_member(at, "ground"), bodies = imp_json_member(at, "bodies"),
                   run = imp_json_member(at, "run"), impact = imp_json_member(at, "impact"),
                   step = imp_json_member(at, "step");
    json_t *numbers = json_object();
    if (!numbers) {
        imp_json_no_memory(at);
        return IMP_NO_MEMORY;
    }
    if (step.value && run.value)
        imp_json_refuse(&step, "beside run, expected one of them: a scene for the time stepper, or "
                               "one with an impact to look at");
    else if (step.value)
        imp_json_refuse(&step,
                        "a scene for the time stepper, expected one with an impact to look at");
    scene_draft draft = {.material = {.stiffness = 1e10}, .transition = 0.01};
    const bool good = !step.value && imp_json_object(at, keys) &&
                      scene_read_title(at, name, &s->title) &&
                      (!gravity.value || imp_json_vector(&gravity, 3, draft.gravity)) &&
                      (!material.value || scene_read_material(&material, &draft.material)) &&
                      (!transition.value || scene_read_positive(&transition, &draft.transition)) &&
                      scene_read_ground(&ground, &draft) &&
                      scene_read_bodies(&bodies, &draft, &s->names, &s->bodies, numbers) &&
                      check_springs(at, &draft) &&
                      (rubs || refuse_friction(at, &draft, s->names)) && read_run(&run, &s->run) &&
                      read_impact(&impact, s) && assemble(at, numbers, &draft, rubs, s);
    json_decref(numbers);
    return scene_end_draft(at, &draft, good);
}

void scene_clear(scene *s) {
    for (int i = 0; i < s->bodies; i++)
        free(s->names[i]);
    free(s->names);
    free(s->title);
    compliant_system_clear(&s->system);
    imp_loops_free(s->loops);
    imp_tree_free(s->tree);
    free(s->q);
    free(s->v);
    free(s->mu_c);
    free(s->mu_v);
    json_decref(s->settings);
    *s = (scene){0};
}
