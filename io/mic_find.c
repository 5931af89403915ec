#include "io/mic_find.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Is `part` in `name`, letters of any case? */
static bool contains(const char *name, const char *part)
{
    size_t n = strlen(part);
    for (; *name; name++) {
        if (strncasecmp(name, part, n) == 0) return true;
    }
    return false;
}

/* Append words behind what is there; what has no room is cut off. */
static void append(char *text, size_t size, const char *words)
{
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s", words);
}

/* Append the names that contain `part`, "..." where they have no room. */
static void append_names(const mic_driver *driver, const char *part, char *text, size_t size)
{
    const char *between = " ";
    for (size_t i = 0; i < driver->count(); i++) {
        const char *name = driver->device(i).name;
        if (!contains(name, part) && *part) continue;
        if (strlen(text) + strlen(name) + sizeof ", , ..." > size) {
            append(text, size, ", ...");
            return;
        }
        append(text, size, between);
        append(text, size, name);
        between = ", ";
    }
}

static bool find_default(const mic_driver *driver, size_t *found, char *reason, size_t size)
{
    for (size_t i = 0; i < driver->count(); i++) {
        *found = i;
        if (driver->device(i).is_default) return true;
    }
    snprintf(reason, size, "no default device; there are:");
    append_names(driver, "", reason, size);
    return false;
}

bool mic_find(const mic_driver *driver, const char *name, size_t *found, char *reason, size_t size)
{
    size_t hits = 0;
    if (driver->count() == 0) {
        snprintf(reason, size, "no capture devices");
        return false;
    }
    if (!*name) return find_default(driver, found, reason, size);
    for (size_t i = 0; i < driver->count(); i++) {
        const char *other = driver->device(i).name;
        if (strcmp(other, name) != 0) continue;
        *found = i;
        return true;
    }
    for (size_t i = 0; i < driver->count(); i++) {
        if (!contains(driver->device(i).name, name)) continue;
        *found = i;
        hits++;
    }
    if (hits == 1) return true;
    snprintf(reason, size, hits ? "this may be one of:" : "no such device; there are:");
    append_names(driver, hits ? name : "", reason, size);
    return false;
}
