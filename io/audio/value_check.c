#include "io/audio/value_check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "io/bytes.h"

static double load(const value_check *c, const unsigned char *bytes)
{
    const uint64_t bits = bytes_load(bytes, c->width, c->big_endian);
    const uint32_t low = (uint32_t)bits;
    double value;
    float narrow;
    memcpy(&value, &bits, sizeof value);
    memcpy(&narrow, &low, sizeof narrow);
    return c->width == 4 ? (double)narrow : value;
}

void value_check_add(value_check *c, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n && !c->is_complete; i++) {
        const double size = fabs(load(c, bytes + i * c->width));
        if (!(size <= (double)1e30F) || (size > 0 && size < (double)FLT_MIN)) c->absurd++;
        c->is_complete = ++c->seen == VALUE_CHECK_MOST;
    }
}

bool value_check_fails(const value_check *c)
{
    return c->absurd > c->seen - c->absurd;
}
