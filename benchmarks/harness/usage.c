/* usage.c - answers to --help and --list, and refusals of one line. */
#include "benchmarks/harness/usage.h"
#include "impact.h"
#include "io/number.h"
#include "io/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUGGESTED = 400 };

void usage_refuse(const usage *u, const char *format, ...) {
    char fault[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault, sizeof fault, format, arguments);
    va_end(arguments);
    for (char *c = fault; *c; c++)
        if ((unsigned char)*c < ' ') *c = '?'; /* one line, whatever was given */
    fprintf(stderr, "%s: %s, expected %s%s%s\n", u->program, fault, u->program,
            *u->arguments ? " " : "", *u->arguments ? u->arguments : " without arguments");
    exit(2);
}

static _Noreturn void leave(const usage *u) {
    if (fflush(stdout) == 0) exit(0);
    fprintf(stderr, "%s: standard output: %s\n", u->program, strerror(errno));
    exit(2);
}

static _Noreturn void help(const usage *u) {
    printf("usage: %s%s%s\n\n%s\nOptions:\n  --help  this text\n", u->program,
           *u->arguments ? " " : "", u->arguments, u->text);
    if (u->name) puts("  --list  what it knows by name");
    if (u->environment) printf("\nEnvironment:\n%s", u->environment);
    leave(u);
}

static _Noreturn void list(const usage *u) {
    for (int k = 0; u->name(k); k++)
        printf("%s%s%s\n", u->name(k), u->title ? "\t" : "", u->title ? u->title(k) : "");
    leave(u);
}

void usage_answer(const usage *u, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) help(u);
        if (strcmp(argv[i], "--list") == 0 && u->name) list(u);
    }
    for (int i = 1; i < argc && u->most >= 0; i++) {
        if (argv[i][0] == '-') usage_refuse(u, "unknown option \"%.60s\"", argv[i]);
        if (i > u->most) usage_refuse(u, "\"%.60s\" is one argument too many", argv[i]);
    }
}

double usage_whole(const usage *u, const char *what, const char *text, double low, double high) {
    double x;
    if (imp_number_parse(text, &x) || !(x >= low && x <= high) || fmod(x, 1) != 0)
        usage_refuse(u, "%s is \"%.60s\", no whole number from %.17g to %.17g", what, text, low,
                     high);
    return x;
}

const char *usage_model(int k) {
    return imp_models[k] ? imp_models[k]->name : NULL;
}

int usage_find(const usage *u, const char *what, const char *word) {
    const char *names[SUGGESTED + 1] = {NULL};
    char hint[80];
    for (int k = 0; u->name(k); k++) {
        if (strcmp(u->name(k), word) == 0) return k;
        if (k < SUGGESTED) names[k] = u->name(k);
    }
    usage_refuse(u, "unknown %s \"%.60s\"%s, not one of --list", what, word,
                 imp_suggest(word, names, hint));
}
