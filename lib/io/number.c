/* number.c - decimal text to double and back.
 *
 * Both ways have a quick path in 64-bit mantissas (x86's long double), after W. D. Clinger (1990),
 * "How to read floating point numbers accurately": powers of ten up to 10^27 and integers below
 * 2^64 are exact there, so that one operation makes one rounding (reading), two make two (printing,
 * down to 1e-37). The result decides all but one case in two thousand when reading and one in
 * thirty when printing. Those go to the C library, as everything does where long double is another
 * type. */
#include "io/number.h"
#include "base/exact.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUICK (LDBL_MANT_DIG == 64)
enum { EXACT_POWER = 27, DIGITS = 17 };

static const long double powers[EXACT_POWER + 1] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
    1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
    1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* value * 10^power, rounded once; |power| <= EXACT_POWER. */
static long double scale(long double value, int power) {
    return power < 0 ? value / powers[-power] : value * powers[power];
}

/* A decimal number taken apart: sign, all significant digits as an integer (first 19), power of
 * ten. */
typedef struct decimal {
    bool negative, complete; /* complete: no digit was left out of `digits` */
    uint64_t digits;
    int power;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The digits at `text`, behind the point when `fraction`; returns where they end. */
static const char *take_digits(const char *text, bool fraction, decimal *d) {
    for (; is_digit(*text); text++) {
        if (d->digits >= UINT64_C(1000000000000000000))
            d->complete = false;
        else
            d->digits = 10 * d->digits + (uint64_t)(*text - '0');
        if (fraction && d->complete && d->power > -INT16_MAX) d->power--;
    }
    return text;
}

static bool take_apart(const char *text, decimal *d) {
    *d = (decimal){.complete = true};
    d->negative = *text == '-';
    text += *text == '-' || *text == '+';
    const char *start = text;
    text = take_digits(text, false, d);
    long count = text - start;
    if (*text == '.') {
        start = ++text;
        text = take_digits(text, true, d);
        count += text - start;
    }
    if (count == 0) return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        const bool down = *text == '-';
        int power = 0;
        text += *text == '-' || *text == '+';
        if (!is_digit(*text)) return false;
        for (; is_digit(*text); text++)
            if (power < INT16_MAX) power = 10 * power + (*text - '0');
        d->power += down ? -power : power;
    }
    return *text == 0;
}

/* Where rounding the 64-bit value to double needs no more than the value itself: anywhere but at a
 * half-way point. */
static bool decides(long double value) {
    uint64_t mantissa;
    memcpy(&mantissa, &value, sizeof mantissa);
    return (mantissa & 0x7ff) != 0x400;
}

const char *imp_number_parse(const char *text, double *x) {
    decimal d;
    if (!take_apart(text, &d)) return "a decimal number";
    if (QUICK && d.complete && abs(d.power) <= EXACT_POWER) {
        const long double value = scale((long double)d.digits, d.power);
        if (decides(value)) {
            *x = d.negative ? -(double)value : (double)value;
            return NULL;
        }
    }
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* allocates nothing for "C" */
    const double value = strtod_l(text, NULL, plain);
    freelocale(plain);
    if (!isfinite(value)) return "a number below 1.8e308";
    *x = value;
    return NULL;
}

/* digits <- the 17 decimal digits of x > 0 as an integer, *power <- that of the first; false: not
 * decided here. */
static bool seventeen(double x, uint64_t *digits, int *power) {
    /* right or one too small */
    int first = (int)floor((imp_exponent(x) - 1) * 0.30102999566398120);
    for (int attempt = 0; attempt < 2; attempt++, first++) {
        const int up = DIGITS - 1 - first, half = up / 2;
        if (abs(up) >= 2 * EXACT_POWER) return false;
        const long double value = scale(scale(x, half), up - half);
        if (value >= powers[DIGITS]) continue;
        const uint64_t whole = (uint64_t)value;
        const long double rest = value - (long double)whole;
        if (fabsl(rest - 0.5L) <= 0x1p-6L) return false; /* two roundings of a value below 2^57 */
        *digits = whole + (rest > 0.5L);
        *power = first;
        if (*digits < (uint64_t)powers[DIGITS]) return true;
        *digits /= 10;
        *power += 1;
        return true;
    }
    return false;
}

static char *put_digits(char *to, const char *digits, int count) {
    memcpy(to, digits, (size_t)count);
    return to + count;
}

/* What "%.17g" makes of them. */
static int lay_out(bool negative, uint64_t value, int power, char *text) {
    char digits[DIGITS];
    for (int i = DIGITS - 1; i >= 0; i--, value /= 10)
        digits[i] = (char)('0' + value % 10);
    int count = DIGITS;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    char *to = text;
    if (negative) *to++ = '-';
    if (power >= 0 && power < DIGITS) {
        const int whole = power + 1, zeros = whole > count ? whole - count : 0;
        to = put_digits(to, digits, whole - zeros);
        for (int i = 0; i < zeros; i++)
            *to++ = '0';
        if (count > whole) *to++ = '.';
        if (count > whole) to = put_digits(to, digits + whole, count - whole);
    } else if (power < 0 && power >= -4) {
        *to++ = '0';
        *to++ = '.';
        for (int i = -1; i > power; i--)
            *to++ = '0';
        to = put_digits(to, digits, count);
    } else { /* |power| < 100 here: two digits */
        *to++ = digits[0];
        if (count > 1) *to++ = '.';
        to = put_digits(to, digits + 1, count - 1);
        *to++ = 'e';
        *to++ = power < 0 ? '-' : '+';
        *to++ = (char)('0' + abs(power) / 10);
        *to++ = (char)('0' + abs(power) % 10);
    }
    *to = 0;
    return (int)(to - text);
}

int imp_number_print(double x, char text[IMP_NUMBER_TEXT]) {
    uint64_t digits;
    int power;
    if (x == 0) return snprintf(text, IMP_NUMBER_TEXT, signbit(x) ? "-0" : "0");
    if (QUICK && seventeen(fabs(x), &digits, &power)) return lay_out(x < 0, digits, power, text);
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    const int length = snprintf(text, IMP_NUMBER_TEXT, "%.17g", x);
    uselocale(before);
    freelocale(plain);
    return length;
}
