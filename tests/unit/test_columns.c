/* kernels/columns.c: the ring of kept columns has room for all that is promised. */
#include "kernels/columns.h"
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
    RUN(a_step_touches_at_most_so_many_blocks);
    RUN(columns_begin_at_cache_lines);
    RUN(absurd_sizes_are_no_memory);
    return check_done();
}
