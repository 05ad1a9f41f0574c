/* outsiders.c - the options of solvers outside the library. */
#include "benchmarks/harness/outsiders.h"
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

outsiders outsiders_init(void) {
    return (outsiders){.list.limits = {.tolerance = 1e-9, .seconds = 10}};
}

/* A limit that is no number, or none of the limits, ends the program. */
static void take_number(outsiders *o, const usage *about, const char *option, const char *value) {
    static const struct {
        const char *name;
        size_t offset;
        double unit;
    } numbers[] = {{"--time-limit", offsetof(outside_terms, seconds), 1},
                   {"--memory-limit", offsetof(outside_terms, bytes), 0x1p20},
                   {"--tol", offsetof(outside_terms, tolerance), 1}};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    size_t i = 0;
    double x;
    while (i < NUMBERS && strcmp(option, numbers[i].name) != 0)
        i++;
    if (i == NUMBERS) usage_refuse(about, "unknown argument \"%.60s\"", option);
    if (!value) usage_refuse(about, "%s without its value", option);
    if (imp_number_parse(value, &x) || !(x > 0 && isfinite(x)))
        usage_refuse(about, "%s is \"%.60s\", no number > 0", option, value);
    x *= numbers[i].unit;
    memcpy((char *)&o->list.limits + numbers[i].offset, &x, sizeof x);
}

void outsiders_take(outsiders *o, const usage *about, const char *option, const char *value) {
    const bool program = strcmp(option, "--exec") == 0, plugin = strcmp(option, "--plugin") == 0,
               law = strcmp(option, "--law") == 0;
    const outside_terms own = {.command = program ? value : NULL, .plugin = plugin ? value : NULL};
    imp_error error;
    if (!program && !plugin && !law) {
        take_number(o, about, option, value);
        return;
    }
    if (!value) usage_refuse(about, "%s without its value", option);
    if (law ? outside_list_law(&o->list, value, &error)
            : outside_list_solver(&o->list, own, &error))
        return;
    fprintf(stderr, "%s: %s\n", about->program, error.text);
    exit(2);
}

bool outsiders_open(outsiders *o, const char *program) {
    imp_error error;
    if (outside_list_open(&o->list, o->model, &error)) return true;
    fprintf(stderr, "%s: %s\n", program, error.text);
    return false;
}
