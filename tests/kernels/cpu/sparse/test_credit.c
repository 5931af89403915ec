/*
 * kernels/cpu/sparse/credit.h: what sparse sweeps cost beyond dense ones, in columns as they count
 * them, not by the clock. However activity alternates, they spend at most what they saved, the
 * credit at position 0 and a share of all dense sweeping. The test compiles the kernels' body for
 * four lanes, which any machine can run.
 */
#define LANES 4
#include "kernels/cpu/body.h"
#include "tests/check.h"

enum { M = 64, CHUNK = 1 << 16, N = 4 * CHUNK };

static uint64_t seed;

static bool usable_here(void)
{
    return true;
}

static const kernel_ops ops = SIMD_OPS("of four lanes", usable_here);

/* Leaky noise, and a template cut from it. Of every two turns of `turn` samples, the first is far
 * from the template. turn 0: no sample is. */
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

/* A template's credit after each chunk: the least, and the last. */
static credits credits_of(const float *x, const float *y, float eps)
{
    const kernel_template t = {.frames = x, .length = M, .eps = eps, .history = 2 * M};
    const kernel_plan plan = {.templates = &t, .n_templates = 1, .dim = 1, .max_chunk = CHUNK};
    float minima[CHUNK / KERNEL_BLOCK + 2];
    const kernel_output out = {.minima = minima, .minima_stride = CHUNK / KERNEL_BLOCK + 2};
    credits seen = {.least = INFINITY};
    void *kernel = NULL;
    CHECK(ops.create(&kernel, &plan) == SIGREP_OK);
    for (size_t at = 0; at < N; at += CHUNK) {
        CHECK(ops.sweep(kernel, y + at, CHUNK, &out) == SIGREP_OK);
        seen.last = ((const simd_kernel *)kernel)->templates[0].credit;
        seen.least = fmin(seen.least, seen.last);
    }
    ops.destroy(kernel);
    return seen;
}

/* A panel compares its cost with its budget after each stack of tiles: it exceeds the budget by the
 * stack's cost at most. */
static const double LEAST_CREDIT = -1.5 * PANEL_UNIT;

/* A panel begins only if the credit can pay for its budget. */
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

/* If few cells are active, the credit is full soon: the test above does test sparse sweeps. */
static void the_credit_is_full_if_little_is_active(void)
{
    static float x[M], y[N];
    fill_noise(y, x, 0);
    CHECK(credits_of(x, y, 0.01f * M).last >= CREDIT_MOST);
}

int main(void)
{
    seed = check_seed("test_credit");
    RUN(nothing_is_spent_that_was_not_saved);
    RUN(the_credit_is_full_if_little_is_active);
    return check_done();
}
