/* asked.c - classes, seeds and progress of commands that make fresh problems. */
#include "cli/asked.h"
#include "base/clock.h"
#include "cli/cli.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

const fresh_class *find_class(const char *name) {
    const char *names[MOST_CLASSES + 1] = {NULL};
    char hint[80];
    for (int i = 0; fresh_classes[i].name && i < MOST_CLASSES; i++) {
        if (strcmp(fresh_classes[i].name, name) == 0) return &fresh_classes[i];
        names[i] = fresh_classes[i].name;
    }
    complain_of("unknown class \"%.60s\"%s, expected one that impact problems lists", name,
                imp_suggest(name, names, hint));
    return NULL;
}

bool find_classes(char *const *names, const fresh_class *classes[MOST_CLASSES + 1]) {
    int count = 0;
    for (; names[count]; count++) {
        const fresh_class *found = find_class(names[count]);
        if (!found) return false;
        for (int i = 0; i < count; i++)
            if (classes[i] == found)
                return complain_of("class \"%s\" stands twice, expected it once", found->name),
                       false;
        classes[count] = found;
    }
    for (int i = 0; !names[0] && fresh_classes[i].name; i++)
        classes[count++] = &fresh_classes[i];
    classes[count] = NULL;
    return true;
}

bool draw_seed(const char *asker, double *seed) {
    uint32_t drawn; /* few enough digits to be typed */
    if (!isnan(*seed)) return true;
    if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) {
        complain_of("%s: the system gives no random number, expected --seed S", asker);
        return false;
    }
    *seed = drawn;
    return true;
}

/* As a shell reads it; what is not printed is a blank. */
static void put_quoted(const char *word, FILE *out) {
    const bool plain = *word && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                                                   "uvwxyz0123456789-_./=:,+")];
    if (!plain) fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(iscntrl((unsigned char)*word) ? ' ' : *word, out);
    }
    if (!plain) fputc('\'', out);
}

char *command_again(int argc, char *const *argv, bool seeded, double seed) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fputs("impact", out);
    for (int i = 0; i < argc; i++) {
        fputc(' ', out);
        put_quoted(argv[i], out);
        if (i == 0 && !seeded) fprintf(out, " --seed %.0f", seed);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void show_asked(void *context, long done, long all) {
    asked_progress *progress = context;
    const double now = imp_seconds(CLOCK_MONOTONIC);
    if (now - progress->shown_at < 1 || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K%ld of %ld problems", done, all);
    fflush(stderr);
    progress->shown_at = now;
    progress->shown = true;
}

void hide_asked(asked_progress *progress) {
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
}
