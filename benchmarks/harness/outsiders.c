/* outsiders.c - the options of solvers outside the library. */
#include "benchmarks/harness/outsiders.h"
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

outsiders outsiders_init(void) {
    return (outsiders){.list.limits = {.tolerance = 1e-9, .seconds = 10}};
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
    imp_error error;
    if (!value) return false;
    if (strcmp(option, "--exec") == 0)
        return outside_list_solver(&o->list, (outside_terms){.command = value}, &error);
    if (strcmp(option, "--plugin") == 0)
        return outside_list_solver(&o->list, (outside_terms){.plugin = value}, &error);
    if (strcmp(option, "--law") == 0) return outside_list_law(&o->list, value, &error);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(option, numbers[i].name) != 0) continue;
        if (imp_number_parse(value, &x) || !(x > 0 && isfinite(x))) return false;
        x *= numbers[i].unit;
        memcpy((char *)&o->list.limits + numbers[i].offset, &x, sizeof x);
        return true;
    }
    return false;
}

bool outsiders_open(outsiders *o, const char *program) {
    imp_error error;
    if (outside_list_open(&o->list, o->model, &error)) return true;
    fprintf(stderr, "%s: %s\n", program, error.text);
    return false;
}
