/* status.h - errors: the status codes of sigrep.h, for every folder. */
#ifndef FILTER_STATUS_H
#define FILTER_STATUS_H

#include <stdbool.h>

#include "sigrep.h"

/* Write a message into *error, printf style, cut to fit; error may be NULL. Returns `status`. */
sigrep_status status_fail(sigrep_error *error, sigrep_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Is it the failure of a GPU? Then a CPU can take over. */
bool status_is_device_failure(sigrep_status status);

#endif
