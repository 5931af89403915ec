/*
 * history.h - the last records of a stream, by their number.
 *
 *     forgotten          kept                       to come
 *     |-----------------|==========================|
 *     0                  history_first              history_count
 *
 * A record has a fixed number of bytes. The caller says what may be forgotten. Memory grows with
 * the most records that are kept at once. If all are to be kept, they lie in a spool (spool.h).
 */
#ifndef TOOLS_COMMON_INPUT_HISTORY_H
#define TOOLS_COMMON_INPUT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct history history;

/* For records of `size` bytes. keeps_all: history_forget has no effect. NULL: out of memory. */
history *history_create(size_t size, bool keeps_all);
void history_destroy(history *h); /* NULL is allowed */

/* Add n records. NULL, or what went wrong, valid until the next call on h; then nothing is added.
 */
const char *history_add(history *h, const void *records, size_t n);

/* The records before `first` are needed no more. */
void history_forget(history *h, uint64_t first);

uint64_t history_first(const history *h);
uint64_t history_count(const history *h);

/* Copy the records [first, first + n), which are kept. NULL, or what went wrong. */
const char *history_read(history *h, uint64_t first, void *records, size_t n);

#endif
