#include "io/audio/damage.h"

#include "io/source_ops.h"

void damage_note(damage *d, source *src, uint64_t at, uint64_t frames)
{
    const double rate_hz = src->info.rate_hz;
    d->frames += frames;
    if (d->gaps++ > 0) return;
    source_warn(src, "damaged at %.2f s: a gap of %.2f s; the search goes on after it",
                (double)at / rate_hz, (double)frames / rate_hz);
}

void damage_end(const damage *d, source *src)
{
    if (d->gaps < 2) return;
    source_warn(src, "damaged in %llu places: gaps of %.2f s in all", (unsigned long long)d->gaps,
                (double)d->frames / src->info.rate_hz);
}
