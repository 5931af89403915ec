/*
 * state.h - the bytes of a state, in which sigrep_resume goes on.
 *
 *     header   magic, version of the format, of the library, size      state_begin_*
 *     values   of the session, searches, label groups, front end       state_u64, ...
 *     end      checksum of all                                         state_end
 *
 * One function passes over the values of a struct, be it to write them or to read them. So both
 * agree. Numbers are little-endian. Bytes that are read may be anything: after the first value that
 * cannot be right all others read as 0, and state_is_right is false.
 */
#ifndef FILTER_STATE_STATE_H
#define FILTER_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

/* Begin with zeros. */
typedef struct state_bytes {
    bool is_reading;
    bool is_wrong;     /* a value that was read */
    bool is_full;      /* no memory for more */
    unsigned char *to; /* owned: what is written */
    size_t capacity;
    const unsigned char *from; /* borrowed: what is read */
    size_t at, size;           /* bytes done; bytes to read, without the checksum */
} state_bytes;

void state_free(state_bytes *st);

/* Begin to write. What was written before is overwritten. */
void state_begin_writing(state_bytes *st);

/* Begin to read a state of this version of the library. SIGREP_BAD_STATE, with a message. */
sigrep_status state_begin_reading(state_bytes *st, const void *bytes, size_t size,
                                  sigrep_error *error);

/* All values are done. Written: st->to has st->at bytes; SIGREP_NO_MEMORY. Read: SIGREP_BAD_STATE,
 * with a message, if a value was wrong or bytes are left. */
sigrep_status state_end(state_bytes *st, sigrep_error *error);

void state_flag(state_bytes *st, bool *x);
void state_int_flag(state_bytes *st, int *x);
void state_u64(state_bytes *st, uint64_t *x);
void state_i64(state_bytes *st, int64_t *x);
void state_size(state_bytes *st, size_t *x);
void state_floats(state_bytes *st, float *x, size_t n);
void state_doubles(state_bytes *st, double *x, size_t n);

/* The number of items that follow, each of at least `bytes` bytes: never more than are there. */
void state_count(state_bytes *st, size_t *n, size_t bytes);

/* Must hold of what was read. */
void state_must(state_bytes *st, bool holds);

/* Hash n more bytes: FNV-1a (Fowler, Noll, Vo). Begin with STATE_HASH. */
#define STATE_HASH 0xcbf29ce484222325u
uint64_t state_hash(uint64_t hash, const void *bytes, size_t n);

static inline bool state_is_right(const state_bytes *st)
{
    return !st->is_wrong && !st->is_full;
}

#endif
