#include "filter/background/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ascending.h"
#include "filter/features/front_end.h"
#include "filter/features/resample.h"
#include "filter/grown.h"
#include "filter/status.h"

/* The assembler includes the file; it finds it from the top of the source. 58 bytes of header. */
__asm__(".section .rodata\n"
        ".hidden background_samples\n.globl background_samples\n"
        "background_samples:\n"
        ".incbin \"filter/background/background.wav\", 58\n"
        ".previous\n");
extern const unsigned char background_samples[BACKGROUND_SAMPLES];

/* mu-law, ITU-T G.711: sign, segment and step, all bits inverted. In [-1, 1). */
static float decode(unsigned char inverted)
{
    const unsigned code = inverted ^ 0xffu, segment = code >> 4 & 7, step = code & 15;
    const int bias = 33, magnitude = (int)((2 * step + 33) << segment) - bias;
    return (float)(code & 0x80 ? -magnitude : magnitude) / 8192;
}

void background_decode(float *to, size_t at, size_t n, size_t channels)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < channels; k++)
            to[i * channels + k] = decode(background_samples[at + i]);
}

enum { PUSH = 4096 }; /* samples given to the front end at once */

struct background {
    size_t n, dim, capacity;
    float *frames; /* n x dim */
};

static sigrep_status append(background *b, const float *frames, size_t n)
{
    if (!n) return SIGREP_OK; /* `frames` may be NULL then */
    float *room = grown(b->frames, &b->capacity, b->n + n, b->dim * sizeof *room);
    if (!room) return SIGREP_NO_MEMORY;
    b->frames = room;
    memcpy(b->frames + b->n * b->dim, frames, n * b->dim * sizeof *frames);
    b->n += n;
    return SIGREP_OK;
}

static sigrep_status run_front_end(background *b, front_end *chain, size_t channels)
{
    const float *frames;
    float *samples = malloc(PUSH * channels * sizeof *samples);
    sigrep_status status = samples ? SIGREP_OK : SIGREP_NO_MEMORY;
    b->dim = front_end_shape(chain).dim;
    for (size_t at = 0; at < BACKGROUND_SAMPLES && !status; at += PUSH) {
        const size_t n = BACKGROUND_SAMPLES - at < PUSH ? BACKGROUND_SAMPLES - at : PUSH;
        background_decode(samples, at, n, channels);
        const size_t got = front_end_push(chain, samples, n, &frames);
        status = append(b, frames, got);
    }
    if (!status) {
        const size_t got = front_end_flush(chain, &frames);
        status = append(b, frames, got);
    }
    free(samples);
    return !status && front_end_failed(chain) ? SIGREP_NO_MEMORY : status;
}

/* The front end for the samples, which it first resamples. */
static sigrep_status create_chain(front_end **chain, const char *spec, size_t channels,
                                  double rate_hz, sigrep_error *error)
{
    const frame_shape in = {channels, BACKGROUND_HZ};
    char *stages = resample_spec(spec, BACKGROUND_HZ, rate_hz);
    if (!stages) return SIGREP_NO_MEMORY;
    const sigrep_status status = front_end_create(chain, stages, in, PUSH, error);
    free(stages);
    return status;
}

sigrep_status background_create(background **out, const char *spec, size_t channels, double rate_hz,
                                sigrep_error *error)
{
    front_end *chain;
    const stage_ops *last;
    *out = NULL;
    sigrep_status status =
        front_end_find_last(&last, spec, (frame_shape){channels, rate_hz}, error);
    if (status || !(last->auto_factor > 0)) return status;
    status = create_chain(&chain, spec, channels, rate_hz, error);
    if (status) return status;
    background *b = calloc(1, sizeof *b);
    status = b ? run_front_end(b, chain, channels) : SIGREP_NO_MEMORY;
    front_end_destroy(chain);
    if (status)
        background_destroy(b);
    else
        *out = b;
    return status;
}

void background_destroy(background *b)
{
    if (!b) return;
    free(b->frames);
    free(b);
}

enum { LOW_PART = 20 }; /* of the pieces, one in so many lies below the low score */

/* The least of each m of n scores, ascending; they are D, so it is divided by m. Returns the number
 * of pieces. */
static size_t lowest_of_pieces(const float *d, size_t n, size_t m, double *lowest)
{
    const size_t pieces = n / m;
    for (size_t i = 0; i < pieces; i++) {
        float least = INFINITY;
        for (size_t t = i * m; t < (i + 1) * m; t++)
            if (d[t] < least) least = d[t];
        lowest[i] = (double)least / (double)m;
    }
    qsort(lowest, pieces, sizeof *lowest, ascending);
    return pieces;
}

static double median(const double *lowest, size_t n)
{
    return (lowest[n / 2] + lowest[(n - 1) / 2]) / 2;
}

static double low_of(const double *lowest, size_t n)
{
    return lowest[n / LOW_PART];
}

/* D(m,t) at each of the background's frames, from a cold start. */
static sigrep_status sweep(const kernel_ops *ops, const background *b, const kernel_template *x,
                           float *d)
{
    const kernel_plan plan = {
        .templates = x, .n_templates = 1, .dim = b->dim, .max_chunk = b->n, .scores = true};
    const size_t blocks = kernel_max_blocks(b->n);
    void *kernel = NULL;
    float *minima = malloc(blocks * sizeof *minima);
    sigrep_status status = minima ? ops->create(&kernel, &plan) : SIGREP_NO_MEMORY;
    const kernel_output out = {.minima = minima, .minima_stride = blocks, .scores = d};
    if (!status) status = ops->sweep(kernel, b->frames, b->n, &out);
    if (kernel) ops->destroy(kernel);
    free(minima);
    return status;
}

/* What `of` says of the pieces' lowest scores. 0 if it is beyond float32. */
static sigrep_status measure(double (*of)(const double *lowest, size_t n), const kernel_ops *ops,
                             double *score, const background *b, const float *frames, size_t length,
                             size_t dim)
{
    if (!ops) return SIGREP_NO_KERNEL;
    if (dim != b->dim) return SIGREP_BAD_TEMPLATE;
    const size_t m = length < b->n ? length : b->n;
    const kernel_template x = {.frames = frames, .length = m, .eps = INFINITY, .history = m};
    float *d = malloc(b->n * sizeof *d);
    double *lowest = malloc(b->n / m * sizeof *lowest);
    sigrep_status status = d && lowest ? sweep(ops, b, &x, d) : SIGREP_NO_MEMORY;
    const double found = status ? 0 : of(lowest, lowest_of_pieces(d, b->n, m, lowest));
    if (!status) *score = isfinite(found) ? found : 0;
    free(d);
    free(lowest);
    return status;
}

sigrep_status background_level_by(const kernel_ops *ops, double *level, const background *b,
                                  const float *frames, size_t length, size_t dim)
{
    return measure(median, ops, level, b, frames, length, dim);
}

sigrep_status background_level(double *level, const background *b, const float *frames,
                               size_t length, size_t dim)
{
    return measure(median, kernel_choose("cpu", NULL, NULL), level, b, frames, length, dim);
}

sigrep_status background_low(double *low, const background *b, const float *frames, size_t length,
                             size_t dim)
{
    return measure(low_of, kernel_choose("cpu", NULL, NULL), low, b, frames, length, dim);
}
