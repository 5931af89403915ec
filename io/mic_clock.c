#include "io/mic_clock.h"

#include <math.h>
#include <string.h>

void mic_clock_init(mic_clock *c, double rate_hz)
{
    *c = (mic_clock){.rate_hz = rate_hz};
}

static void start(mic_clock *c, double now_s, size_t n)
{
    c->running = true;
    c->began_s = now_s - (double)n / c->rate_hz;
    c->count = n;
    c->part_began_s = now_s;
    for (size_t i = 0; i < MIC_CLOCK_PARTS; i++) c->least_s[i] = 0;
}

static double least_of(const double *values, size_t n)
{
    double least = values[0];
    for (size_t i = 1; i < n; i++) least = fmin(least, values[i]);
    return least;
}

/* Count `lost_s` seconds of samples, `least` samples at least. */
static uint64_t lose(mic_clock *c, double lost_s, uint64_t least)
{
    uint64_t lost = lost_s > 0 ? (uint64_t)llround(lost_s * c->rate_hz) : 0;
    if (lost < least) lost = least;
    c->count += lost;
    return lost;
}

/*
 * A part of the window is over: what does the whole say? After a stall the parts from
 * before it must have left the window, which the least of all takes care of, and samples
 * must not be catching up any more.
 */
static uint64_t judge(mic_clock *c, double part_s)
{
    enum { HALF = MIC_CLOCK_PARTS / 2 };
    double older = least_of(c->least_s, HALF), newer = least_of(c->least_s + HALF, HALF);
    double now = fmin(older, newer);
    if (now - c->usual_s <= MIC_CLOCK_LEAST_S) {
        c->usual_s += fmin(now - c->usual_s, MIC_CLOCK_DRIFT * part_s);
        return 0;
    }
    if (newer < older - MIC_CLOCK_LEAST_S / 2) return 0;
    uint64_t lost = lose(c, now - c->usual_s, 0);
    /* All of the window lies behind the loss. */
    for (size_t i = 0; i < MIC_CLOCK_PARTS; i++) c->least_s[i] -= (double)lost / c->rate_hz;
    return lost;
}

uint64_t mic_clock_note(mic_clock *c, double now_s, size_t n, bool overflow)
{
    if (!c->running) {
        start(c, now_s, n);
        return 0;
    }
    uint64_t lost = 0;
    c->count += n;
    if (overflow) {
        double late_s = now_s - c->began_s - (double)c->count / c->rate_hz;
        lost = lose(c, late_s - c->usual_s, 1);
    }
    double part_s = now_s - c->part_began_s;
    if (part_s >= MIC_CLOCK_WINDOW_S / MIC_CLOCK_PARTS) {
        lost += judge(c, part_s);
        memmove(c->least_s, c->least_s + 1, (MIC_CLOCK_PARTS - 1) * sizeof *c->least_s);
        c->least_s[MIC_CLOCK_PARTS - 1] = INFINITY;
        c->part_began_s = now_s;
    }
    double late_s = now_s - c->began_s - (double)c->count / c->rate_hz;
    double *least = &c->least_s[MIC_CLOCK_PARTS - 1];
    *least = fmin(*least, late_s);
    return lost;
}
