/* stages.h - all kinds of stage, for the table in front_end.c. The top of each stage's file defines
 * it. */
#ifndef FILTER_FEATURES_STAGES_H
#define FILTER_FEATURES_STAGES_H

#include "filter/features/front_end.h"

extern const stage_ops stage_raw;
extern const stage_ops stage_diff;
extern const stage_ops stage_znorm;
extern const stage_ops stage_envelope;
extern const stage_ops stage_bandpass;
extern const stage_ops stage_resample;
extern const stage_ops stage_logmel;
extern const stage_ops stage_mfcc;
extern const stage_ops stage_speech;

#endif
