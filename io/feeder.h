/*
 * feeder.h - a thread that copies an input, what is buffered of it first, into a pipe:
 * libsndfile reads that, as if nobody had looked at the first bytes before.
 */
#ifndef IO_FEEDER_H
#define IO_FEEDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "io/input.h"
#include "io/promise.h"

typedef struct {
    input *in;        /* the thread's alone until feeder_ended */
    promise *promise; /* so is this: it is fed too */
    int out;
    pthread_t thread;
    atomic_bool ended;
} feeder;

/* Start, and give the pipe's read end, the caller's to close. 0 or an errno. The end of
 * the input, a failure or a wake closes the other end. */
int feeder_start(feeder *f, input *in, promise *p, int *read_end);

/* Is the input used up, failed or woken, and may be asked which? True at the latest when
 * the read end shows its end. */
bool feeder_ended(feeder *f);

/* Wait for the thread. Close the read end first: that ends it wherever it waits. */
void feeder_stop(feeder *f);

#endif
