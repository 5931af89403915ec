/* kernels/cpu/checkpoints.c: the ring has room for every checkpoint that kernel.h promises. */
#include "kernels/cpu/checkpoints.h"

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

int main(void)
{
    RUN(every_checkpoint_in_reach_is_there);
    RUN(positions_are_counted_in_64_bits);
    RUN(the_spacing_is_a_power_of_two_of_blocks);
    RUN(columns_begin_at_cache_lines);
    RUN(absurd_sizes_are_no_memory);
    return check_done();
}
