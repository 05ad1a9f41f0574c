/* benchmarks/harness/bench.h: a timing is per item of what was run, and an exponent is that of the
 * power it is fitted to.
 */
#include "benchmarks/harness/bench.h"
#include "base/clock.h"
#include "scratch.h"
#include "tap.h"

#include <jansson.h>
#include <unistd.h>

typedef struct work {
    double calls, ended; /* ns, when the last call was over */
    double most;         /* ns, the longest call with what came before it */
} work;

/* 50 microseconds or more */
static void spin(void *context) {
    work *w = context;
    const double start = imp_nanoseconds(CLOCK_MONOTONIC);
    double now = start;
    while (now < start + 5e4)
        now = imp_nanoseconds(CLOCK_MONOTONIC);
    w->most = fmax(w->most, now - (w->calls > 0 ? w->ended : start));
    w->ended = now;
    w->calls++;
}

/* The table that a person reads. */
static void test_table(const char *path, const bench_timing *t) {
    char text[1000] = "", want[40];
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    snprintf(want, sizeof want, " %.5g", t->cpu);
    const char *row = strstr(text, "spin "), *counter = row ? strstr(row, " 1.0e-09") : NULL;
    ok(strstr(text, "contacts") && row && strstr(row, want),
       "a header with the counter, a row with the time");
    ok(counter && strtod(counter + strlen(" 1.0e-09"), NULL) == 3,
       "the error, and the counter behind it");
    ok(strstr(text, "power: exponent 1.50 over 6 points"), "the exponent");
}

int main(void) {
    const char *path = scratch_path("bench.json"), *table = scratch_path("table.txt");
    fflush(stdout);
    const int shown = dup(STDOUT_FILENO);
    if (!freopen(table, "w", stdout)) return 1;
    work w = {0};
    setenv("IMPACT_BENCH_JSON", path, 1);
    bench b = bench_begin("test");
    const char *const counters[] = {"contacts", NULL};
    bench_table(&b, "what a spin takes", counters);
    const bench_timing t = bench_time(spin, &w, 5);
    const double contacts = 3;
    bench_row(&b, "spin", &t, 1e-9, &contacts);
    double x[6], y[6];
    for (int i = 0; i < 6; i++) {
        x[i] = 1 + 2.5 * i;
        y[i] = 7 * pow(x[i], 1.5);
    }
    bench_exponent(&b, "power", 6, x, y);
    fflush(stdout);
    dup2(shown, STDOUT_FILENO);
    close(shown);
    test_table(table, &t);
    ok(t.items > 0 && fmod(t.items, 5) == 0 && t.items / 5 < w.calls && t.items / 5 > 0.5 * w.calls,
       "items timed: five a run, of all runs but those that warm up (%g of %g)", t.items / 5,
       w.calls);
    /* a fifth of a call, with what comes between calls on a busy machine */
    ok(t.least <= t.cpu && t.cpu <= t.most && t.real >= 1e4 && 2.5 * t.real <= w.most,
       "ns per item, by the clock (%.4g)", t.real);
    ok(bench_end(&b) == 0, "written");
    json_t *root = json_load_file(path, 0, NULL), *rows = json_object_get(root, "benchmarks");
    const json_t *row = json_array_get(rows, 0), *power = json_array_get(rows, 1);
    ok(json_array_size(rows) == 2, "two rows");
    /* told to a tenth of a nanosecond */
    is_near(json_number_value(json_object_get(row, "cpu_time")), t.cpu, 0.051, 0, "the row's time");
    is_near(json_number_value(json_object_get(row, "real_time")), t.real, 0.051, 0, "by the clock");
    is_near(json_number_value(json_object_get(row, "error")), 1e-9, 0, 1e-15, "its error");
    is_near(json_number_value(json_object_get(row, "contacts")), 3, 0, 0, "its counter");
    ok(json_integer_value(json_object_get(row, "iterations")) == (json_int_t)t.items, "its items");
    ok(strcmp(json_string_value(json_object_get(power, "aggregate_name")), "exponent") == 0 &&
           strcmp(json_string_value(json_object_get(power, "run_type")), "aggregate") == 0,
       "an aggregate by name");
    is_near(json_number_value(json_object_get(power, "exponent")), 1.5, 0, 1e-12,
            "7 x^1.5 has the exponent");
    const char *cpu = json_string_value(json_object_get(json_object_get(root, "context"), "cpu"));
    char line[512], want[512];
    bool named = false;
    FILE *about = fopen("/proc/cpuinfo", "r");
    snprintf(want, sizeof want, ": %s\n", cpu);
    while (about && fgets(line, sizeof line, about))
        named = named || (strncmp(line, "model name", 10) == 0 && strstr(line, want));
    if (about) fclose(about);
    ok(cpu && (named || strcmp(cpu, "unknown") == 0), "the CPU by its whole name: %s", cpu);
    json_decref(root);
    return tap_done();
}
