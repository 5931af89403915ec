/*
 * history.h - the last records of a stream, by their number.
 *
 *     forgotten          kept                       to come
 *     |-----------------|==========================|
 *     0                  first                      count
 *
 * A record has a fixed number of bytes. The caller says what may be forgotten. Memory grows with
 * the most records that are kept at once. If all are to be kept, they lie in a spool (spool.h).
 */
#ifndef TOOLS_COMMON_INPUT_HISTORY_H
#define TOOLS_COMMON_INPUT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spool spool; /* io/spool.h */

typedef struct {
    size_t size;           /* bytes of a record */
    uint64_t first, count; /* records [first, count) are kept */
    unsigned char *ring;   /* record i at i % capacity */
    size_t capacity;
    spool *all; /* NULL: the ring */
} history;

/* For records of `size` bytes. keeps_all: history_forget has no effect. false: out of memory. */
bool history_begin(history *h, size_t size, bool keeps_all);
void history_end(history *h); /* zeros are allowed */

/* Begin at this record instead of 0: those before are forgotten. Before the first history_add, and
 * only if not all are kept. */
void history_begin_at(history *h, uint64_t first);

/* Add n records. NULL, or what went wrong, valid until the next call on h; then nothing is added.
 */
const char *history_add(history *h, const void *records, size_t n);

/* The records before `first` are needed no more. */
void history_forget(history *h, uint64_t first);

/* Copy the records [first, first + n), which are kept. NULL, or what went wrong. */
const char *history_read(history *h, uint64_t first, void *records, size_t n);

#endif
