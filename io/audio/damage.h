/*
 * damage.h - parts of compressed audio that could not be decoded: gaps, reported once.
 *
 *     | frames | ??????? | frames ...        the reader gives NaN for each sample that is missing
 *               a gap
 */
#ifndef IO_AUDIO_DAMAGE_H
#define IO_AUDIO_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"

typedef struct {
    uint64_t gaps, frames; /* so far, in all */
    bool is_ended;         /* and that was reported */
} damage;

/* `frames` are missing from frame `at` on, or so many are estimated. The first gap is reported at
 * once. */
void damage_note(damage *d, source *src, uint64_t at, uint64_t frames, bool is_estimate);

/* The input has ended: report how much is missing in all, once. */
void damage_end(damage *d, source *src);

#endif
