/*
 * stages.h - the kinds of stage, for the table in feature.c. Each is described at the top
 * of its own file.
 */
#ifndef FILTER_FEATURES_STAGES_H
#define FILTER_FEATURES_STAGES_H

#include "filter/features/feature.h"

extern const feature_ops feature_raw;
extern const feature_ops feature_diff;
extern const feature_ops feature_znorm;
extern const feature_ops feature_envelope;
extern const feature_ops feature_bandpass;
extern const feature_ops feature_logmel;
extern const feature_ops feature_mfcc;
extern const feature_ops feature_speech;
extern const feature_ops feature_resample;

#endif
