/*
 * spool.h - a stream stored to be read again. It fills memory up to a limit, and then an unlinked
 * temporary file in $TMPDIR or else in the system's folder. It is the store of a best-of search
 * (sigrep.h), so that pipes can be searched for their N best matches.
 */
#ifndef IO_SPOOL_H
#define IO_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

#define SPOOL_MEMORY ((size_t)64 << 20) /* bytes that the program stores in memory */

typedef struct spool spool;

/* A spool with at most `memory` bytes in memory, besides a small buffer. NULL: out of memory. */
spool *spool_create(size_t memory);
void spool_destroy(spool *s);

/* Sizes and offsets are in bytes. Each returns 0, or -1 with the reason in spool_error. */
int spool_append(spool *s, const void *data, size_t n);
int spool_read(spool *s, uint64_t offset, void *data, size_t n);
int spool_clear(spool *s);

/* The number of bytes appended. */
uint64_t spool_size(const spool *s);

/* The last failure in words, "" if none. Valid until the next call on s. */
const char *spool_error(const spool *s);

/* The spool as a store of frames. `s` stays the caller's and must outlive the store. */
sigrep_store spool_as_store(spool *s);

#endif
