#include "io/audio/decoded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/source_ops.h"

float *decoded_room(decoded *d, size_t n)
{
    const size_t values = (d->n + n) * d->channels;
    if (values > d->room) {
        float *block = realloc(d->block, values * sizeof *block);
        if (!block) return NULL;
        d->block = block;
        d->room = values;
    }
    return d->block + d->n * d->channels;
}

size_t decoded_read(decoded *d, float *frames, size_t max)
{
    const bool is_gap = d->missing > 0;
    const uint64_t left = is_gap ? d->missing : d->n - d->at;
    const size_t n = left < max ? (size_t)left : max;
    if (is_gap) {
        for (size_t i = 0; i < n * d->channels; i++) frames[i] = NAN;
        d->missing -= n;
    } else {
        memcpy(frames, d->block + d->at * d->channels, n * d->channels * sizeof *frames);
        d->at += n;
    }
    d->given += n;
    return n;
}

void decoded_report_gap(decoded *d, source *src, bool is_estimate)
{
    const double rate_hz = src->info.rate_hz;
    d->lost += d->missing;
    if (d->gaps++ > 0) return;
    source_warn(src, "damaged at %.2f s: a gap of %s%.2f s; the search goes on after it%s",
                (double)d->given / rate_hz, is_estimate ? "about " : "",
                (double)d->missing / rate_hz,
                is_estimate ? ", at times that may be off as much" : "");
}

void decoded_report_end(decoded *d, source *src)
{
    if (d->gaps < 2 || d->is_ended) return;
    d->is_ended = true;
    source_warn(src, "damaged in %llu places: gaps of %.2f s in all", (unsigned long long)d->gaps,
                (double)d->lost / src->info.rate_hz);
}
