/*
 * feeder.h - a thread that copies an input into a pipe, for libsndfile to read.
 *
 *     input: [ buffered bytes | pipe or file ]  --thread-->  pipe  -->  libsndfile
 *                                                  +--> declared_size
 *
 * The bytes that format detection has buffered go first, so libsndfile sees the whole input.
 */
#ifndef IO_AUDIO_FEEDER_H
#define IO_AUDIO_FEEDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "io/audio/declared_size.h"
#include "io/input.h"

typedef struct {
    input *in;                    /* borrowed; the thread's alone until feeder_ended */
    declared_size *declared_size; /* likewise; it is fed the same bytes */
    int out;                      /* the pipe's write end */
    pthread_t thread;
    atomic_bool ended;
} feeder;

/* Start the thread. *read_end is the caller's to close. Returns 0 or an errno. The write end closes
 * when the input ends, fails or is woken. */
int feeder_start(feeder *f, input *in, declared_size *d, int *read_end);

/* Has the thread finished with `in` and `declared_size`? True at the latest when the read end
 * reports its end. */
bool feeder_ended(feeder *f);

/* Join the thread. Close the read end first: that unblocks it. */
void feeder_stop(feeder *f);

#endif
