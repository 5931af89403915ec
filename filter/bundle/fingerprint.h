/*
 * fingerprint.h - the frames that a front end makes of a fixed noise. A bundle holds them, so that
 * its frames are never compared with those of another front end of the same name.
 */
#ifndef FILTER_BUNDLE_FINGERPRINT_H
#define FILTER_BUNDLE_FINGERPRINT_H

#include <stdbool.h>

#include "filter/features/front_end.h"

typedef struct {
    float *frames; /* n x dim */
    size_t n, dim;
    uint64_t hop;    /* samples a frame, rounded up */
    uint64_t memory; /* as frame_timing states it */
    const stage_ops *last_stage;
} fingerprint;

/* The caller frees print->frames, NULL after a failure. SIGREP_BAD_FRONT_END, SIGREP_NO_MEMORY,
 * with a message in *error. */
sigrep_status fingerprint_create(fingerprint *print, const char *front_end, double rate_hz,
                                 size_t channels, sigrep_error *error);

/* Are both of the same front end? FFTs may differ in the last digits. */
bool fingerprints_agree(const fingerprint *a, const fingerprint *b);

#endif
