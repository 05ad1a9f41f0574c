/* test_io_number.c - decimal numbers against the C library, bit for bit, and what is no number. */
#include "generators/gen.h"
#include "io/number.h"
#include "tap.h"

#include <locale.h>

enum { ROUNDS = 300000, KINDS = 6 };

/* Doubles of many kinds: any bits, ordinary, every size, few digits, whole, near powers of two. */
static double draw(gen_stream *s, int kind) {
    double x = gen_uniform(s, -1, 1);
    uint64_t bits;
    switch (kind) {
    case 0:
        bits = (uint64_t)(gen_uniform(s, 0, 1) * 0x1p32) << 32 ^
               (uint64_t)(gen_uniform(s, 0, 1) * 0x1p32);
        memcpy(&x, &bits, sizeof x);
        return isfinite(x) ? x : 1;
    case 1: return x;
    case 2: return x * gen_power10(s, -20, 45);
    case 3: return round(x * 1e6) / 1000;
    case 4: return round(x * gen_power10(s, 0, 18));
    default: return ldexp(1 + floor(4 * fabs(x)) * 0x1p-52, (int)gen_uniform(s, -60, 150));
    }
}

static bool same_bits(double a, double b) {
    return a == b && signbit(a) == signbit(b); /* neither is NaN */
}

static void compare_printing(gen_stream *s) {
    for (int kind = 0; kind < KINDS; kind++) {
        int wrong = 0;
        for (int i = 0; i < ROUNDS / KINDS; i++) {
            const double x = draw(s, kind);
            char got[IMP_NUMBER_TEXT], want[64];
            const int length = imp_number_print(x, got);
            wrong += snprintf(want, sizeof want, "%.17g", x) != length || strcmp(got, want) != 0;
        }
        ok(wrong == 0, "prints as %%.17g, kind %d: %d differ", kind, wrong);
    }
}

/* Powers of ten, where the count of digits changes, and their neighbours. */
static void compare_powers(void) {
    int wrong = 0;
    for (int power = -80; power <= 90; power++)
        for (int step = -3; step <= 3; step++) {
            char text[64], got[IMP_NUMBER_TEXT];
            snprintf(text, sizeof text, "1e%d", power);
            double x = strtod(text, NULL);
            for (int k = 0; k < abs(step); k++)
                x = nextafter(x, step < 0 ? 0 : INFINITY);
            imp_number_print(x, got);
            snprintf(text, sizeof text, "%.17g", x);
            wrong += strcmp(got, text) != 0;
        }
    ok(wrong == 0, "around powers of ten: %d differ", wrong);
}

static void compare_reading(gen_stream *s) {
    for (int kind = 0; kind < KINDS; kind++) {
        int wrong = 0;
        for (int i = 0; i < ROUNDS / KINDS; i++) {
            const double x = draw(s, kind);
            const int digits = 1 + (int)gen_uniform(s, 0, 24);
            char text[400];
            double got = NAN;
            snprintf(text, sizeof text, i % 3 == 0 && fabs(x) < 1e20 ? "%.*f" : "%.*g", digits, x);
            const double want = strtod(text, NULL);
            if (isfinite(want))
                wrong += imp_number_parse(text, &got) != NULL || !same_bits(got, want);
        }
        ok(wrong == 0, "reads as strtod, kind %d: %d differ", kind, wrong);
    }
}

/* At, just above and just below the point half way between two doubles (they are 2 apart here):
 * where a value rounded first to a longer mantissa would be rounded wrongly. */
static void compare_halfway(gen_stream *s) {
    static const char *const ends[] = {"", ".0", ".001", ".0004", ".0005", ".0006", ".01"};
    int wrong = 0;
    for (int i = 0; i < ROUNDS / 10; i++) {
        const double even = 2 * floor(gen_uniform(s, 9.1e15, 9.9e15) / 2);
        for (size_t k = 0; k < 2 * sizeof ends / sizeof *ends; k++) {
            char text[64];
            double got = NAN;
            if (k % 2)
                snprintf(text, sizeof text, "%.0f.999%zu", even, k);
            else
                snprintf(text, sizeof text, "%lld%s", (long long)even + 1, ends[k / 2]);
            const double want = strtod(text, NULL);
            wrong += imp_number_parse(text, &got) != NULL || !same_bits(got, want);
        }
    }
    ok(wrong == 0, "near half-way points: %d differ", wrong);
}

static void check_refusals(void) {
    static const char *const bad[] = {
        "",    " ",   "1 ",   " 1",   "1x",    "x",    "--1",      "+-1", "1e",   "1e+",
        "e5",  ".",   "-",    "1..2", "1.2.3", "0x10", "0x1p3",    "inf", "-inf", "nan",
        "NaN", "1,5", "1e5.", "1d5",  "1_000", "1e 5", "Infinity", "١",   "1\n",  "1e--5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x = 42;
        ok(imp_number_parse(bad[i], &x) != NULL && x == 42, "\"%s\" is no number",
           i == 28 ? "1 newline" : bad[i]);
    }
    int taken = 0;
    for (int k = 1; k < 16; k++) /* one byte that is no digit, wherever it stands */
        for (int c = 1; c < 256; c++) {
            char digits[] = "1234567890123456";
            double y = 42;
            if ((c >= '0' && c <= '9') || strchr(".eE", c)) continue;
            digits[k] = (char)c;
            taken += !imp_number_parse(digits, &y) || y != 42;
        }
    ok(taken == 0, "sixteen digits with another byte among them: %d taken", taken);
    double x = 42;
    ok(imp_number_parse("1e309", &x) && imp_number_parse("-1e999999999999", &x) && x == 42,
       "beyond double");
    ok(!imp_number_parse("1e-400", &x) && x == 0, "below double is 0");
    ok(!imp_number_parse("5e-324", &x) && x == 5e-324, "the smallest double");
    ok(!imp_number_parse("-0.0", &x) && x == 0 && signbit(x), "minus zero");
    ok(!imp_number_parse("+.5", &x) && x == 0.5 && !imp_number_parse("5.", &x) && x == 5,
       "a point at either end");
    ok(!imp_number_parse("0000000000000000000000000000001.5E+00", &x) && x == 1.5, "leading zeros");
    char text[IMP_NUMBER_TEXT];
    ok(imp_number_print(-0.0, text) == 2 && strcmp(text, "-0") == 0, "minus zero is printed");
}

/* More zeros than powers are counted, which the exponent takes back. */
static void check_zeros(void) {
    enum { MOST = 400000 };
    static char text[MOST + 64];
    static const struct {
        const char *before, *behind;
        int zeros;
    } rows[] = {{"00000000.", "1e32767", 40000},   {"-00000000.", "1e32767", 40000},
                {"00000000.", "1e40001", 40000},   {"0.", "1e40001", 40000},
                {"00000000.", "1e32767", 32766},   {"00000000.", "1e32767", 32767},
                {"0.", "1e400001", MOST},          {"00000000.", "1e400001", MOST},
                {"0.", "123456e400001", MOST - 3}, {"0.", "1e-400001", MOST}};
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double x = 42;
        snprintf(text, sizeof text, "%s%0*d%s", rows[k].before, rows[k].zeros, 0, rows[k].behind);
        const char *const complaint = imp_number_parse(text, &x);
        const double want = strtod(text, NULL);
        if (!complaint && memcmp(&x, &want, sizeof x) == 0) continue;
        wrong++;
        diag("%s<%d zeros>%s: %g, not %g", rows[k].before, rows[k].zeros, rows[k].behind, x, want);
    }
    ok(wrong == 0, "behind many zeros: %d differ", wrong);
}

static void check_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i]))
        i++;
    if (i == sizeof names / sizeof *names) {
        skip("no locale with a decimal comma");
        return;
    }
    double x = 0;
    char text[IMP_NUMBER_TEXT];
    imp_number_print(1.5e-300, text);
    ok(!imp_number_parse("1.5e-300", &x) && x == 1.5e-300 &&
           strcmp(text, "1.5000000000000001e-300") == 0,
       "numbers under %s", names[i]);
    setlocale(LC_ALL, "C");
}

int main(void) {
    gen_stream s = gen_seed(2026, 1);
    compare_printing(&s);
    compare_powers();
    compare_reading(&s);
    compare_halfway(&s);
    check_refusals();
    check_zeros();
    check_comma_locale();
    return tap_done();
}
