#include "filter/bundle/warp.h"

#include <math.h>
#include <stdlib.h>

static double distance(const float *a, const float *b, size_t dim)
{
    double sum = 0;
    for (size_t k = 0; k < dim; k++) sum += fabs((double)a[k] - (double)b[k]);
    return sum;
}

static double least(double a, double b, double c)
{
    const double ab = a < b ? a : b;
    return ab < c ? ab : c;
}

double warp_best_score(warp_sequence x, warp_sequence y, size_t dim)
{
    double *column = malloc((x.length + 1) * sizeof *column), best = INFINITY;
    if (!column) return -1;
    column[0] = 0;
    for (size_t i = 1; i <= x.length; i++) column[i] = INFINITY;
    for (size_t t = 0; t < y.length; t++) {
        double diagonal = 0;
        for (size_t i = 1; i <= x.length; i++) {
            const double d = least(diagonal, column[i], column[i - 1]) +
                             distance(x.frames + (i - 1) * dim, y.frames + t * dim, dim);
            diagonal = column[i];
            column[i] = d;
        }
        if (column[x.length] < best) best = column[x.length];
    }
    free(column);
    return best / (double)x.length;
}

/* D of the whole matrix, row by row of x, and an edge of infinity before the first. */
static double *fill(warp_sequence x, warp_sequence y, size_t dim)
{
    const size_t width = y.length + 1;
    double *d = malloc((x.length + 1) * width * sizeof *d);
    if (!d) return NULL;
    for (size_t t = 0; t < width; t++) d[t] = INFINITY;
    d[0] = 0;
    for (size_t i = 1; i <= x.length; i++) {
        double *row = d + i * width;
        row[0] = INFINITY;
        for (size_t t = 1; t < width; t++)
            row[t] = least(row[t - 1 - width], row[t - 1], row[t - width]) +
                     distance(x.frames + (i - 1) * dim, y.frames + (t - 1) * dim, dim);
    }
    return d;
}

size_t warp_path(warp_sequence x, warp_sequence y, size_t dim, warp_pair *path, double *cost)
{
    const size_t width = y.length + 1;
    double *d = fill(x, y, dim);
    size_t n = 0, i = x.length, t = y.length;
    if (!d) return 0;
    if (cost) *cost = d[i * width + t];
    while (i > 0 && t > 0) {
        const double diagonal = d[(i - 1) * width + t - 1];
        const double left = d[i * width + t - 1], up = d[(i - 1) * width + t];
        if (path) path[n] = (warp_pair){i - 1, t - 1};
        n++;
        const double from = least(diagonal, left, up);
        const int is_up = from != diagonal && from != left;
        if (from == diagonal || is_up) i--;
        if (from == diagonal || !is_up) t--;
    }
    free(d);
    return n;
}
