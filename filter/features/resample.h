/* resample.h - what a change of rate can do, for those who insert one. */
#ifndef FILTER_FEATURES_RESAMPLE_H
#define FILTER_FEATURES_RESAMPLE_H

#include "filter/features/timing.h"

/* Rates further apart than this are refused. */
#define RESAMPLE_MAX_FACTOR 256

/* *hop is from_hz / to_hz exactly: the input samples from one output frame to the next.
 * SIGREP_BAD_FRONT_END with words in *error, which begin "from ... Hz to ... Hz", where that
 * is no fraction that can be counted with, or too large or small. */
sigrep_status resample_hop(rational *hop, double from_hz, double to_hz, sigrep_error *error);

#endif
