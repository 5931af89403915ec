#include "tools/common/options/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool number_real(const char *text, double *value)
{
    if (!*text || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number)) return false;
    *value = number;
    return true;
}

bool number_real_part(const char *text, size_t n, double *value)
{
    char copy[64];
    if (n >= sizeof copy) return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return number_real(copy, value);
}

bool number_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")] != '\0') return false;
    errno = 0;
    uint64_t number = strtoull(text, NULL, 10);
    if (errno || number < min || number > max) return false;
    *value = number;
    return true;
}
