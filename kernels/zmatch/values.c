/* values.c - of a row of values: less offset and gain, and their envelope. */
#include <math.h>

#include "kernels/zmatch/windows.h"

/* std / |mean| of flat values, as in filter/features/znorm.c: they are an offset and its rounding.
 */
#define FLAT 0x1p-24

bool zmatch_normalise(float *z, const float *y, size_t m)
{
    const double first = (double)y[0];
    double sum = 0, squares = 0;
    for (size_t i = 0; i < m; i++) sum += (double)y[i] - first;
    const double mean = sum / (double)m;
    for (size_t i = 0; i < m; i++) {
        const double apart = ((double)y[i] - first) - mean;
        squares += apart * apart;
    }
    const double std = sqrt(squares / (double)m), gain = 1 / std;
    if (std <= FLAT * fabs(first + mean)) return false;
    for (size_t i = 0; i < m; i++) z[i] = (float)((((double)y[i] - first) - mean) * gain);
    return true;
}

/* a[i] becomes the largest of a[i] ... a[i + width - 1], for i <= n - width. */
static void slide_largest(float *a, size_t n, size_t width)
{
    size_t has = 1;
    for (; 2 * has <= width; has *= 2)
        for (size_t i = 0; i + 2 * has <= n; i++) a[i] = a[i] > a[i + has] ? a[i] : a[i + has];
    const size_t apart = width - has;
    for (size_t i = 0; i + width <= n; i++) a[i] = a[i] > a[i + apart] ? a[i] : a[i + apart];
}

void zmatch_envelope(zmatch *zm, float *side, const float *v, size_t n, float sign)
{
    const size_t band = zm->band;
    float *a = zm->sliding;
    for (size_t i = 0; i < n + 2 * band; i++) a[i] = -INFINITY;
    for (size_t i = 0; i < n; i++) a[band + i] = sign * v[i];
    slide_largest(a, n + 2 * band, 2 * band + 1);
    for (size_t i = 0; i < n; i++) side[i] = sign * a[i];
}
