/*
 * sized.h - structs of sigrep.h that begin with `size`, the bytes that the caller was compiled
 * with.
 *
 *     caller   | size | a | b |            an older program
 *     library  | size | a | b | c |        c keeps what it is, or gets its default
 */
#ifndef FILTER_SIZED_H
#define FILTER_SIZED_H

#include <stddef.h>
#include <string.h>

/* Copy all members but `size` that both structs have; `own` is sizeof the library's. */
static inline void sized_copy(void *to, const void *from, size_t size, size_t own)
{
    const size_t n = size < own ? size : own;
    if (n > sizeof size)
        memcpy((char *)to + sizeof size, (const char *)from + sizeof size, n - sizeof size);
}

#endif
