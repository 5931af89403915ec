/* status.h - errors, and whether to stop: for every folder. */
#ifndef FILTER_STATUS_H
#define FILTER_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "sigrep.h"

/* Write a message into *error, printf style, cut to fit; error may be NULL. Returns `status`. */
sigrep_status status_fail(sigrep_error *error, sigrep_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Is it the failure of a GPU? Then a CPU can take over. */
bool status_is_device_failure(sigrep_status status);

/* Long work asks the caller now and then whether to stop. Any thread of the search may ask. */
typedef struct stopping {
    sigrep_stop_fn *should_stop; /* NULL: never */
    void *user;
    uint64_t work; /* between two questions, in cells times values a frame */
} stopping;

/* Of all searches that may work at once: some milliseconds. */
enum { STOPPING_WORK = 1 << 24 };

static inline bool stopping_is_wanted_now(const stopping *who)
{
    return who->should_stop && who->should_stop(who->user) != 0;
}

/* So much more work is to come. *unasked: work since the last question. */
static inline bool stopping_wanted(const stopping *who, uint64_t *unasked, uint64_t work)
{
    *unasked += work;
    if (*unasked < who->work) return false;
    *unasked = 0;
    return stopping_is_wanted_now(who);
}

#endif
