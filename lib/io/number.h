/* number.h - decimal numbers in text: the same in every locale, correctly rounded, quick enough for
 * tables of millions.
 */
#ifndef IMP_NUMBER_H
#define IMP_NUMBER_H

#include "base/public.h"

IMP_PUBLIC_BEGIN

enum { IMP_NUMBER_TEXT = 40 }; /* room to print any number in, with its NUL */

/* *x <- the double nearest to a plain decimal number: sign, digits, point, exponent, nothing before
 * or behind; no "inf", "nan" or hexadecimal. Returns NULL, or what was expected instead ("a decimal
 * number", ...), *x untouched. Thread-safe. */
const char *imp_number_parse(const char *text, double *x);

/* text <- the finite x with 17 significant digits, which read back give the same bits; exactly
 * printf's "%.17g" in the C locale. Returns the length. Thread-safe. */
int imp_number_print(double x, char text[IMP_NUMBER_TEXT]);

IMP_PUBLIC_END

#endif
