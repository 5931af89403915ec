#include "filter/bundle/fingerprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/status.h"

enum {
    FRAMES = 8,           /* the last ones are kept */
    MAX_VALUES = 1 << 16, /* of noise, and of frames */
    MAX_MEMORY = 1 << 14, /* samples before those that the frames need, for filters to settle */
    LEVELS = 8            /* of the noise, each half the one before: quiet noise shows floors */
};

/* Uniform in [-1, 1), by Knuth's MMIX generator: exact in float32. */
static float draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ldexpf((float)(*seed >> 40), -23) - 1;
}

static float *make_noise(size_t n, size_t channels)
{
    float *noise = malloc(n * channels * sizeof *noise);
    uint64_t seed = 1;
    for (size_t t = 0; noise && t < n; t++)
        for (size_t k = 0; k < channels; k++)
            noise[t * channels + k] = ldexpf(draw(&seed), -1 - (int)(LEVELS * t / n));
    return noise;
}

static size_t least(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

static size_t noise_length(const front_end *chain, size_t channels)
{
    const uint64_t most = MAX_VALUES / channels, needed = front_end_samples_needed(chain, FRAMES);
    return least(least(needed, most) + least(front_end_timing(chain).memory, MAX_MEMORY), most);
}

typedef struct {
    float *frames;
    size_t n, most, dim;
} last_frames;

static void add_frames(last_frames *last, const float *frames, size_t n)
{
    const size_t dim = last->dim, bytes = dim * sizeof *frames;
    for (size_t i = n > last->most ? n - last->most : 0; i < n; i++) {
        if (last->n == last->most) {
            memmove(last->frames, last->frames + dim, (last->n - 1) * bytes);
            last->n--;
        }
        memcpy(last->frames + last->n++ * dim, frames + i * dim, bytes);
    }
}

static sigrep_status pass_noise(front_end *chain, const float *noise, size_t n, last_frames *last)
{
    const float *frames;
    size_t got = front_end_push(chain, noise, n, &frames);
    add_frames(last, frames, got);
    got = front_end_flush(chain, &frames);
    add_frames(last, frames, got);
    return front_end_failed(chain) ? SIGREP_NO_MEMORY : SIGREP_OK;
}

sigrep_status fingerprint_create(fingerprint *print, const char *spec, double rate_hz,
                                 size_t channels, sigrep_error *error)
{
    const frame_shape in = {channels, rate_hz};
    front_end *chain;
    *print = (fingerprint){0};
    sigrep_status status = front_end_create(&chain, spec, in, MAX_VALUES / channels, error);
    if (status) return status;
    const size_t dim = front_end_shape(chain).dim, n = noise_length(chain, channels);
    float *noise = make_noise(n, channels);
    last_frames last = {.dim = dim, .most = least(FRAMES, dim < MAX_VALUES ? MAX_VALUES / dim : 1)};
    last.frames = malloc(last.most * dim * sizeof *last.frames);
    status = noise && last.frames ? pass_noise(chain, noise, n, &last) : SIGREP_NO_MEMORY;
    const frame_timing timing = front_end_timing(chain);
    const stage_ops *last_stage = front_end_last(chain);
    free(noise);
    front_end_destroy(chain);
    if (status) {
        free(last.frames);
        return status_fail(error, status, "out of memory");
    }
    *print = (fingerprint){.frames = last.frames, .n = last.n, .dim = dim};
    print->hop = timing.hop / timing.per + (timing.hop % timing.per > 0);
    print->memory = timing.memory;
    print->last_stage = last_stage;
    return SIGREP_OK;
}

bool fingerprints_agree(const fingerprint *a, const fingerprint *b)
{
    static const double NEAR = 1e-4; /* FFTs differ from machine to machine, by 1e-6 or so */
    double most = 0, off = 0;
    if (a->n != b->n || a->dim != b->dim) return false;
    for (size_t i = 0; i < a->n * a->dim; i++) {
        most = fmax(most, fabs((double)a->frames[i]));
        off = fmax(off, fabs((double)a->frames[i] - (double)b->frames[i]));
    }
    return off <= NEAR * most;
}
