#include "io/audio/damage.h"

#include "io/source_ops.h"

void damage_note(damage *d, source *src, uint64_t at, uint64_t frames, bool is_estimate)
{
    const double rate_hz = src->info.rate_hz;
    d->frames += frames;
    if (d->gaps++ > 0) return;
    source_warn(src, "damaged at %.2f s: a gap of %s%.2f s; the search goes on after it%s",
                (double)at / rate_hz, is_estimate ? "about " : "", (double)frames / rate_hz,
                is_estimate ? ", at times that may be off as much" : "");
}

void damage_end(damage *d, source *src)
{
    if (d->gaps < 2 || d->is_ended) return;
    d->is_ended = true;
    source_warn(src, "damaged in %llu places: gaps of %.2f s in all", (unsigned long long)d->gaps,
                (double)d->frames / src->info.rate_hz);
}
