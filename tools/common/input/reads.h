/*
 * reads.h - how a feed reads: how much at once, and the two fast ways in.
 *
 *     fill_from_file: threads of the search   read and search piece k, k+1, k+2 ...
 *
 *     read_ahead:     caller   read_ahead_start   search read k        read_ahead_wait
 *                     reader                      |-- source_gather --|
 */
#ifndef TOOLS_COMMON_INPUT_READS_H
#define TOOLS_COMMON_INPUT_READS_H

#include "io/source.h"
#include "sigrep.h"

/* How many samples to read at once. push_size: of the search (sigrep_push_size). A read is a
 * multiple of it, since all samples are searched before more are read; fewer if that would be much
 * memory. */
size_t read_size(size_t push_size, size_t channels);

/* Plain samples of a file straight into the search (sigrep_read), at most `most`; *got is their
 * number. *got is 0 if src cannot be read this way (source_frames_left), at its end, and if it
 * failed: then source_read goes on. */
sigrep_status fill_from_file(sigrep *search, source *src, size_t most, size_t *got);

/* A thread that reads the next samples while the caller searches those before. */
typedef struct read_ahead read_ahead;

/* For reads of at most `values` values. NULL: out of memory. The caller destroys it, but not
 * between start and wait; NULL is allowed there. */
read_ahead *read_ahead_create(size_t values);
void read_ahead_destroy(read_ahead *a);

/* Begin source_gather of at most `max` samples. Until the wait the source belongs to the reader. If
 * the system gives no thread, read_ahead_wait reads instead. */
void read_ahead_start(read_ahead *a, source *src, size_t max);

/* Wait for the result of source_gather. *frames, a buffer for `values` values, is exchanged for the
 * buffer with the samples. */
ssize_t read_ahead_wait(read_ahead *a, float **frames);

#endif
