/*
 * ring.h - frames from a thread that must never wait (an audio callback) to one that may:
 * a lock-free ring with one writer and one reader, after L. Lamport, "Proving the
 * Correctness of Multiprocess Programs" (1977), as PortAudio's pa_ringbuffer.h has it.
 *
 * The thread contract:
 *
 *     the writer, one thread at a time    ring_write, ring_lose, ring_end
 *     the reader, one thread at a time    ring_read, ring_wait
 *     one, while nobody else is there     ring_create, ring_destroy
 *
 * A role may pass to another thread only where something else orders the two (as joining
 * the old thread does). The writer's calls are fit for real time: they never wait, lock,
 * allocate or free; the one system call is the futex behind sem_post, made only while the
 * reader sleeps.
 *
 * Frames that find no room are lost, and so are those that the writer itself says were
 * (ring_lose). Both reach the reader as a gap: their number, and between which frames.
 * What the reader got and what was lost add up to what was written, in order.
 *
 * Memory orders. Each index is stored by one side only. The writer copies frames and notes
 * the gap before them, then stores `written` with release; the reader loads it with
 * acquire, so that all that lies before it is seen. The reader copies frames out, then
 * stores `read` with release; the writer loads it with acquire, so that no frame is
 * overwritten while it is still being copied. The records of gaps are a second ring of the
 * same kind. Counts are 64 bits and never wrap.
 */
#ifndef FILTER_RING_H
#define FILTER_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ring ring;

/* Room for `frames` frames of `channels` values at least; nothing is allocated after this.
 * NULL: out of memory, or an absurd size. */
ring *ring_create(size_t frames, size_t channels);
void ring_destroy(ring *r);

/* Add n frames and wake the reader. Returns how many had room; the others are lost. */
size_t ring_write(ring *r, const float *frames, size_t n);

/* n frames never came: a gap before the next ones that are written. */
void ring_lose(ring *r, uint64_t n);

/* Nothing more will be written: what was lost since the last frame becomes known. */
void ring_end(ring *r);

/*
 * Take up to max frames, without waiting. *lost is how many were lost right before them;
 * a call never gives frames from both sides of a gap. Where no frame is there, 0 with
 * *lost = 0, but for the gap at the end, after ring_end: 0 with *lost > 0, once.
 */
size_t ring_read(ring *r, float *frames, size_t max, uint64_t *lost);

/* Sleep until something was written since the last wait, or for timeout_s. true: something
 * was, though a ring_read in between may have taken it. A signal handler may end the wait
 * early (false). It is measured by a clock that nobody sets. */
bool ring_wait(ring *r, double timeout_s);

#endif
