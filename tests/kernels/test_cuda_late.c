/*
 * The C side of the CUDA kernels where copies are done late (tests/support/fake_cuda.h): what must
 * not be read, written or given back before.
 */
#include <math.h>
#include <string.h>

#include "kernels/cuda/cuda.h"
#include "tests/check.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

enum { M = 9, LONG = 100000 };

static uint64_t seed;

static float *make_noise(size_t n, uint64_t random)
{
    float *v = malloc(n * sizeof *v);
    if (!v) abort();
    for (size_t i = 0; i < n; i++) v[i] = (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

/* Regression: window_unpinned_under_a_copy. A launch fails while the frames of its step are still
 * being fetched: they are waited for before their memory is given back. */
static void copies_are_waited_for_before_their_memory_goes(void)
{
    float *x = make_noise(M, seed), *y = make_noise(LONG, seed + 1);
    static float minima[LONG];
    const kernel_template template = {x, M, INFINITY, 2 * M};
    const kernel_plan plan = {
        .templates = &template, .n_templates = 1, .dim = 1, .max_step = LONG, .lends = true};
    const kernel_output out = {.minima = minima, .minima_stride = kernel_max_blocks(LONG)};
    void *kernel = NULL;
    fake_cuda_begin();
    fake_cuda.late = 1;
    CHECK(!kernel_cuda.create(&kernel, &plan) && !kernel_cuda.lend(kernel, y, LONG));
    fake_cuda.fails = "launch";
    fake_cuda.error = cudaErrorUnknown;
    CHECK(kernel_cuda.step(kernel, y, LONG, &out) == SIGREP_DEVICE_FAILED);
    kernel_cuda.destroy(kernel);
    CHECK(fake_cuda.failed == 1 && fake_cuda.hasty == 0 && fake_cuda.allocated == 0);
    free(x);
    free(y);
}

int main(void)
{
    seed = check_seed("test_cuda_late");
    RUN(copies_are_waited_for_before_their_memory_goes);
    return check_done();
}

#else

int main(void)
{
    printf("SKIP test_cuda_late: built without CUDA\n");
    return 0;
}

#endif
