/* tap.h - a small TAP producer for test programs run by prove.
 *
 * The plan is printed last, so that a crash fails the file. NaN fails every comparison because none
 * is negated.
 *     ok(condition, "name %d", i);  is_near(got, want, absolute, relative, "name");  is_vec(got,
 *     want, n, ...);
 *     skip("why");  skip_all("why");  return tap_done();
 * note("...") is read with prove -v only; diag("...") goes to standard error and is always seen, as
 * failures are. */
#ifndef TAP_H
#define TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_tests, tap_failures, tap_skips;

__attribute__((format(printf, 2, 0))) static inline bool tap_line(bool good, const char *format,
                                                                  va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    printf("%s %d - ", good ? "ok" : "not ok", ++tap_tests);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout); /* what was said before a crash is seen */
    if (!good) {
        fprintf(stderr, "# failed %d - ", tap_tests);
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
    tap_failures += good ? 0 : 1;
    return good;
}

__attribute__((format(printf, 2, 3))) static inline bool ok(bool good, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tap_line(good, format, arguments);
    va_end(arguments);
    return good;
}

__attribute__((format(printf, 1, 2))) static inline void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("# ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

__attribute__((format(printf, 1, 2))) static inline void diag(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("# ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* How many cases are asked: `make check` asks some, `make check LONG=1` all. */
static inline int tap_many(int some, int all) {
    const char *asked = getenv("LONG");
    return asked && *asked ? all : some;
}

/* The larger of the two, for running worst cases; NaN counts as infinite (fmax would drop it). */
static inline double tap_worst(double worst, double value) {
    if (isnan(value)) return INFINITY;
    return value > worst ? value : worst;
}

/* |got - want| <= absolute + relative |want|; an infinite `want` is met by itself alone */
static inline bool tap_near(double got, double want, double absolute, double relative) {
    return got == want || (isfinite(want) && fabs(got - want) <= absolute + relative * fabs(want));
}

__attribute__((format(printf, 5, 6))) static inline bool is_near(double got, double want,
                                                                 double absolute, double relative,
                                                                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const bool good = tap_line(tap_near(got, want, absolute, relative), format, arguments);
    va_end(arguments);
    if (!good) diag("got %.17g, want %.17g, off by %.3g", got, want, fabs(got - want));
    return good;
}

/* max |got - want| <= absolute + relative max |want| over n components */
__attribute__((format(printf, 6, 7))) static inline bool is_vec(const double *got,
                                                                const double *want, int n,
                                                                double absolute, double relative,
                                                                const char *format, ...) {
    double size = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(want[i])) size = fmax(size, fabs(want[i]));
    bool good = true;
    for (int i = 0; i < n; i++)
        good = good && tap_near(got[i], want[i], absolute + relative * size, 0);
    va_list arguments;
    va_start(arguments, format);
    tap_line(good, format, arguments);
    va_end(arguments);
    for (int i = 0; i < n && !good; i++)
        diag("[%d] got %.17g, want %.17g", i, got[i], want[i]);
    return good;
}

static inline void skip(const char *why) {
    printf("ok %d # SKIP %s\n", ++tap_tests, why);
    tap_skips++;
}

static inline int skip_all(const char *why) {
    printf("1..0 # SKIP %s\n", why);
    return 0;
}

/* Prints the plan; the exit status of main. */
static inline int tap_done(void) {
    if (tap_tests == 0) {
        puts("not ok 1 - no test ran\n1..1");
        return 1;
    }
    printf("1..%d\n", tap_tests);
    return tap_failures ? 1 : 0;
}

#endif
