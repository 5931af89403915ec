/*
 * speech_constants.h - what speech.c multiplies 12 cepstra and 13 slopes by: 1 / standard
 * deviation over speech, of the cepstra a third. Made by tools/make-constants, from the voices
 *     June (fr), 154758 frames,
 *     Carlo (it), 141595 frames,
 *     Ivrvoice (ru), 147399 frames.
 * Each counts the same. None of them is in a test or a benchmark of sigrep.
 */
#ifndef FILTER_FEATURES_SPEECH_CONSTANTS_H
#define FILTER_FEATURES_SPEECH_CONSTANTS_H

static const double speech_scale[25] = {
    2.67085, 3.15206, 5.19789, 4.3011,  6.42199, 5.99672, 7.99231, 7.93153, 9.36952,
    8.82484, 8.84861, 9.31819, 19.5721, 40.9588, 49.0493, 70.0325, 57.955,  91.0506,
    85.2854, 109.709, 112.235, 127.802, 127.006, 127.472, 135.047,
};

#endif
