#include "io/mix_check.h"

enum { PART = 1 << 16 };          /* frames */
static const double LEAST = 1e-3; /* power of the mean, over that of a channel: -30 dB */

bool mix_check_end(mix_check *c)
{
    const bool was_reported = c->cancels;
    c->cancels |= c->parts > 0 && c->mean < LEAST * c->parts;
    c->frames = 0;
    c->mean = c->parts = 0;
    return c->cancels && !was_reported;
}

bool mix_check_add(mix_check *c, const float *floats, const double *doubles, size_t channels,
                   size_t n)
{
    bool cancels = false;
    for (size_t i = 0; i < n && !c->cancels; i++) {
        double sum = 0, squares = 0;
        for (size_t j = i * channels; j < (i + 1) * channels; j++) {
            const double value = floats ? (double)floats[j] : doubles[j];
            sum += value;
            squares += value * value;
        }
        c->parts += squares / (double)channels;
        c->mean += sum * sum / (double)(channels * channels);
        if (++c->frames == PART) cancels |= mix_check_end(c);
    }
    return cancels;
}
