/*
 * session_fill.h - long runs of samples, read by several threads straight into the window in which
 * they are searched. A GPU takes short templates faster than one core can read a file; where the
 * front end does nothing, and the GPU is at work behind the caller, all that is left to do for a
 * sample is to read it and to see that it is finite.
 *
 *     window   |<-- chunk at work -->|<-- appended -->|<--- room --->|
 *                                                      | | | | | | |     slices, in any order
 *
 * The threads are the searcher's, but no others: a kernel may use those of the searches meanwhile.
 * session_fill returns when all have ended, so nobody writes to the window between two calls.
 */
#ifndef FILTER_SESSION_FILL_H
#define FILTER_SESSION_FILL_H

#include "filter/session/session.h"

/* Write samples [at, at + n) of the run to `to`, or as many of them as there are, from the first
 * on: their number. Called by several threads at once, each for samples of its own. */
typedef size_t session_reader(void *user, float *to, size_t at, size_t n);

/* As sigrep_feed of the next samples of a run, n at most: as many as there is room for, or as there
 * are. *got of them, which all are taken if it returns SIGREP_OK. 0 of them and SIGREP_OK where n
 * are too few, or this searcher has no threads for it: push them. */
sigrep_status session_fill(sigrep *session, size_t n, session_reader *read, void *user,
                           size_t *got);

/* Of sigrep_create, for so many threads. What cannot be had is done without; none are made where
 * nothing can be filled: without a GPU, with a front end, or where a store remembers all frames. */
void session_create_fillers(sigrep *session, size_t threads);

#endif
