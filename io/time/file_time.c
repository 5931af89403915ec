#include "io/time/file_time.h"

#include <ctype.h>
#include <string.h>

enum { DATE = 8, TIME = 6, BOTH = DATE + 1 + TIME, FRACTION = 3, ZONE = 5 };

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

static const char *add(char *to, const char *from, size_t n)
{
    strncat(to, from, n);
    return from + n;
}

/* Parse a time that begins here, by way of ISO 8601. */
static bool parse_at(const char *at, exact_time *time)
{
    char iso[BOTH + 1 + FRACTION + ZONE + 1] = "";
    if (count_digits(at) != DATE || !at[DATE] || !strchr("_T-$", at[DATE]) ||
        count_digits(at + DATE + 1) != TIME)
        return false;
    const bool may_have_zone = at[DATE] == 'T'; /* else -0001 is a count */
    add(iso, at, DATE);
    add(iso, "T", 1);
    at = add(iso, at + DATE + 1, TIME);
    if (*at == '_' && count_digits(at + 1) == FRACTION) {
        add(iso, ".", 1);
        at = add(iso, at + 1, FRACTION);
    }
    if (*at == 'Z' && !isalnum((unsigned char)at[1]))
        add(iso, "Z", 1);
    else if (may_have_zone && (*at == '+' || *at == '-') && count_digits(at + 1) == ZONE - 1)
        add(iso, at, ZONE);
    return iso8601_parse(iso, time) == strlen(iso);
}

bool file_time_parse(const char *path, exact_time *time)
{
    const char *slash = strrchr(path, '/');
    const char *at = slash ? slash + 1 : path;
    while (*at && !parse_at(at, time)) at += count_digits(at) > 0 ? count_digits(at) : 1;
    return *at != '\0';
}
