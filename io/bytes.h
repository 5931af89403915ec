/*
 * bytes.h - integers of either byte order out of bytes of any alignment.
 */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unsigned integer in `width` bytes, 1 to 8. Shifts: neither the machine's byte order nor
 * the alignment matters. */
static inline uint64_t bytes_load(const unsigned char *b, size_t width, bool big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++) value = value << 8 | b[big_endian ? i : width - 1 - i];
    return value;
}

#endif
