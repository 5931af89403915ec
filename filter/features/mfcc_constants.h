/*
 * mfcc_constants.h - mean and standard deviation over speech of the 26 values that mfcc.c
 * scales: 13 cepstra, then their 13 slopes. dev/eval/make-constants made them from three voices:
 *     June (fr), 154758 frames,
 *     Carlo (it), 141595 frames,
 *     Ivrvoice (ru), 147399 frames.
 * Each voice counts the same. No test or benchmark of sigrep uses one of them.
 */
#ifndef FILTER_FEATURES_MFCC_CONSTANTS_H
#define FILTER_FEATURES_MFCC_CONSTANTS_H

static const double mfcc_mean[26] = {
    -64.7444,    -6.69736,     -1.56051,   -2.62468,    -2.78594,    -2.13805,   -2.02672,
    -1.36957,    -1.10042,     -0.654106,  -0.811934,   -0.733541,   -0.426055,  -0.0123311,
    -0.00542956, -0.000350635, 0.00102299, 0.00188286,  0.00170519,  0.00171886, 0.000836723,
    0.000597115, 0.000703716,  9.4331e-05, 0.000410925, 0.000171345,
};

static const double mfcc_scale[26] = {
    12.784,   4.47054,  3.12282,  1.94803,  2.27028,  1.65531,  1.72137,  1.29552,  1.2707,
    1.08306,  1.16002,  1.21537,  1.17611,  1.82041,  1.04482,  0.715066, 0.528834, 0.607404,
    0.434409, 0.438818, 0.360569, 0.345368, 0.311465, 0.309461, 0.314866, 0.299631,
};

#endif
