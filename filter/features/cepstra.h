/* cepstra.h - the parts that mfcc and speech share, and their constants. */
#ifndef FILTER_FEATURES_CEPSTRA_H
#define FILTER_FEATURES_CEPSTRA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The weight of band b of n in coefficient i of the orthonormal DCT-II:
 *
 *     s_i cos(pi i (b + 1/2) / n)      s_0 = sqrt(1/n), else sqrt(2/n)
 */
static inline double cepstra_weight(int i, int b, int n)
{
    const double pi = acos(-1.);
    return sqrt((i ? 2. : 1.) / n) * cos(pi * i * (b + 0.5) / n);
}

/* Frame t + k, clamped to the frames 0 ... n_frames - 1; t < n_frames. */
static inline uint64_t cepstra_neighbour(uint64_t n_frames, uint64_t t, int k)
{
    if (k < 0) return t > (uint64_t)-k ? t - (uint64_t)-k : 0;
    const uint64_t last = n_frames - 1;
    return last - t > (uint64_t)k ? t + (uint64_t)k : last;
}

/* n finite values below 1e150 in, n floats out. The squares are added by rising index. A
 * vector of zeros stays zeros. */
static inline void unit_length(const double *values, size_t n, float *out)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += values[i] * values[i];
    const double length = sqrt(squares);
    for (size_t i = 0; i < n; i++) out[i] = length > 0 ? (float)(values[i] / length) : 0;
}

/* dev/eval/make-constants made the constants from three voices: June (fr), 154758 frames, Carlo
 * (it), 141595 frames, and Ivrvoice (ru), 147399 frames. Each voice counts the same. No test or
 * benchmark of sigrep uses one of them. */

/* mfcc: mean and standard deviation over speech of 13 cepstra, then their 13 slopes. */
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

/* speech: the factors for 12 cepstra, then 13 slopes: 1 / standard deviation over speech, a third
 * of that for cepstra. */
static const double speech_scale[25] = {
    2.81783, 3.11113, 5.48229, 4.48071, 7.02848, 6.60032, 9.06174, 8.99124, 11.2701,
    10.3238, 10.449,  11.1668, 22.4704, 47.3014, 55.1489, 82.5298, 67.2766, 110.032,
    104.442, 135.112, 141.27,  166.313, 166.005, 170.275, 182.833,
};

#endif
