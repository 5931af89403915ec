#define _GNU_SOURCE /* strcasestr */

#include "io/live/mic_driver.h"

#include <stdio.h>
#include <string.h>

static const mic_driver *driver_in_use = &mic_portaudio;

const mic_driver *mic_get_driver(void)
{
    return driver_in_use;
}

void mic_set_driver(const mic_driver *driver)
{
    driver_in_use = driver ? driver : &mic_portaudio;
}

/* Append words to text[size], as far as there is room. */
static void append(char *text, size_t size, const char *words)
{
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s", words);
}

/* Append the names that contain `part`; "..." replaces those for which there is no room. */
static void append_names(const mic_driver *driver, const char *part, char *text, size_t size)
{
    const char *between = " ";
    for (size_t i = 0; i < driver->count(); i++) {
        const char *name = driver->device(i).name;
        if (!strcasestr(name, part)) continue;
        if (strlen(text) + strlen(name) + sizeof ", , ..." > size) {
            append(text, size, ", ...");
            return;
        }
        append(text, size, between);
        append(text, size, name);
        between = ", ";
    }
}

static bool find_default(const mic_driver *driver, size_t *index, char *reason, size_t size)
{
    for (size_t i = 0; i < driver->count(); i++) {
        *index = i;
        if (driver->device(i).is_default) return true;
    }
    snprintf(reason, size, "no default device; there are:");
    append_names(driver, "", reason, size);
    return false;
}

bool mic_find(const mic_driver *driver, const char *name, size_t *index, char *reason, size_t size)
{
    size_t n_candidates = 0;
    if (driver->count() == 0) {
        snprintf(reason, size, "no capture devices");
        return false;
    }
    if (!*name) return find_default(driver, index, reason, size);
    for (size_t i = 0; i < driver->count(); i++) {
        const char *other = driver->device(i).name;
        if (strcmp(other, name) != 0) continue;
        *index = i;
        return true;
    }
    for (size_t i = 0; i < driver->count(); i++) {
        if (!strcasestr(driver->device(i).name, name)) continue;
        *index = i;
        n_candidates++;
    }
    if (n_candidates == 1) return true;
    snprintf(reason, size,
             n_candidates ? "several devices have this in their names:"
                          : "no such device; there are:");
    append_names(driver, n_candidates ? name : "", reason, size);
    return false;
}
