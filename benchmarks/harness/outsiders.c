/* outsiders.c - the options of solvers outside the library. */
#include "benchmarks/harness/outsiders.h"
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

outsiders outsiders_init(void) {
    return (outsiders){.limits = {.tolerance = 1e-9, .seconds = 10}};
}

static bool add(outsiders *o, outside_terms own) {
    if (o->count == OUTSIDE_MOST) return false;
    o->terms[o->count++] = own;
    return true;
}

bool outsiders_take(outsiders *o, const char *option, const char *value) {
    static const struct {
        const char *name;
        size_t offset;
        double unit;
    } numbers[] = {{"--time-limit", offsetof(outside_terms, seconds), 1},
                   {"--memory-limit", offsetof(outside_terms, bytes), 0x1p20},
                   {"--tol", offsetof(outside_terms, tolerance), 1}};
    double x;
    if (!value) return false;
    if (strcmp(option, "--exec") == 0) return add(o, (outside_terms){.command = value});
    if (strcmp(option, "--plugin") == 0) return add(o, (outside_terms){.plugin = value});
    if (strcmp(option, "--law") == 0) o->limits.law = value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(option, numbers[i].name) != 0) continue;
        if (imp_number_parse(value, &x) || !(x > 0 && isfinite(x))) return false;
        x *= numbers[i].unit;
        memcpy((char *)&o->limits + numbers[i].offset, &x, sizeof x);
        return true;
    }
    return strcmp(option, "--law") == 0;
}

bool outsiders_open(outsiders *o, const char *program) {
    imp_error error;
    for (int k = 0; k < o->count; k++) {
        outside_terms terms = o->limits;
        terms.command = o->terms[k].command;
        terms.plugin = o->terms[k].plugin;
        o->model[k] = outside_open(&terms, &error);
        if (!o->model[k]) {
            fprintf(stderr, "%s: %s\n", program, error.text);
            return false;
        }
    }
    return true;
}
