/*
 * What sparse sweeps may cost beyond dense ones, in columns as they count them, not by the clock:
 * however activity alternates with nothing, no more is spent than was saved, what there is at the
 * beginning, and a share of all that was swept densely. The kernels' body is compiled in here, of
 * four lanes on any machine.
 */
#define LANES 4
#include "kernels/cpu/kernel_body.h"
#include "tests/check.h"

enum { M = 64, STEP = 1 << 16, N = 4 * STEP };

static uint64_t seed;

static bool usable_here(void)
{
    return true;
}

static const kernel_ops ops = SIMD_OPS("of four lanes", usable_here);

/* Leaky noise, the template a piece of it; in every second turn, the first one too, it is far away.
 * turn: 0, none. */
static void fill_noise(float *y, float *x, size_t turn)
{
    uint64_t random = seed;
    float level = 0;
    for (size_t t = 0; t < N; t++)
        y[t] = level = 0.98f * level + (float)(check_random(&random) >> 40) * 0x1p-23f - 1;
    memcpy(x, y + N / 3, M * sizeof *x);
    for (size_t t = 0; turn && t < N; t++)
        if (t / turn % 2 == 0) y[t] += 1e6f;
}

typedef struct {
    double least, last;
} credits;

/* That a template had after steps: the least, and the last one. */
static credits credits_of(const float *x, const float *y, float eps)
{
    const kernel_template t = {.frames = x, .length = M, .eps = eps, .history = 2 * M};
    const kernel_plan plan = {.templates = &t, .n_templates = 1, .dim = 1, .max_step = STEP};
    float minima[STEP / KERNEL_BLOCK + 2];
    const kernel_output out = {.minima = minima, .minima_stride = STEP / KERNEL_BLOCK + 2};
    credits seen = {.least = INFINITY};
    void *kernel = NULL;
    CHECK(ops.create(&kernel, &plan) == SIGREP_OK);
    for (size_t at = 0; at < N; at += STEP) {
        CHECK(ops.step(kernel, y + at, STEP, &out) == SIGREP_OK);
        seen.last = ((const simd_kernel *)kernel)->templates[0].credit;
        seen.least = fmin(seen.least, seen.last);
    }
    ops.destroy(kernel);
    return seen;
}

/* It is seen after a piece of a strip that there is nothing left. */
static const double LEAST_CREDIT = -2.4 * FULL_UNIT;

/* A part that was given up had cost as much as 1.8 times its columns, whatever there was in hand:
 * 2^20 samples took 5 % more than densely. Now it ends as soon as there is nothing left. */
static void nothing_is_spent_that_was_not_saved(void)
{
    static const size_t turns[] = {0, 5000, 8192, 16384, 65536};
    static const float limits[] = {0.01f, 0.1f, 0.2f, 0.4f, 0.8f, 1.6f, 3.2f};
    static float x[M], y[N];
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        fill_noise(y, x, turns[i]);
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            const credits seen = credits_of(x, y, limits[k] * M);
            CHECK_MSG(seen.least >= LEAST_CREDIT, "turns of %zu, eps %g: %g", turns[i],
                      (double)(limits[k] * M), seen.least);
        }
    }
}

/* So that the above says something: where next to nothing is active most is saved. */
static void what_is_calm_is_saved(void)
{
    static float x[M], y[N];
    fill_noise(y, x, 0);
    CHECK(credits_of(x, y, 0.01f * M).last >= N / 2);
}

int main(void)
{
    seed = check_seed("test_sparse_credit");
    RUN(nothing_is_spent_that_was_not_saved);
    RUN(what_is_calm_is_saved);
    return check_done();
}
