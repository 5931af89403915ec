/* The memory of kernels: a thread takes little of it if chunks are too short to use more. */
#include <malloc.h>
#include <math.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "tests/check.h"

enum { THREADS = 16, MIB = 1 << 20 };

/* Bytes that are allocated; 0 if the C library does not count them. */
static size_t allocated(void)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
#endif
    return 0;
}

/* Bytes of a kernel for n templates of `length` samples. */
static size_t bytes_of(const kernel_ops *ops, size_t n, size_t length, size_t max_chunk, float eps,
                       pool *p)
{
    static const float x[1000];
    kernel_template templates[100];
    for (size_t j = 0; j < n; j++)
        templates[j] =
            (kernel_template){.frames = x, .length = length, .eps = eps, .history = 2 * length};
    const kernel_plan plan = {
        .templates = templates, .n_templates = n, .dim = 1, .max_chunk = max_chunk, .workers = p};
    void *kernel = NULL;
    const size_t before = allocated();
    CHECK(ops->create(&kernel, &plan) == SIGREP_OK);
    const size_t bytes = allocated() - before;
    if (kernel) ops->destroy(kernel);
    return bytes;
}

/* Bytes of every further thread. */
static size_t bytes_a_thread(const kernel_ops *ops, size_t n, size_t length, size_t max_chunk,
                             float eps)
{
    pool *many;
    CHECK(pool_create(&many, THREADS) == SIGREP_OK);
    const size_t one = bytes_of(ops, n, length, max_chunk, eps, NULL);
    const size_t all = bytes_of(ops, n, length, max_chunk, eps, many);
    pool_destroy(many);
    return all > one ? (all - one) / (THREADS - 1) : 0;
}

/* Chunks are too short to be cut, so no thread may have states of segments: 6 MiB here. */
static void threads_take_no_states_for_segments_that_no_chunk_has(void)
{
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        const size_t bytes = bytes_a_thread(kernel_at(i), 100, 1000, 4096, 1);
        CHECK_MSG(bytes < MIB, "%s: %zu bytes a thread", kernel_at(i)->name, bytes);
    }
}

/* A thread needs a line of 32768 frames. Two lines as long as a chunk would be 8 MiB here. */
static void threads_take_no_lines_as_long_as_the_chunk(void)
{
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        const size_t bytes = bytes_a_thread(kernel_at(i), 1, 100, 1 << 20, 1);
        CHECK_MSG(bytes < MIB, "%s: %zu bytes a thread", kernel_at(i)->name, bytes);
    }
}

/* Without eps nothing is pruned, so no thread may have scratch for sparse sweeps: 256 KiB. */
static void threads_take_nothing_for_sparse_sweeps_without_eps(void)
{
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        const size_t bytes = bytes_a_thread(kernel_at(i), 1, 100, 16384, INFINITY);
        CHECK_MSG(bytes < MIB / 4, "%s: %zu bytes a thread", kernel_at(i)->name, bytes);
    }
}

int main(void)
{
    void *volatile some = malloc(1000);
    const bool counted = allocated() >= 1000;
    free(some);
    if (!counted)
        return check_skipped("test_kernel_memory", "allocated bytes are not counted here");
    RUN(threads_take_no_states_for_segments_that_no_chunk_has);
    RUN(threads_take_no_lines_as_long_as_the_chunk);
    RUN(threads_take_nothing_for_sparse_sweeps_without_eps);
    return check_done();
}
