/*
 * Regression: reset_that_failed_in_silence. On a made-up GPU (tests/support/fake_cuda.h) only a
 * reset fails. The next chunk must report it, and not go on from the state before.
 */
#include <math.h>

#include "kernels/cuda/host/cuda.h"
#include "tests/check.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

enum { M = 5, N = 640 };

static const float x[M] = {1, 2, 3, 2, 1};

static sigrep_status sweep_chunk(void *kernel, float *minima)
{
    float y[N];
    for (int i = 0; i < N; i++) y[i] = (float)(i % 7);
    const kernel_output out = {.minima = minima, .minima_stride = kernel_max_blocks(N)};
    return kernel_cuda.sweep(kernel, y, N, &out);
}

static void *create(void)
{
    const kernel_template template = {x, M, INFINITY, 2 * M};
    const kernel_plan plan = {.templates = &template, .n_templates = 1, .dim = 1, .max_chunk = N};
    void *kernel = NULL;
    fake_cuda_begin();
    CHECK(kernel_cuda.create(&kernel, &plan) == SIGREP_OK);
    return kernel;
}

static void fails_once(const char *what)
{
    float first[N], second[N];
    void *kernel = create();
    CHECK(sweep_chunk(kernel, first) == SIGREP_OK);
    fake_cuda.fails = what;
    fake_cuda.error = cudaErrorLaunchFailure;
    fake_cuda.after = fake_cuda.named;
    kernel_cuda.reset(kernel);
    CHECK_MSG(fake_cuda.failed == 1, "%s", what);
    CHECK(sweep_chunk(kernel, second) == SIGREP_DEVICE_FAILED);
    CHECK(sweep_chunk(kernel, second) == SIGREP_DEVICE_FAILED);
    kernel_cuda.reset(kernel);
    CHECK(sweep_chunk(kernel, second) == SIGREP_OK);
    bool same = true;
    for (int i = 0; i < N / KERNEL_BLOCK; i++)
        same = same && first[i] >= second[i] && first[i] <= second[i];
    CHECK(same);
    kernel_cuda.destroy(kernel);
    CHECK(fake_cuda.allocated == 0);
}

static void a_reset_that_fails_is_reported_by_the_next_chunk(void)
{
    static const char *const calls[] = {"launch", "cudaSetDevice"};
    for (int i = 0; i < 4; i++) {
        fake_cuda_usually_late = i >= 2;
        fails_once(calls[i % 2]);
    }
}

int main(void)
{
    RUN(a_reset_that_fails_is_reported_by_the_next_chunk);
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_reset", "built without CUDA");
}

#endif
