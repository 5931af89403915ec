/* kernels/cpu/chunk_size.c: segments do not share cache sets, and chunks fit all spacings. */
#include "kernels/cpu/chunk_size.h"

#include "kernels/cpu/checkpoints.h"
#include "tests/check.h"

/* The chunk of a vector kernel that cuts it into `segments` segments. */
static size_t chunk_for(size_t segments, size_t length, size_t history, size_t dim)
{
    const kernel_template x = {.length = length, .history = history};
    return chunk_size(&(kernel_plan){.templates = &x, .n_templates = 1, .dim = dim}, 32 * segments,
                      segments);
}

static void long_segments_are_an_odd_number_of_spacings(void)
{
    CHECK(chunk_for(16, 32, 64, 1) == 64512);   /* 63 blocks in each lane */
    CHECK(chunk_for(8, 32, 64, 1) == 65024);    /* 127 */
    CHECK(chunk_for(16, 128, 256, 1) == 64512); /* 32 times the length for each lane */
    CHECK(chunk_for(16, 512, 1024, 1) == 260096);
    CHECK(chunk_for(16, 2048, 4096, 1) == 1040384);
    CHECK(chunk_for(32, 512, 1024, 1) == 520192); /* two threads */
}

static void short_segments_are_as_long_as_they_may_be(void)
{
    CHECK(chunk_for(16, 16384, 32768, 1) == 1 << 20); /* 16 spacings of 4096 */
    CHECK(chunk_for(1024, 100, 200, 1) == 1 << 20);   /* 16 of 64 */
    CHECK(chunk_for(1, 100, 200, 1) == 1 << 16);      /* one lane has no neighbour */
}

static void a_chunk_is_a_multiple_of_every_spacing(void)
{
    static const size_t lengths[] = {1, 31, 32, 100, 512, 1000, 4096, 30000};
    static const size_t segments[] = {1, 4, 8, 16, 32, 64, 256};
    static const size_t dims[] = {1, 13, 40, 300};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof segments / sizeof *segments; j++)
            for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
                for (size_t history = 1; history < 64 * lengths[i]; history *= 3) {
                    const size_t chunk = chunk_for(segments[j], lengths[i], history, dims[k]);
                    CHECK_MSG(chunk && chunk % checkpoint_spacing(history) == 0,
                              "m %zu, history %zu, %zu segments, K %zu: %zu", lengths[i], history,
                              segments[j], dims[k], chunk);
                }
}

static void a_chunk_touches_at_most_max_blocks(void)
{
    for (size_t n = 1; n < 1000; n++)
        for (size_t start = 0; start < KERNEL_BLOCK; start++) {
            size_t touched = (start + n - 1) / KERNEL_BLOCK - start / KERNEL_BLOCK + 1;
            if (touched > kernel_max_blocks(n)) CHECK(touched <= kernel_max_blocks(n));
        }
}

int main(void)
{
    RUN(long_segments_are_an_odd_number_of_spacings);
    RUN(short_segments_are_as_long_as_they_may_be);
    RUN(a_chunk_is_a_multiple_of_every_spacing);
    RUN(a_chunk_touches_at_most_max_blocks);
    return check_done();
}
