/*
 * common_frames.h - how far a frame of `speech` is from what all speech has. The centres come from
 * the library's minute of foreign speech, by k-means (dev/eval/make-common-frames).
 */
#ifndef FILTER_FEATURES_COMMON_FRAMES_H
#define FILTER_FEATURES_COMMON_FRAMES_H

#include <stddef.h>

enum {
    COMMON_VALUES = 75, /* of a frame: y of speech.c */
    COMMON_FRAMES = 128 /* centres */
};

typedef struct {
    float values[COMMON_VALUES][COMMON_FRAMES]; /* of all centres side by side */
} common_frames;

/* Fill it with the centres that are part of the library. */
void common_frames_load(common_frames *common);

/* The least L1 distance of COMMON_VALUES values to a centre. Sums are float32, from the first value
 * to the last. */
float common_frames_distance(const common_frames *common, const float *frame);

#endif
