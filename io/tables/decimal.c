#include "io/tables/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const double powers_of_10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { MOST_DIGITS = 18 /* digits that always fit into 64 bits */ };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Could a number continue with c: an exponent, 0x, a second point? */
static bool goes_on(char c)
{
    return c == '.' || is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Append the digits at `at` to *whole. Returns their end. */
static const char *digits(const char *at, uint64_t *whole)
{
    for (; is_digit(*at); at++) *whole = *whole * 10 + (uint64_t)(*at - '0');
    return at;
}

size_t decimal_to_double(const char *text, double *value)
{
    const bool negative = *text == '-';
    const char *begin = text + (negative || *text == '+');
    uint64_t whole = 0;
    const char *at = digits(begin, &whole);
    size_t n = (size_t)(at - begin), places = 0;
    if (*at == '.') {
        const char *fraction = at + 1;
        at = digits(fraction, &whole);
        places = (size_t)(at - fraction);
        n += places;
    }
    if (n == 0 || n > MOST_DIGITS || whole > UINT64_C(1) << 53 || goes_on(*at)) return 0;
    const double magnitude = (double)whole / powers_of_10[places];
    *value = negative ? -magnitude : magnitude;
    return (size_t)(at - text);
}

/* Is rounding to double and then to float the same as rounding once? Not if the double lies
 * half-way between two floats, or the float is denormal. */
static bool rounds_once(double value)
{
    enum { LOST = DBL_MANT_DIG - FLT_MANT_DIG };
    const uint64_t lost = (UINT64_C(1) << LOST) - 1;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & lost) != (lost + 1) / 2 && (value == 0 || fabs(value) >= (double)FLT_MIN);
}

size_t decimal_to_float(const char *text, float *value)
{
    double exact;
    const size_t used = decimal_to_double(text, &exact);
    if (used == 0 || !rounds_once(exact)) return 0;
    *value = (float)exact;
    return used;
}
