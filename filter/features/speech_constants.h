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
    2.80154, 3.08661, 5.41574, 4.40463, 6.86712, 6.4097,  8.69465, 8.52533, 10.5095,
    9.58386, 9.65704, 10.2703, 22.4272, 46.9403, 54.5737, 81.5215, 66.0529, 106.772,
    100.856, 128.4,   132.799, 152.837, 152.253, 154.536, 164.139,
};

#endif
