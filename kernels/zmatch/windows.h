/* windows.h - what a zmatch holds: the template, and the windows that it looks at. */
#ifndef KERNELS_ZMATCH_WINDOWS_H
#define KERNELS_ZMATCH_WINDOWS_H

#include "kernels/zmatch/zmatch.h"

enum { ZMATCH_EVERY = 16 }; /* rows between two questions whether D can still be low enough */

struct zmatch {
    const zmatch_ops *ops;
    size_t m, band;
    float *x;             /* m: the template */
    float *upper, *lower; /* m: its envelope, the largest and the lowest value within the band */
    double rounding;      /* a bound from below may be too high by this factor ... */
    double margin;        /* ... and by this */

    /* The windows that are looked at: z is about (y - anchor) * gain - shift. */
    const float *y; /* n + m - 1 */
    size_t n;
    float anchor;
    float *gain, *shift;      /* m; a gain of NaN: no bound is to be trusted */
    float *kim;               /* m: LB_Kim; +inf: surely flat */
    double *sums, *squares;   /* m */
    bool has_envelope;        /* of y: */
    float *y_upper, *y_lower; /* 2 m */
    float *sliding;           /* 4 m: scratch */

    /* One of them: how far each value is outside of the other's envelope. */
    float *of_window, *of_template; /* m */
    float *z;                       /* m */

    /* Those whose D are computed at once, a lane each. */
    float *lane_z; /* m x lanes */
    float *lane_d; /* m x lanes: a row of D */
    float *rest;   /* of every ZMATCH_EVERY-th row x lanes: what the rows below it cost at least */
    size_t windows[ZMATCH_LANES]; /* that have a lane */
    size_t n_lanes;
    size_t filled_to; /* windows before this have a lane or are ruled out */
    size_t row;       /* the next one of D; 0: no matrix was begun */

    float *memory; /* of all floats */
};

/* side[i]: the largest sign * v[j] with |i - j| <= band, times sign, of n values. */
void zmatch_envelope(zmatch *zm, float *side, const float *v, size_t n, float sign);

#endif
