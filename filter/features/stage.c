#include "filter/features/stage.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/status.h"

/* strtod in the C locale: the program around the library may have set one with a decimal
 * comma. Without memory for a locale the one in force has to do. */
static double parse_number(const char *text, char **end)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return strtod(text, end);
    locale_t before = uselocale(plain);
    double value = strtod(text, end);
    uselocale(before);
    freelocale(plain);
    return value;
}

void argument_print(char text[ARGUMENT_PRINTED], double value)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    snprintf(text, ARGUMENT_PRINTED, "%.17g", value);
    if (!plain) return;
    uselocale(before);
    freelocale(plain);
}

int argument_number(double *value, const char *text)
{
    /* strtod would also read blanks, hexadecimal, inf and nan. */
    const int plain = strspn(text, "0123456789.eE-") == strlen(text);
    char *end = NULL;
    *value = plain ? parse_number(text, &end) : 0;
    return plain && end != text && *end == '\0';
}

sigrep_status argument_seconds(double *seconds, const char *stage, const char *text,
                               sigrep_error *error)
{
    if (!argument_number(seconds, text))
        return status_fail(error, SIGREP_BAD_FRONT_END, "%s=%.40s: SECONDS must be a number", stage,
                           text);
    if (!(*seconds > 0) || !isfinite(*seconds))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "%s=%.40s: SECONDS must be greater than 0 and finite", stage, text);
    return SIGREP_OK;
}

sigrep_status argument_samples(double *samples, const char *stage, double seconds, double rate_hz,
                               sigrep_error *error)
{
    *samples = seconds * rate_hz;
    if (*samples <= (double)ARGUMENT_MAX_SAMPLES) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_FRONT_END,
                       "%s=%g: too long, %g samples at %g Hz (at most %llu)", stage, seconds,
                       *samples, rate_hz, (unsigned long long)ARGUMENT_MAX_SAMPLES);
}
