/*
 * zmatch_literal.h - "Each match normalised" of docs/SEMANTICS.md as code, literal and slow,
 * without a line of the library. Tests compare the library with it.
 */
#ifndef TESTS_SUPPORT_ZMATCH_LITERAL_H
#define TESTS_SUPPORT_ZMATCH_LITERAL_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* z of the m values of y; false: they are flat. */
static inline bool zmatch_literal_normalise(float *z, const float *y, size_t m)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < m; i++) mean += (double)y[i] - (double)y[0];
    mean /= (double)m;
    for (size_t i = 0; i < m; i++)
        variance += ((double)y[i] - (double)y[0] - mean) * ((double)y[i] - (double)y[0] - mean);
    const double deviation = sqrt(variance / (double)m);
    if (deviation <= 0x1p-24 * fabs((double)y[0] + mean)) return false;
    for (size_t i = 0; i < m; i++)
        z[i] = (float)(((double)y[i] - (double)y[0] - mean) * (1 / deviation));
    return true;
}

/* D of a template and a window, both of m values; +inf: the window has none. */
static inline float zmatch_literal_distance(const float *template, const float *y, size_t m,
                                            size_t band)
{
    float *x = malloc(m * sizeof *x), *z = malloc(m * sizeof *z);
    float *d = malloc(m * m * sizeof *d), distance = INFINITY;
    if (zmatch_literal_normalise(x, template, m) && zmatch_literal_normalise(z, y, m)) {
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                float best = i + j ? INFINITY : 0;
                if (i && j) best = fminf(best, d[(i - 1) * m + j - 1]);
                if (i) best = fminf(best, d[(i - 1) * m + j]);
                if (j) best = fminf(best, d[i * m + j - 1]);
                const bool is_in = i <= j + band && j <= i + band;
                d[i * m + j] = is_in ? best + fabsf(x[i] - z[j]) : INFINITY;
            }
        distance = d[m * m - 1];
    }
    free(x);
    free(z);
    free(d);
    return distance;
}

#endif
