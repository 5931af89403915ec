/*
 * pending_times.h - when a match of a label is pending, as intervals of time [begin, end). Times
 * are frames consumed.
 *
 *     match of a   |------|      |---|            add
 *     match of b       |-----|        |------|
 *     joined       |---------|   |---||------|    first_quiet, last_quiet: times between them
 */
#ifndef FILTER_SEARCH_PENDING_TIMES_H
#define FILTER_SEARCH_PENDING_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */

typedef struct {
    uint64_t begin, end;
} pending_time;

/* Begin with zeros. */
typedef struct {
    pending_time *items; /* the first n_joined are disjoint and ascending; others follow */
    size_t n, n_joined, capacity;
    size_t first;  /* those before it are over */
    uint64_t seen; /* time of the last join */
} pending_times;

/* A match is pending from time `begin` to `end` - 1. Those up to the last join were counted then.
 * SIGREP_NO_MEMORY. */
sigrep_status pending_times_add(pending_times *times, uint64_t begin, uint64_t end);

/* All times up to `now` are added: the two functions below may be called. */
void pending_times_join(pending_times *times, uint64_t now);

/* The first time from `at` on at which no match is pending. Later calls ask for no earlier `at`. */
uint64_t pending_times_first_quiet(pending_times *times, uint64_t at);

/* The last time up to `now` at which no match is pending. */
uint64_t pending_times_last_quiet(const pending_times *times, uint64_t now);

/* Give back the room of times that are over. */
void pending_times_forget(pending_times *times);

/* Pass over times that were joined at `now`. SIGREP_NO_MEMORY. */
sigrep_status pending_times_pass_state(pending_times *times, state_bytes *st, uint64_t now);

void pending_times_reset(pending_times *times);
void pending_times_free(pending_times *times);

#endif
