#include "io/time/time_zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY_S = 86400 };

/* The C library takes an unknown zone for UTC, so we look for its file as the library does. */
static bool is_known(const char *name)
{
    char path[512], magic[5] = "";
    const char *folder = getenv("TZDIR");
    if (!*name || *name == '/' || *name == ':' || strstr(name, "..")) return false;
    const int n = snprintf(path, sizeof path, "%s/%s",
                           folder && *folder ? folder : "/usr/share/zoneinfo", name);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "rbe") : NULL;
    if (!file) return false;
    const bool is_zone = fread(magic, 1, 4, file) == 4 && strcmp(magic, "TZif") == 0; /* RFC 9636 */
    fclose(file);
    return is_zone;
}

bool time_zone_set(const char *name)
{
    if (!is_known(name) || setenv("TZ", name, 1) != 0) return false;
    tzset();
    return true;
}

int32_t time_zone_offset_s(int64_t utc_s)
{
    struct tm parts;
    const time_t t = utc_s;
    if (!localtime_r(&t, &parts)) return 0;
    return (int32_t)(parts.tm_gmtoff - parts.tm_gmtoff % 60);
}

/* Clocks change less than once in two days, so the offset of the day before or after holds. */
unsigned time_zone_to_utc(int64_t local_s, int64_t *utc_s)
{
    unsigned times = 0;
    const int64_t before = local_s - time_zone_offset_s(local_s - DAY_S);
    const int64_t after = local_s - time_zone_offset_s(local_s + DAY_S);
    const int64_t candidates[] = {before < after ? before : after, before < after ? after : before};
    for (int i = 0; i < 2; i++) {
        if (candidates[i] + time_zone_offset_s(candidates[i]) != local_s) continue;
        if (times == 1 && candidates[i] == *utc_s) continue;
        if (times++ == 0) *utc_s = candidates[i];
    }
    return times;
}
