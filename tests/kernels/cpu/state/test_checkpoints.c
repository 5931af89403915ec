/* kernels/cpu/state/checkpoints.c: the ring has room for every checkpoint that kernel.h promises.
 * Segments of a chunk do not share cache sets, and chunks fit all spacings. */
#include "kernels/cpu/state/checkpoints.h"

#include "kernels/kernel.h"
#include "tests/check.h"

/* After a chunk that ended at `end`, every position in reach still holds its own column. */
static bool has_room(size_t max_chunk, size_t history)
{
    checkpoints ring;
    if (checkpoints_create(&ring, 2, history, max_chunk)) return false;
    size_t spacing = checkpoint_spacing(history);
    bool good = ring.spacing == spacing;
    for (size_t start = 0; start < 3 * (max_chunk + history + spacing) && good; start++) {
        /* Each checkpoint up to the chunk's end is marked with its position. */
        uint64_t end = start + max_chunk;
        for (uint64_t at = spacing; at <= end; at += spacing)
            if (at + max_chunk + 2 * history + 4 * spacing > end) {
                checkpoint_at(&ring, at)[0] = (float)at;
                checkpoint_at(&ring, at)[1] = -(float)at;
            }
        for (uint64_t at = spacing; at <= end; at += spacing)
            if (at + history + spacing >= start)
                good &= checkpoint_at(&ring, at)[0] == (float)at &&
                        checkpoint_at(&ring, at)[1] == -(float)at;
        start += 60; /* not every one */
    }
    checkpoints_free(&ring);
    return good;
}

static void every_checkpoint_in_reach_is_there(void)
{
    static const size_t chunks[] = {1, 255, 256, 257, 700, 5000};
    static const size_t histories[] = {1, 2, 255, 256, 257, 1000, 4096, 9000};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        for (size_t j = 0; j < sizeof histories / sizeof *histories; j++)
            CHECK_MSG(has_room(chunks[i], histories[j]), "chunk %zu, history %zu", chunks[i],
                      histories[j]);
}

/* Below 2^32 and above, the ring goes round without a break. */
static void positions_are_counted_in_64_bits(void)
{
    checkpoints ring;
    CHECK(checkpoints_create(&ring, 1, 10, 600) == SIGREP_OK);
    uint64_t far = ((uint64_t)1 << 40) * KERNEL_BLOCK;
    for (uint64_t i = 1; i < ring.slots; i++)
        CHECK(checkpoint_at(&ring, far) != checkpoint_at(&ring, far + i * KERNEL_BLOCK));
    CHECK(checkpoint_at(&ring, far) == checkpoint_at(&ring, far + ring.slots * KERNEL_BLOCK));
    checkpoints_free(&ring);
}

static void the_spacing_is_a_power_of_two_of_blocks(void)
{
    CHECK(checkpoint_spacing(0) == KERNEL_BLOCK);
    CHECK(checkpoint_spacing(8 * KERNEL_BLOCK) == KERNEL_BLOCK);
    CHECK(checkpoint_spacing(8 * KERNEL_BLOCK + 8) == 2 * KERNEL_BLOCK);
    CHECK(checkpoint_spacing(1 << 30) == 1 << 27);
}

/* So vectors of up to 64 bytes, stored from the beginning of a checkpoint on, cross no line. */
static void columns_begin_at_cache_lines(void)
{
    enum { LINE = 64 };
    static const size_t lengths[] = {1, 16, 17, 100, 512};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        checkpoints ring;
        CHECK(checkpoints_create(&ring, lengths[i], 10, 600) == SIGREP_OK);
        CHECK(ring.stride >= lengths[i]);
        for (uint64_t at = 0; at < ring.slots; at++)
            CHECK((uintptr_t)checkpoint_at(&ring, at * KERNEL_BLOCK) % LINE == 0);
        checkpoints_free(&ring);
    }
}

static void absurd_sizes_are_no_memory(void)
{
    checkpoints ring = {0};
    CHECK(checkpoints_create(&ring, SIZE_MAX / sizeof(float), 10, 600) == SIGREP_NO_MEMORY);
    checkpoints_free(&ring);
}

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
    RUN(every_checkpoint_in_reach_is_there);
    RUN(positions_are_counted_in_64_bits);
    RUN(the_spacing_is_a_power_of_two_of_blocks);
    RUN(columns_begin_at_cache_lines);
    RUN(absurd_sizes_are_no_memory);
    RUN(long_segments_are_an_odd_number_of_spacings);
    RUN(short_segments_are_as_long_as_they_may_be);
    RUN(a_chunk_is_a_multiple_of_every_spacing);
    RUN(a_chunk_touches_at_most_max_blocks);
    return check_done();
}
