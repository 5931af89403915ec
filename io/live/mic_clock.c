#include "io/live/mic_clock.h"

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

/* Count lost_s seconds as lost, at least `least` samples. Returns the samples. */
static uint64_t count_lost(mic_clock *c, double lost_s, uint64_t least)
{
    uint64_t lost = lost_s > 0 ? (uint64_t)llround(lost_s * c->rate_hz) : 0;
    if (lost < least) lost = least;
    c->count += lost;
    return lost;
}

/*
 * At the end of each part: were samples lost? After a stall, two things must be true first. The
 * parts before the stall have left the window: the minimum over all parts sees to that. And the
 * samples have stopped catching up: the newer half is not much less late than the older.
 */
static uint64_t find_loss(mic_clock *c, double part_s)
{
    enum { HALF = MIC_CLOCK_PARTS / 2 };
    double older = least_of(c->least_s, HALF), newer = least_of(c->least_s + HALF, HALF);
    double now = fmin(older, newer);
    if (now - c->usual_s <= MIC_CLOCK_LEAST_S) {
        c->usual_s += fmin(now - c->usual_s, MIC_CLOCK_DRIFT * part_s);
        return 0;
    }
    if (newer < older - MIC_CLOCK_LEAST_S / 2) return 0;
    uint64_t lost = count_lost(c, now - c->usual_s, 0);
    /* The whole window lies after the loss, which `count` now includes. */
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
        lost = count_lost(c, late_s - c->usual_s, 1);
    }
    double part_s = now_s - c->part_began_s;
    if (part_s >= MIC_CLOCK_WINDOW_S / MIC_CLOCK_PARTS) {
        lost += find_loss(c, part_s);
        memmove(c->least_s, c->least_s + 1, (MIC_CLOCK_PARTS - 1) * sizeof *c->least_s);
        c->least_s[MIC_CLOCK_PARTS - 1] = INFINITY;
        c->part_began_s = now_s;
    }
    double late_s = now_s - c->began_s - (double)c->count / c->rate_hz;
    double *least = &c->least_s[MIC_CLOCK_PARTS - 1];
    *least = fmin(*least, late_s);
    return lost;
}
