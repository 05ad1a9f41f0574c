/* number.c - decimal text to double and back.
 *
 * Both have a quick path in integers. Reading multiplies up to 19 digits by the upper 64 bits of a
 * power of ten, after D. Lemire (2021), "Number parsing at a gigabyte per second": the 64 upper
 * bits of the product are the number's but for three units of the last, and decide how it rounds to
 * 53 in all but one case in seven hundred. Printing: 53 bits times 5^54 are 179 bits, and exact, so
 * that numbers from 1e-38 to 1e17 are rounded right. The C library reads and prints the others, and
 * all of them where there are no integers of 128 bits, as on machines of 32. */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POWER = 50, MOST_FIVES = 54, DIGITS = 17 };

static const uint64_t MOST_DIGITS = UINT64_C(10000000000000000000); /* below 2^64 */

/* A decimal number taken apart: sign, all significant digits as an integer (first 19), power of
 * ten. */
typedef struct decimal {
    bool negative, complete; /* complete: no digit was left out of `digits` or `power` */
    uint64_t digits;
    int power;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Eight bytes as a word, the first the lowest. */
static uint64_t eight_bytes(const char *from) {
    uint64_t x;
    memcpy(&x, from, sizeof x);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? x : __builtin_bswap64(x);
}

/* The lowest bit that is set is in the first byte that is no digit; 0: all are. */
static uint64_t other_than_digits(uint64_t x) {
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
    /* 0x3a to 0x3f are no digits: six more and they leave the row. What bytes from 0xfa on carry
     * goes to those behind them. */
    return ((x & high) ^ zeros) | (((x + UINT64_C(0x0606060606060606)) & high) ^ zeros);
}

/* How many of the bytes are digits, up to the first that is none. */
static int count_digits(uint64_t x) {
    const uint64_t other = other_than_digits(x);
    return (other ? __builtin_ctzll(other) : 64) / 8;
}

/* The number that eight digits are. Pairs, then fours, then all of them are put together in the
 * bytes of one word. */
static uint64_t value_of(uint64_t x) {
    x &= UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (10 * x + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (100 * x + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (10000 * x + (x >> 32)) & UINT64_C(0xffffffff);
}

/* Up to 7 digits, a point, and digits until there are 16 or more, of which the first 8 and the next
 * 8 are taken together: what tables are full of. Returns where they end; NULL: it is not this, *d
 * untouched. */
static const char *take_usual(const char *text, const char *end, decimal *d) {
    if (end - text < 17) return NULL;
    const uint64_t head = eight_bytes(text);
    const int count = count_digits(head);
    if (count == 0 || count == 8 || text[count] != '.') return NULL;
    const uint64_t before = (UINT64_C(1) << 8 * count) - 1,
                   first = (head & before) | (eight_bytes(text + 1) & ~before),
                   second = eight_bytes(text + 9);
    if (other_than_digits(first) | other_than_digits(second)) return NULL;
    uint64_t value = 100000000 * value_of(first) + value_of(second);
    const char *at = text + 17;
    for (; is_digit(*at); at++) {
        if (value >= MOST_DIGITS / 10) return NULL;
        value = 10 * value + (uint64_t)(*at - '0');
    }
    d->digits = value;
    d->power = -(int)(at - text - count - 1);
    return at;
}

/* The digits at `text`, behind the point when `fraction`; returns where they end. */
static const char *take_digits(const char *text, bool fraction, decimal *d) {
    for (; is_digit(*text); text++) {
        if (d->digits >= MOST_DIGITS / 10)
            d->complete = false;
        else
            d->digits = 10 * d->digits + (uint64_t)(*text - '0');
        if (d->power <= -INT16_MAX) d->complete = false;
        if (fraction && d->complete) d->power--;
    }
    return text;
}

/* Digits with or without a point; NULL: there are none. */
static const char *take_any(const char *text, decimal *d) {
    const char *const first = text;
    text = take_digits(text, false, d);
    long count = text - first;
    if (*text == '.') {
        const char *const behind = text + 1;
        text = take_digits(behind, true, d);
        count += text - behind;
    }
    return count > 0 ? text : NULL;
}

static bool take_apart(const char *text, decimal *d) {
    *d = (decimal){.complete = true};
    d->negative = *text == '-';
    text += *text == '-' || *text == '+';
    const char *const usual = take_usual(text, text + strlen(text), d);
    text = usual ? usual : take_any(text, d);
    if (!text) return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        const bool down = *text == '-';
        int power = 0;
        text += *text == '-' || *text == '+';
        if (!is_digit(*text)) return false;
        for (; is_digit(*text); text++)
            if (power < INT16_MAX)
                power = 10 * power + (*text - '0');
            else
                d->complete = false;
        d->power += down ? -power : power;
    }
    return *text == 0;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* The upper 64 bits of 10^k, |k| <= MOST_POWER, the first of them set, the rest cut off. */
static const uint64_t powers[2 * MOST_POWER + 1] = {
    0xef73d256a5c0f77c, 0x95a8637627989aad, 0xbb127c53b17ec159, 0xe9d71b689dde71af,
    0x9226712162ab070d, 0xb6b00d69bb55c8d1, 0xe45c10c42a2b3b05, 0x8eb98a7a9a5b04e3,
    0xb267ed1940f1c61c, 0xdf01e85f912e37a3, 0x8b61313bbabce2c6, 0xae397d8aa96c1b77,
    0xd9c7dced53c72255, 0x881cea14545c7575, 0xaa242499697392d2, 0xd4ad2dbfc3d07787,
    0x84ec3c97da624ab4, 0xa6274bbdd0fadd61, 0xcfb11ead453994ba, 0x81ceb32c4b43fcf4,
    0xa2425ff75e14fc31, 0xcad2f7f5359a3b3e, 0xfd87b5f28300ca0d, 0x9e74d1b791e07e48,
    0xc612062576589dda, 0xf79687aed3eec551, 0x9abe14cd44753b52, 0xc16d9a0095928a27,
    0xf1c90080baf72cb1, 0x971da05074da7bee, 0xbce5086492111aea, 0xec1e4a7db69561a5,
    0x9392ee8e921d5d07, 0xb877aa3236a4b449, 0xe69594bec44de15b, 0x901d7cf73ab0acd9,
    0xb424dc35095cd80f, 0xe12e13424bb40e13, 0x8cbccc096f5088cb, 0xafebff0bcb24aafe,
    0xdbe6fecebdedd5be, 0x89705f4136b4a597, 0xabcc77118461cefc, 0xd6bf94d5e57a42bc,
    0x8637bd05af6c69b5, 0xa7c5ac471b478423, 0xd1b71758e219652b, 0x83126e978d4fdf3b,
    0xa3d70a3d70a3d70a, 0xcccccccccccccccc, 0x8000000000000000, 0xa000000000000000,
    0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000, 0xc350000000000000,
    0xf424000000000000, 0x9896800000000000, 0xbebc200000000000, 0xee6b280000000000,
    0x9502f90000000000, 0xba43b74000000000, 0xe8d4a51000000000, 0x9184e72a00000000,
    0xb5e620f480000000, 0xe35fa931a0000000, 0x8e1bc9bf04000000, 0xb1a2bc2ec5000000,
    0xde0b6b3a76400000, 0x8ac7230489e80000, 0xad78ebc5ac620000, 0xd8d726b7177a8000,
    0x878678326eac9000, 0xa968163f0a57b400, 0xd3c21bcecceda100, 0x84595161401484a0,
    0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a, 0x813f3978f8940984, 0xa18f07d736b90be5,
    0xc9f2c9cd04674ede, 0xfc6f7c4045812296, 0x9dc5ada82b70b59d, 0xc5371912364ce305,
    0xf684df56c3e01bc6, 0x9a130b963a6c115c, 0xc097ce7bc90715b3, 0xf0bdc21abb48db20,
    0x96769950b50d88f4, 0xbc143fa4e250eb31, 0xeb194f8e1ae525fd, 0x92efd1b8d0cf37be,
    0xb7abc627050305ad, 0xe596b7b0c643c719, 0x8f7e32ce7bea5c6f, 0xb35dbf821ae4f38b,
    0xe0352f62a19e306e, 0x8c213d9da502de45, 0xaf298d050e4395d6, 0xdaf3f04651d47b4c,
    0x88d8762bf324cd0f};

/* *x <- the double nearest to it; false: not known here. */
static bool nearest_double(const decimal *d, double *x) {
    if (!d->complete || abs(d->power) > MOST_POWER) return false;
    uint64_t bits = 0;
    if (d->digits > 0) {
        const int up = __builtin_clzll(d->digits);
        const wide product = (wide)(d->digits << up) * powers[d->power + MOST_POWER];
        const bool small = !(product >> 127); /* 2^126 at least */
        /* the number is this and less than 3 units more */
        const uint64_t upper = (uint64_t)(product >> (small ? 63 : 64)), rest = upper & 0x7ff;
        if (rest >= 0x3fe && rest <= 0x400) return false;
        /* log2(10) is a little less than 217706 / 2^16; the first of the 53 bits adds 1 */
        const int exponent = ((d->power * 217706) >> 16) + 64 - small - up;
        bits = ((uint64_t)(exponent + 1022) << 52) + (upper >> 11) + (rest > 0x400);
    }
    bits |= (uint64_t)d->negative << 63;
    memcpy(x, &bits, sizeof bits);
    return true;
}

#else
static bool nearest_double(const decimal *d, double *x) {
    (void)d, (void)x;
    return false;
}
#endif

const char *imp_number_parse(const char *text, double *x) {
    decimal d;
    if (!take_apart(text, &d)) return "a decimal number";
    if (nearest_double(&d, x)) return NULL;
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* allocates nothing for "C" */
    const double value = strtod_l(text, NULL, plain);
    freelocale(plain);
    if (!isfinite(value)) return "a number below 1.8e308";
    *x = value;
    return NULL;
}

#ifdef __SIZEOF_INT128__
static const uint64_t LIMIT = UINT64_C(100000000000000000); /* 10^DIGITS */

/* 5^k as far as 64 bits hold it. */
enum { FIVES = 28 };
static const uint64_t fives[FIVES] = {
    0x0000000000000001, 0x0000000000000005, 0x0000000000000019, 0x000000000000007d,
    0x0000000000000271, 0x0000000000000c35, 0x0000000000003d09, 0x000000000001312d,
    0x000000000005f5e1, 0x00000000001dcd65, 0x00000000009502f9, 0x0000000002e90edd,
    0x000000000e8d4a51, 0x0000000048c27395, 0x000000016bcc41e9, 0x000000071afd498d,
    0x0000002386f26fc1, 0x000000b1a2bc2ec5, 0x000003782dace9d9, 0x00001158e460913d,
    0x000056bc75e2d631, 0x0001b1ae4d6e2ef5, 0x000878678326eac9, 0x002a5a058fc295ed,
    0x00d3c21bcecceda1, 0x0422ca8b0a00a425, 0x14adf4b7320334b9, 0x6765c793fa10079d};

static wide power_of_five(int k) {
    return k < FIVES ? fives[k] : (wide)fives[FIVES - 1] * fives[k - FIVES + 1];
}

/* *whole <- the integer nearest to mantissa 5^up / 2^down, the even one of two; false: not below
 * 10^DIGITS, even without rounding. */
static bool nearest(uint64_t mantissa, int up, int down, uint64_t *whole) {
    /* the product's lowest 64 bits, and those above */
    const wide five = power_of_five(up), lower = (wide)mantissa * (uint64_t)five;
    const wide above = mantissa * (five >> 64) + (lower >> 64);
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
    /* of the first digit, right or, once in forty, one too small: what the upper half says is log2
     * but for up to 0.09 too little, in 2^-20, and log10(2) is 78913 / 2^18 but for 1e-6 */
    const int64_t log2 = (int64_t)(bits >> 32) - ((int64_t)1023 << 20);
    *power = (int)((log2 * 78913 - ((int64_t)1 << 26)) >> 38);
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

/* All of them are copied, which is quicker than so many. */
static char *put_digits(char *to, const char *digits, int count) {
    memcpy(to, digits, DIGITS);
    return to + count;
}

/* Eight digits of value < 1e8: the reverse of value_of. */
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

/* What "%.17g" makes of them; digits are also written behind the end. */
static int lay_out(bool negative, uint64_t value, int power, char *text) {
    char digits[2 * DIGITS] = {0};
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
    if (x == 0) {
        const bool negative = signbit(x);
        memcpy(text, negative ? "-0" : "0", negative ? 3 : 2);
        return negative ? 2 : 1;
    }
    if (seventeen(fabs(x), &digits, &power)) return lay_out(x < 0, digits, power, text);
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    const int length = snprintf(text, IMP_NUMBER_TEXT, "%.17g", x);
    uselocale(before);
    freelocale(plain);
    return length;
}
