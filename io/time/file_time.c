#include "io/time/file_time.h"

#include <ctype.h>
#include <string.h>

enum { DATE = 8, TIME = 6, BOTH = DATE + 1 + TIME, FRACTION = 3, ZONE = 5 };

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Returns the end, where more may be added. */
static char *add(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
    return to + n;
}

/* Parse a time that begins here, by way of ISO 8601. */
static bool parse_at(const char *at, exact_time *time)
{
    char iso[BOTH + 1 + FRACTION + ZONE + 1] = "", *end = iso;
    if (count_digits(at) != DATE || !at[DATE] || !strchr("_T-$", at[DATE]) ||
        count_digits(at + DATE + 1) != TIME)
        return false;
    const bool may_have_zone = at[DATE] == 'T'; /* else -0001 is a count */
    end = add(end, at, DATE);
    end = add(end, "T", 1);
    end = add(end, at + DATE + 1, TIME);
    at += BOTH;
    if (*at == '_' && count_digits(at + 1) == FRACTION) {
        end = add(end, ".", 1);
        end = add(end, at + 1, FRACTION);
        at += 1 + FRACTION;
    }
    if (*at == 'Z' && !isalnum((unsigned char)at[1]))
        end = add(end, "Z", 1);
    else if (may_have_zone && (*at == '+' || *at == '-') && count_digits(at + 1) == ZONE - 1)
        end = add(end, at, ZONE);
    return iso8601_parse(iso, time) == (size_t)(end - iso);
}

bool file_time_parse(const char *path, exact_time *time)
{
    const char *slash = strrchr(path, '/');
    const char *at = slash ? slash + 1 : path;
    while (*at && !parse_at(at, time)) at += count_digits(at) > 0 ? count_digits(at) : 1;
    return *at != '\0';
}
