/*
 * spool.h - a stream kept for reading again: in memory up to a limit, then in an unlinked
 * temporary file ($TMPDIR, else the system's default). Serves as the store of a best-of
 * search (sigrep.h), so that pipes can be searched for their N best.
 */
#ifndef IO_SPOOL_H
#define IO_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

#define SPOOL_MEMORY ((size_t)64 << 20)

typedef struct spool spool;

/* NULL: out of memory. At most `memory` bytes are kept in memory, and a small buffer. */
spool *spool_create(size_t memory);
void spool_destroy(spool *s);

/* Each returns 0, or -1 with the reason in spool_error. */
int spool_append(spool *s, const void *data, size_t n);
int spool_read(spool *s, uint64_t offset, void *data, size_t n);
int spool_clear(spool *s);

/* Bytes that were appended. */
uint64_t spool_size(const spool *s);

/* What failed last, in words; "" if nothing did. */
const char *spool_error(const spool *s);

/* The spool as a store of frames; `s` stays the caller's and must outlive the store. */
sigrep_store spool_as_store(spool *s);

#endif
