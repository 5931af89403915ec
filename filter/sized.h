/*
 * sized.h - callers that were compiled with another version of sigrep.h. Its structs begin with
 * `size`, the bytes that the caller knows.
 *
 *     an older program     size | a | b |          c keeps what it is, or gets its default
 *     this library         size | a | b | c |
 *     a newer program      size | a | b | c | d |  d must be zero in a configuration
 */
#ifndef FILTER_SIZED_H
#define FILTER_SIZED_H

#include <stddef.h>
#include <string.h>

#include "sigrep.h"

/* Copy all members but `size` that both structs have; `own` is sizeof the library's. */
static inline void sized_copy(void *to, const void *from, size_t size, size_t own)
{
    const size_t n = size < own ? size : own;
    if (n > sizeof size)
        memcpy((char *)to + sizeof size, (const char *)from + sizeof size, n - sizeof size);
}

/* Copy *given into *config, and its templates into new memory, config->templates. The caller frees
 * that memory, also after an error. SIGREP_BAD_CONFIG, with the reason in *error: a size that
 * cannot be right, or a field that this version does not know. SIGREP_NO_MEMORY. */
sigrep_status sized_config(sigrep_config *config, const sigrep_config *given, sigrep_error *error);

#endif
