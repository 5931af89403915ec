/*
 * speech_constants.h - the factors of speech.c for 12 cepstra, then 13 slopes: 1 / standard
 * deviation over speech, a third of that for cepstra. dev/eval/make-constants made them from
 * three voices:
 *     June (fr), 154758 frames,
 *     Carlo (it), 141595 frames,
 *     Ivrvoice (ru), 147399 frames.
 * Each voice counts the same. No test or benchmark of sigrep uses one of them.
 */
#ifndef FILTER_FEATURES_SPEECH_CONSTANTS_H
#define FILTER_FEATURES_SPEECH_CONSTANTS_H

static const double speech_scale[25] = {
    2.81783, 3.11113, 5.48229, 4.48071, 7.02848, 6.60032, 9.06174, 8.99124, 11.2701,
    10.3238, 10.449,  11.1668, 22.4704, 47.3014, 55.1489, 82.5298, 67.2766, 110.032,
    104.442, 135.112, 141.27,  166.313, 166.005, 170.275, 182.833,
};

#endif
