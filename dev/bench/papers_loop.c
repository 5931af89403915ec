#include "dev/bench/papers_loop.h"

#include <math.h>

static float min(float a, float b)
{
    return a < b ? a : b;
}

static void samples(const float *x, size_t m, const float *y, size_t n, float *d, float *score)
{
    for (size_t t = 0; t < n; t++) {
        float diag = 0, up = 0;
        for (size_t i = 0; i < m; i++) {
            const float left = d[i];
            up = min(min(left, diag), up) + fabsf(x[i] - y[t]);
            d[i] = up;
            diag = left;
        }
        score[t] = up;
    }
}

void papers_loop(const float *x, size_t m, const float *y, size_t n, size_t dim, float *d,
                 float *score)
{
    if (dim == 1) {
        samples(x, m, y, n, d, score);
        return;
    }
    for (size_t t = 0; t < n; t++) {
        float diag = 0, up = 0;
        for (size_t i = 0; i < m; i++) {
            float cost = 0;
            for (size_t k = 0; k < dim; k++) cost += fabsf(x[i * dim + k] - y[t * dim + k]);
            const float left = d[i];
            up = min(min(left, diag), up) + cost;
            d[i] = up;
            diag = left;
        }
        score[t] = up;
    }
}
