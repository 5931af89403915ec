/* The status codes (sigrep.h) for every part of the house. */
#ifndef FILTER_STATUS_H
#define FILTER_STATUS_H

#include <stdbool.h>

#include "sigrep.h"

/* Record what was wrong in *error (may be NULL), printf style, and return `status`. */
sigrep_status status_fail(sigrep_error *error, sigrep_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Did a GPU fail, so that a CPU may go on instead? */
bool status_is_of_device(sigrep_status status);

#endif
