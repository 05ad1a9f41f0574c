/* number.c - decimal text to double and back.
 *
 * Reading has a quick path in 64-bit mantissas (x86's long double), after W. D. Clinger (1990),
 * "How to read floating point numbers accurately": powers of ten up to 10^27 and integers below
 * 2^64 are exact there, so that one operation makes one rounding. The result decides all but one
 * case in two thousand; those go to the C library, as everything does where long double is another
 * type. Printing has one in integers: 53 bits times 5^55 are 181 bits, and exact, so that numbers
 * from 1e-39 to 1e17 are rounded right; the C library prints the others, and all of them where
 * there are no integers of 128 bits, as on machines of 32. */
#include "io/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUICK (LDBL_MANT_DIG == 64)
enum { EXACT_POWER = 27, MOST_FIVES = 55, DIGITS = 17 };

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

/* *value <- the eight digits at `text`; false where not all of them are digits. Pairs, then fours,
 * then all of them are put together in the bytes of one word. */
static bool eight_digits(const char *text, uint64_t *value) {
    uint64_t x;
    memcpy(&x, text, sizeof x);
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) x = __builtin_bswap64(x);
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
    /* 0x3a to 0x3f are no digits: six more and they leave the row */
    if ((x & high) != zeros || ((x + UINT64_C(0x0606060606060606)) & high) != zeros) return false;
    x -= zeros;
    x = (10 * x + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (100 * x + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *value = (10000 * x + (x >> 32)) & UINT64_C(0xffffffff);
    return true;
}

/* The digits at `text`, behind the point when `fraction`; returns where they end. */
static const char *take_digits(const char *text, const char *end, bool fraction, decimal *d) {
    for (uint64_t eight; end - text >= 8 && d->digits < UINT64_C(10000000000) &&
                         d->power > -INT16_MAX && eight_digits(text, &eight);
         text += 8) {
        d->digits = 100000000 * d->digits + eight;
        if (fraction) d->power -= 8;
    }
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
    const char *start = text, *end = text + strlen(text);
    text = take_digits(text, end, false, d);
    long count = text - start;
    if (*text == '.') {
        start = ++text;
        text = take_digits(text, end, true, d);
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

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
static const uint64_t LIMIT = UINT64_C(100000000000000000); /* 10^DIGITS */

/* 5^k: its upper and lower 64 bits. */
static const uint64_t fives[MOST_FIVES + 1][2] = {{0, 0x1},
                                                  {0, 0x5},
                                                  {0, 0x19},
                                                  {0, 0x7d},
                                                  {0, 0x271},
                                                  {0, 0xc35},
                                                  {0, 0x3d09},
                                                  {0, 0x1312d},
                                                  {0, 0x5f5e1},
                                                  {0, 0x1dcd65},
                                                  {0, 0x9502f9},
                                                  {0, 0x2e90edd},
                                                  {0, 0xe8d4a51},
                                                  {0, 0x48c27395},
                                                  {0, 0x16bcc41e9},
                                                  {0, 0x71afd498d},
                                                  {0, 0x2386f26fc1},
                                                  {0, 0xb1a2bc2ec5},
                                                  {0, 0x3782dace9d9},
                                                  {0, 0x1158e460913d},
                                                  {0, 0x56bc75e2d631},
                                                  {0, 0x1b1ae4d6e2ef5},
                                                  {0, 0x878678326eac9},
                                                  {0, 0x2a5a058fc295ed},
                                                  {0, 0xd3c21bcecceda1},
                                                  {0, 0x422ca8b0a00a425},
                                                  {0, 0x14adf4b7320334b9},
                                                  {0, 0x6765c793fa10079d},
                                                  {0x2, 0x4fce5e3e2502611},
                                                  {0xa, 0x18f07d736b90be55},
                                                  {0x32, 0x7cb2734119d3b7a9},
                                                  {0xfc, 0x6f7c40458122964d},
                                                  {0x4ee, 0x2d6d415b85acef81},
                                                  {0x18a6, 0xe32246c99c60ad85},
                                                  {0x7b42, 0x6fab61f00de36399},
                                                  {0x2684c, 0x2e58e9b04570f1fd},
                                                  {0xc097c, 0xe7bc90715b34b9f1},
                                                  {0x3c2f70, 0x86aed236c807a1b5},
                                                  {0x12ced32, 0xa16a1b11e8262889},
                                                  {0x5e0a1fd, 0x2712875988becaad},
                                                  {0x1d6329f1, 0xc35ca4bfabb9f561},
                                                  {0x92efd1b8, 0xd0cf37be5aa1cae5},
                                                  {0x2deaf189c, 0x140c16b7c528f679},
                                                  {0xe596b7b0c, 0x643c7196d9ccd05d},
                                                  {0x47bf19673d, 0xf52e37f2410011d1},
                                                  {0x166bb7f0435, 0xc9e717bb45005915},
                                                  {0x701a97b150c, 0xf18376a85901bd69},
                                                  {0x23084f676940, 0xb7915149bd08b30d},
                                                  {0xaf298d050e43, 0x95d69670b12b7f41},
                                                  {0x36bcfc1194751, 0xed30f03375d97c45},
                                                  {0x111b0ec57e6499, 0xa1f4b1014d3f6d59},
                                                  {0x558749db77f700, 0x29c77506823d22bd},
                                                  {0x1aba4714957d300, 0xd0e549208b31adb1},
                                                  {0x85a36366eb71f04, 0x147a6da2b7f86475},
                                                  {0x29c30f1029939b14, 0x6664242d97d9f649},
                                                  {0xd0cf4b50cfe20765, 0xfff4b4e3f741cf6d}};

/* *whole <- the integer nearest to mantissa 5^up / 2^down, the even one of two; false: not below
 * 10^DIGITS, even without rounding. */
static bool nearest(uint64_t mantissa, int up, int down, uint64_t *whole) {
    /* the product's lowest 64 bits, and those above */
    const wide lower = (wide)mantissa * fives[up][1];
    const wide above = (wide)mantissa * fives[up][0] + (lower >> 64);
    const uint64_t below = (uint64_t)lower;
    const bool deep = down > 64;
    const int cut_off = deep ? down - 64 : down;
    const wide half = (wide)1 << (cut_off - 1), rest = (deep ? above : below) & (2 * half - 1);
    const wide cut = deep ? above >> cut_off : above << (64 - down) | (wide)below >> down;
    const bool more = deep && below > 0;
    *whole = (uint64_t)cut;
    if (cut >= LIMIT) return false;
    *whole += rest > half || (rest == half && (more || *whole % 2 == 1));
    return true;
}

/* digits <- the 17 decimal digits of x > 0 as an integer, *power <- that of the first; false: out
 * of reach. With x = mantissa 2^exponent they are the integer nearest to mantissa 5^up 2^(up +
 * exponent). */
static bool seventeen(double x, uint64_t *digits, int *power) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1075;
    const uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    /* of the first digit, right or one too small: log10(2) is 78913 / 2^18 and a little more */
    *power = ((exponent + 52) * 78913) >> 18;
    for (int attempt = 0; attempt < 2; attempt++, ++*power) {
        const int up = DIGITS - 1 - *power, down = -exponent - up;
        if (up < 0 || up > MOST_FIVES || down < 1 || down > 127) return false;
        if (!nearest(mantissa, up, down, digits)) continue;
        if (*digits < LIMIT) return true;
        *digits /= 10;
        *power += 1;
        return true;
    }
    return false;
}

#else
static bool seventeen(double x, uint64_t *digits, int *power) {
    (void)x, (void)digits, (void)power;
    return false;
}
#endif

static char *put_digits(char *to, const char *digits, int count) {
    memcpy(to, digits, (size_t)count);
    return to + count;
}

/* Eight digits of value < 1e8: the reverse of eight_digits. */
static void put_eight(uint32_t value, char *text) {
    uint64_t x = value / 10000 | (uint64_t)(value % 10000) << 32;
    /* x / 100 below 10^4 is x 10486 / 2^20, x / 10 below 100 is x 103 / 2^10 */
    const uint64_t hundreds = (x * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    x = hundreds | (x - 100 * hundreds) << 16;
    const uint64_t tens = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    x = (tens | (x - 10 * tens) << 8) + UINT64_C(0x3030303030303030);
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) x = __builtin_bswap64(x);
    memcpy(text, &x, sizeof x);
}

/* What "%.17g" makes of them. */
static int lay_out(bool negative, uint64_t value, int power, char *text) {
    char digits[DIGITS];
    const uint64_t first = value / UINT64_C(10000000000000000);
    digits[0] = (char)('0' + first);
    value -= first * UINT64_C(10000000000000000);
    put_eight((uint32_t)(value / 100000000), digits + 1);
    put_eight((uint32_t)(value % 100000000), digits + 9);
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
    if (seventeen(fabs(x), &digits, &power)) return lay_out(x < 0, digits, power, text);
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    const int length = snprintf(text, IMP_NUMBER_TEXT, "%.17g", x);
    uselocale(before);
    freelocale(plain);
    return length;
}
