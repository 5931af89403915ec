/*
 * ring.h - frames from a thread that must never wait (an audio callback) to one that may.
 *
 * A lock-free ring with one writer and one reader, after L. Lamport, "Proving the Correctness of
 * Multiprocess Programs" (1977); PortAudio's pa_ringbuffer.h is another.
 *
 *     frames     | free | a  b  c  d | free |      `read` and `written` count frames for ever;
 *                        ^read        ^written     frame i lies at i % capacity
 *
 *     gaps       (2 lost before frame c)           a second ring, of places and lengths
 *
 * Thread contract:
 *
 *     one writer thread         ring_write, ring_add_gap, ring_end
 *     one reader thread         ring_read, ring_wait
 *     before and after both     ring_create, ring_destroy
 *
 * A role may move to another thread only if something else orders the two, such as a join. The
 * writer's calls are fit for real time: they never wait, lock, allocate or free. Their one system
 * call is the futex of sem_post, while the reader sleeps.
 *
 * Lost frames are a gap: those for which the ring has no room, and those that the writer reports
 * by ring_add_gap. The reader learns the length of each gap and its place. Frames read and frames
 * lost add up to the frames written, in order.
 *
 * Memory orders. Only one side stores each index. The writer copies frames, records the gap before
 * them, then stores `written` with release; the reader loads it with acquire and so sees both. The
 * reader copies frames out, then stores `read` with release; the writer loads it with acquire and
 * so never overwrites a frame during its copy. The ring of gaps works alike. The 64-bit counts
 * never wrap.
 */
#ifndef IO_LIVE_RING_H
#define IO_LIVE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ring ring;

/* A ring for at least `frames` frames of `channels` values. It allocates nothing later. NULL: out
 * of memory, or an absurd size. */
ring *ring_create(size_t frames, size_t channels);
void ring_destroy(ring *r);

/* Add n frames and wake the reader. Returns how many had room; the others are lost. */
size_t ring_write(ring *r, const float *frames, size_t n);

/* Record that n frames are missing before the next ones written. */
void ring_add_gap(ring *r, uint64_t n);

/* Nothing more will be written. Makes a gap after the last frame visible. */
void ring_end(ring *r);

/*
 * Read up to max frames without waiting. *lost becomes the length of the gap right before them; a
 * read never crosses a gap. 0 frames with *lost = 0: nothing is there. 0 frames with *lost > 0: the
 * gap at the end, reported once after ring_end.
 */
size_t ring_read(ring *r, float *frames, size_t max, uint64_t *lost);

/* Sleep until something is written, at most timeout_s on a monotonic clock. Returns whether
 * something was written since the last wait; ring_read may already have taken it. A signal handler
 * may end the wait early (false). */
bool ring_wait(ring *r, double timeout_s);

#endif
