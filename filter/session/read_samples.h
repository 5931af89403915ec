/* read_samples.h - threads that read samples for sigrep_read. */
#ifndef FILTER_SESSION_READ_SAMPLES_H
#define FILTER_SESSION_READ_SAMPLES_H

#include <stddef.h>

#include "sigrep.h"

/* For sigrep_create: make session->helpers, at most `threads` of them. They pay only if a GPU
 * searches raw samples meanwhile. In any other case, or without memory, there are none. */
void session_create_readers(sigrep *session, size_t threads);

#endif
