/* machine.c - on what, from what and when a table or a page was made. */
#include "benchmarks/harness/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The first line of a file that begins with a key, what stands behind its colon. */
static void look_up(const char *path, const char *key, char *text, size_t room) {
    char line[512];
    FILE *file = fopen(path, "r");
    snprintf(text, room, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon) continue;
        snprintf(text, room, "%s", colon + 1 + strspn(colon + 1, " \t"));
        text[strcspn(text, "\n")] = '\0';
        break;
    }
    if (file) fclose(file);
}

machine machine_this(void) {
    const char *commit = getenv("IMPACT_BENCH_COMMIT");
    machine m = {.compiler = COMPILER, .commit = commit && *commit ? commit : "unknown"};
    const time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(m.date, sizeof m.date, "%Y-%m-%dT%H:%M:%S%z", &local);
    look_up("/proc/cpuinfo", "model name", m.cpu, sizeof m.cpu);
    return m;
}
