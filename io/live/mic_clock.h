/*
 * mic_clock.h - samples that a microphone lost without reporting it, found by comparing the clock
 * with the number of samples that came.
 *
 *     lateness (s)
 *       |                                    .  .   .
 *       |                                  .. .. .. .. .   least lateness: 0.3 s above usual_s,
 *       |    .      .      .               .............   so 0.3 s of samples were lost
 *       |  .  .  .   . .  . .
 *       | .....................   usual_s
 *       +-----------------------------------------------> time
 *
 * Buffers and schedulers make single samples late, but the least lateness over some tenths of a
 * second is constant. A stall after which all samples arrive is no loss. If the least lateness
 * jumps by more than MIC_CLOCK_LEAST_S, that many seconds were lost; this is known within a second
 * of the samples' return. Smaller changes are followed at MIC_CLOCK_DRIFT at most: no quartz drifts
 * faster, so a microphone may run fast or slow for months. Many small losses exceed that rate,
 * add up, and are reported together.
 */
#ifndef IO_LIVE_MIC_CLOCK_H
#define IO_LIVE_MIC_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MIC_CLOCK_PARTS = 6 };  /* parts of the window */
#define MIC_CLOCK_WINDOW_S 0.4 /* longer with long buffers: each part holds at least one */
#define MIC_CLOCK_LEAST_S 0.05
#define MIC_CLOCK_DRIFT 0.002 /* seconds a second */

typedef struct {
    double rate_hz;
    bool running;
    double began_s; /* clock time of sample 0, as well as it is known */
    uint64_t count; /* samples that came or were lost */
    double usual_s; /* the usual least lateness */
    double part_began_s;
    double least_s[MIC_CLOCK_PARTS]; /* least lateness in each part of the window, oldest first */
} mic_clock;

void mic_clock_init(mic_clock *c, double rate_hz);

/* n samples arrived at now_s, on a monotonic clock. Returns how many were lost before them.
 * `overflow`: the sound system reports a loss; the clock estimates its length, at least 1. */
uint64_t mic_clock_note(mic_clock *c, double now_s, size_t n, bool overflow);

#endif
