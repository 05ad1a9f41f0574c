/* cradle.c - see cradle.h. */
#include "benchmarks/harness/cradle.h"

#include <math.h>
#include <stdlib.h>

bool cradle_make(cradle *c, int balls, double gap, double ratio) {
    static const double weightless[3];
    const size_t n = (size_t)balls;
    double radius = 0.25, mass = 1, place = 0;
    imp_link *link = calloc(n, sizeof *link);
    compliant_sphere *sphere = calloc(n, sizeof *sphere);
    *c = (cradle){.settings = compliant_settings_default(),
                  .q = calloc(7 * n, sizeof *c->q),
                  .v = calloc(6 * n, sizeof *c->v),
                  .after = calloc(n, sizeof *c->after)};
    c->settings.history = false;
    c->settings.max_steps = 100000000;
    const bool room = link && sphere && c->q && c->v && c->after;
    for (size_t i = 0; room && i < n; i++) {
        const double I = 0.4 * mass * radius * radius;
        link[i] = (imp_link){.parent = IMP_GROUND,
                             .joint = IMP_FREE,
                             .mass = mass,
                             .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
        sphere[i] =
            (compliant_sphere){.link = (int)i, .radius = radius, .material = {.stiffness = 1e10}};
        c->q[7 * i] = place;
        c->q[7 * i + 3] = 1;
        place += radius * (1 + ratio) + gap;
        radius *= ratio;
        mass *= ratio * ratio * ratio;
    }
    if (room) {
        c->v[0] = 2;
        c->tree = imp_tree_new(balls, link, NULL);
    }
    const bool good = c->tree && compliant_system_init(&c->system, c->tree, weightless, balls,
                                                       sphere, 0, NULL, 0.01) == IMP_OK;
    free(link);
    free(sphere);
    return good;
}

void cradle_clear(cradle *c) {
    compliant_system_clear(&c->system);
    imp_tree_free(c->tree);
    free(c->q);
    free(c->v);
    free(c->after);
}

imp_status cradle_run(cradle *c) {
    compliant_result result;
    c->momentum = NAN;
    const imp_status status = compliant_run(&c->system, &c->settings, c->q, c->v, &result);
    if (status == IMP_OK) c->momentum = 0;
    for (int i = 0; i < imp_tree_links(c->tree) && result.y; i++) {
        c->after[i] = result.y[result.layout.v + 6 * i];
        c->momentum += c->after[i] * imp_tree_link(c->tree, i)->mass / c->v[0];
    }
    c->evaluations = (double)result.evaluations;
    c->steps = (double)result.steps;
    compliant_result_clear(&result);
    return status;
}
