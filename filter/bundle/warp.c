#include "filter/bundle/warp.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
        const double *above = row - width;
        row[0] = INFINITY;
        for (size_t t = 1; t < width; t++)
            row[t] = least(above[t - 1], row[t - 1], above[t]) +
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

enum { ROUNDS = 10 };
static const double NEAR = 1e-3; /* relative; norms that differ less are the same */

size_t average_medoid(const warp_sequence *takes, size_t n, size_t dim)
{
    size_t medoid = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            double cost = 0;
            if (k != i && !warp_path(takes[i], takes[k], dim, NULL, &cost)) return SIZE_MAX;
            sum += cost / (double)(takes[i].length + takes[k].length);
        }
        if (sum < least) {
            least = sum;
            medoid = i;
        }
    }
    return medoid;
}

static double norm(const float *frame, size_t dim)
{
    double sum = 0;
    for (size_t k = 0; k < dim; k++) sum += (double)frame[k] * (double)frame[k];
    return sqrt(sum);
}

/* The norm of all frames of all takes. 0: norms differ. */
static double common_norm(const warp_sequence *takes, size_t n, size_t dim)
{
    const double first = norm(takes[0].frames, dim);
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < takes[i].length; t++)
            if (!(fabs(norm(takes[i].frames + t * dim, dim) - first) <= NEAR * first)) return 0;
    return first;
}

typedef struct {
    float *frames; /* the average so far, length x dim */
    size_t length, dim;
    double *sums; /* length x dim */
    size_t *counts;
    warp_pair *path;
} barycentre;

/* Add each frame of the take to the frames of the average that the path joins with it. */
static bool associate(barycentre *b, warp_sequence take)
{
    const warp_sequence own = {b->frames, b->length};
    const size_t n = warp_path(own, take, b->dim, b->path, NULL);
    for (size_t p = 0; p < n; p++) {
        const float *frame = take.frames + b->path[p].t * b->dim;
        double *sum = b->sums + b->path[p].i * b->dim;
        for (size_t k = 0; k < b->dim; k++) sum[k] += (double)frame[k];
        b->counts[b->path[p].i]++;
    }
    return n > 0;
}

static void set_frame(barycentre *b, size_t i, double wanted_norm)
{
    float *frame = b->frames + i * b->dim;
    for (size_t k = 0; k < b->dim; k++)
        frame[k] = (float)(b->sums[i * b->dim + k] / (double)b->counts[i]);
    const double is = norm(frame, b->dim);
    if (wanted_norm > 0 && is > 0)
        for (size_t k = 0; k < b->dim; k++)
            frame[k] = (float)((double)frame[k] * (wanted_norm / is));
}

static bool refine(barycentre *b, const warp_sequence *takes, size_t n, double wanted_norm)
{
    memset(b->sums, 0, b->length * b->dim * sizeof *b->sums);
    memset(b->counts, 0, b->length * sizeof *b->counts);
    for (size_t i = 0; i < n; i++)
        if (!associate(b, takes[i])) return false;
    for (size_t i = 0; i < b->length; i++) set_frame(b, i, wanted_norm);
    return true;
}

float *average_make(const warp_sequence *takes, size_t n, size_t dim, size_t *length)
{
    const size_t medoid = average_medoid(takes, n, dim);
    if (medoid == SIZE_MAX || takes[medoid].length * dim == 0) return NULL;
    size_t longest = 0;
    for (size_t i = 0; i < n; i++)
        if (takes[i].length > longest) longest = takes[i].length;
    *length = takes[medoid].length;
    barycentre b = {.length = *length, .dim = dim};
    b.frames = malloc(*length * dim * sizeof *b.frames);
    b.sums = malloc(*length * dim * sizeof *b.sums);
    b.counts = malloc(*length * sizeof *b.counts);
    b.path = malloc((*length + longest) * sizeof *b.path);
    bool good = b.frames && b.sums && b.counts && b.path;
    if (good) memcpy(b.frames, takes[medoid].frames, *length * dim * sizeof *b.frames);
    const double wanted_norm = common_norm(takes, n, dim);
    for (int round = 0; round < ROUNDS && good; round++) good = refine(&b, takes, n, wanted_norm);
    free(b.sums);
    free(b.counts);
    free(b.path);
    if (!good) free(b.frames);
    return good ? b.frames : NULL;
}
