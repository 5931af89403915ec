/*
 * mic_clock.h - what a microphone lost without saying so, by comparing the clock with the
 * samples that came.
 *
 * How late a sample arrives varies with buffers and schedulers, but at its best, over some
 * tenths of a second, it is constant: a stall after which all the samples come in a hurry
 * is no loss. So the least lateness of the last MIC_CLOCK_WINDOW_S is compared with what it
 * used to be. A jump of more than MIC_CLOCK_LEAST_S is a loss of that length, told within a
 * second of the moment at which samples come again. Smaller changes are followed at
 * MIC_CLOCK_DRIFT at most, which no quartz exceeds, so that a microphone's clock may run
 * fast or slow for months, while many small losses still add up to one that is told.
 */
#ifndef IO_MIC_CLOCK_H
#define IO_MIC_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MIC_CLOCK_PARTS = 6 };
#define MIC_CLOCK_WINDOW_S 0.4 /* longer where buffers are: a part holds one at least */
#define MIC_CLOCK_LEAST_S 0.05
#define MIC_CLOCK_DRIFT 0.002

typedef struct {
    double rate_hz;
    bool running;
    double began_s; /* when sample 0 was taken, as far as is known */
    uint64_t count; /* samples that came and that were lost */
    double usual_s; /* the least lateness, as it used to be */
    double part_began_s;
    double least_s[MIC_CLOCK_PARTS]; /* lateness by parts of the window, oldest first */
} mic_clock;

void mic_clock_init(mic_clock *c, double rate_hz);

/* n samples arrived at now_s, of a clock that never goes back. Returns how many were lost
 * before them. With `overflow` something was: one at least, as many as seems now. */
uint64_t mic_clock_note(mic_clock *c, double now_s, size_t n, bool overflow);

#endif
