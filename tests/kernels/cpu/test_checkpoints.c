/* kernels/cpu/checkpoints.c: the ring of kept columns has room for all that is promised. */
#include "kernels/cpu/checkpoints.h"
#include "tests/check.h"

/* After a step that ended at `end`, every promised position still holds its own column. */
static bool keeps_its_promise(size_t max_step, size_t history)
{
    const float x[2] = {0};
    const kernel_template t = {.frames = x, .length = 2, .history = history};
    columns kept;
    if (columns_create(&kept, &t, max_step)) return false;
    size_t spacing = columns_spacing(history);
    bool good = kept.spacing == spacing;
    for (size_t start = 0; start < 3 * (max_step + history + spacing) && good; start++) {
        /* The positions are marked in their columns, as kernels do up to the step's end. */
        uint64_t end = start + max_step;
        for (uint64_t at = spacing; at <= end; at += spacing)
            if (at + max_step + 2 * history + 4 * spacing > end) {
                columns_at(&kept, at)[0] = (float)at;
                columns_at(&kept, at)[1] = -(float)at;
            }
        for (uint64_t at = spacing; at <= end; at += spacing)
            if (at + history + spacing >= start)
                good &=
                    columns_at(&kept, at)[0] == (float)at && columns_at(&kept, at)[1] == -(float)at;
        start += 60; /* not every one */
    }
    columns_free(&kept);
    return good;
}

static void every_promised_column_is_kept(void)
{
    static const size_t steps[] = {1, 255, 256, 257, 700, 5000};
    static const size_t histories[] = {1, 2, 255, 256, 257, 1000, 4096, 9000};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t j = 0; j < sizeof histories / sizeof *histories; j++)
            CHECK_MSG(keeps_its_promise(steps[i], histories[j]), "step %zu, history %zu", steps[i],
                      histories[j]);
}

/* Below 2^32 and above, the ring goes round without a break. */
static void positions_are_counted_in_64_bits(void)
{
    const float x[1] = {0};
    const kernel_template t = {.frames = x, .length = 1, .history = 10};
    columns kept;
    CHECK(columns_create(&kept, &t, 600) == SIGREP_OK);
    uint64_t far = ((uint64_t)1 << 40) * KERNEL_BLOCK;
    for (uint64_t i = 1; i < kept.slots; i++)
        CHECK(columns_at(&kept, far) != columns_at(&kept, far + i * KERNEL_BLOCK));
    CHECK(columns_at(&kept, far) == columns_at(&kept, far + kept.slots * KERNEL_BLOCK));
    columns_free(&kept);
}

static void the_spacing_is_a_power_of_two_of_blocks(void)
{
    CHECK(columns_spacing(0) == KERNEL_BLOCK);
    CHECK(columns_spacing(8 * KERNEL_BLOCK) == KERNEL_BLOCK);
    CHECK(columns_spacing(8 * KERNEL_BLOCK + 8) == 2 * KERNEL_BLOCK);
    CHECK(columns_spacing(1 << 30) == 1 << 27);
}

/* As the SIMD kernels ask for it, for so many lanes. */
static size_t chunk_for(size_t segments, size_t length, size_t history, size_t dim)
{
    const kernel_template x = {.length = length, .history = history};
    return columns_chunk(&(kernel_plan){.templates = &x, .n_templates = 1, .dim = dim},
                         32 * segments, segments);
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
                    CHECK_MSG(chunk && chunk % columns_spacing(history) == 0,
                              "m %zu, history %zu, %zu segments, K %zu: %zu", lengths[i], history,
                              segments[j], dims[k], chunk);
                }
}

static void a_step_touches_at_most_so_many_blocks(void)
{
    for (size_t n = 1; n < 1000; n++)
        for (size_t start = 0; start < KERNEL_BLOCK; start++) {
            size_t touched = (start + n - 1) / KERNEL_BLOCK - start / KERNEL_BLOCK + 1;
            if (touched > kernel_max_blocks(n)) CHECK(touched <= kernel_max_blocks(n));
        }
}

/* Vectors of up to 64 bytes that are kept from a column's beginning on cross no line. */
static void columns_begin_at_cache_lines(void)
{
    enum { LINE = 64 };
    static const size_t lengths[] = {1, 16, 17, 100, 512};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const float x[1] = {0};
        const kernel_template t = {.frames = x, .length = lengths[i], .history = 10};
        columns kept;
        CHECK(columns_create(&kept, &t, 600) == SIGREP_OK);
        CHECK(kept.stride >= lengths[i]);
        for (uint64_t at = 0; at < kept.slots; at++)
            CHECK((uintptr_t)columns_at(&kept, at * KERNEL_BLOCK) % LINE == 0);
        columns_free(&kept);
    }
}

static void absurd_sizes_are_no_memory(void)
{
    const float x[1] = {0};
    const kernel_template t = {.frames = x, .length = SIZE_MAX / sizeof(float), .history = 10};
    columns kept = {0};
    CHECK(columns_create(&kept, &t, 600) == SIGREP_NO_MEMORY);
    columns_free(&kept);
}

int main(void)
{
    RUN(every_promised_column_is_kept);
    RUN(positions_are_counted_in_64_bits);
    RUN(the_spacing_is_a_power_of_two_of_blocks);
    RUN(long_segments_are_an_odd_number_of_spacings);
    RUN(short_segments_are_as_long_as_they_may_be);
    RUN(a_chunk_is_a_multiple_of_every_spacing);
    RUN(a_step_touches_at_most_so_many_blocks);
    RUN(columns_begin_at_cache_lines);
    RUN(absurd_sizes_are_no_memory);
    return check_done();
}
