/* front_end_help.h - run a front end over a whole signal, for the tests of its stages. */
#ifndef TESTS_FILTER_FEATURES_FRONT_END_HELP_H
#define TESTS_FILTER_FEATURES_FRONT_END_HELP_H

#include <stdlib.h>
#include <string.h>

#include "filter/features/front_end.h"
#include "tests/check.h"

enum { HELP_MAX_PUSH = 1000, HELP_MAX_VALUES = 8192 };

static inline front_end *help_create(const char *spec, size_t dim, double rate_hz)
{
    front_end *chain = NULL;
    sigrep_error error = {0};
    const frame_shape in = {.dim = dim, .rate_hz = rate_hz};
    const sigrep_status status = front_end_create(&chain, spec, in, HELP_MAX_PUSH, &error);
    CHECK_MSG(status == SIGREP_OK, "%s: %s", spec, error.text);
    if (!chain) exit(1);
    return chain;
}

/* Run one span of n samples of `dim` values, flush included. Writes its frames to
 * out[HELP_MAX_VALUES] and returns their number. *random cuts the span into short and long
 * pushes; NULL: pushes of the largest size. */
static inline size_t help_run_wide(front_end *chain, size_t dim, const float *samples, size_t n,
                                   float *out, uint64_t *random)
{
    const size_t dim_out = front_end_shape(chain).dim;
    size_t frames = 0, most = HELP_MAX_PUSH;
    for (size_t t = 0; t <= n;) {
        if (random) most = check_below(random, 4) ? 40 : HELP_MAX_PUSH;
        size_t step = random ? check_below(random, most + 1) : most;
        if (step > n - t) step = n - t;
        const float *some;
        const size_t got = t < n ? front_end_push(chain, samples + t * dim, step, &some)
                                 : front_end_flush(chain, &some);
        if ((frames + got) * dim_out > HELP_MAX_VALUES) exit(1);
        if (got) memcpy(out + frames * dim_out, some, got * dim_out * sizeof *out);
        frames += got;
        t = t < n ? t + step : n + 1;
    }
    return frames;
}

/* help_run_wide for frames with as many values as samples. */
static inline size_t help_run(front_end *chain, const float *samples, size_t n, float *out,
                              uint64_t *random)
{
    return help_run_wide(chain, front_end_shape(chain).dim, samples, n, out, random);
}

/* help_run_wide with a front end of its own, uncut. */
static inline size_t help_once(const char *spec, size_t dim, double rate_hz, const float *samples,
                               size_t n, float *out)
{
    front_end *chain = help_create(spec, dim, rate_hz);
    const size_t frames = help_run_wide(chain, dim, samples, n, out, NULL);
    front_end_destroy(chain);
    return frames;
}

static inline void help_expect_error(const char *spec, double rate_hz, const char *words)
{
    front_end *chain = NULL;
    sigrep_error error = {.text = ""};
    const frame_shape in = {.dim = 1, .rate_hz = rate_hz};
    const sigrep_status status = front_end_create(&chain, spec, in, 8, &error);
    CHECK_MSG(status == SIGREP_BAD_FRONT_END && !chain, "'%s': status %d", spec, (int)status);
    CHECK_MSG(strcmp(error.text, words) == 0, "'%s' gives \"%s\"", spec, error.text);
    front_end_destroy(chain);
}

/* A random number, uniform in [-1, 1). */
static inline float help_noise(uint64_t *random)
{
    return (float)((double)(check_random(random) >> 11) * 0x1p-52 - 1);
}

static inline void help_noises(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++) x[i] = help_noise(random);
}

/* Are n values the same, bit for bit? */
static inline int help_same(const float *a, const float *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

#endif
