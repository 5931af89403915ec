/* The papers' algorithms on a GPU, beside those of the CPU. */
#include "check.h"
#include "kernels/strings/strings.h"
#include "papers/bench/gpu_papers_case.h"

/* Without a GPU the C side alone: it says that none is there. */
static void random_values_as_on_the_cpu(void)
{
    const uint64_t seed = check_seed("values");
    if (string_cuda.usable())
        CHECK(gpu_papers_agree(0, seed, check_cases(300)));
    else
        CHECK(!gpu_papers_agree(0, seed, 1));
}

/* The shortest and the longest, by few blocks and by more than there are letters. */
static void extreme_lengths(void)
{
    static const size_t lengths[][2] = {{1, 1},       {1, 9},       {32, 32},    {33, 99},
                                        {1023, 2047}, {1024, 1024}, {1024, 5000}};
    static uint8_t x[1024], y[5000];
    static float x_signal[1024], y_signal[5000];
    for (size_t i = 0; i < 1024; i++) x_signal[i] = x[i] = (uint8_t)(i * i % 7 % 3);
    for (size_t j = 0; j < 5000; j++) y_signal[j] = y[j] = (uint8_t)(j * j % 11 % 3);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        gpu_papers_case c = {.m = lengths[k][0], .n = lengths[k][1], .x = x, .y = y};
        gpu_papers_outcome o;
        CHECK(gpu_papers_expect(&c));
        for (int a = 0; a < GPU_PAPERS_ALGORITHMS && string_cuda.usable(); a++)
            for (size_t d = 1; d <= 2 * c.n && d * c.m <= 1 << 16; d *= 2)
                CHECK(gpu_papers_run(&c, (gpu_papers_algorithm)a, d, &o));
        c.signals = true;
        c.x = x_signal;
        c.y = y_signal;
        CHECK(gpu_papers_expect(&c));
        for (int a = 0; a < GPU_PAPERS_ALGORITHMS && string_cuda.usable(); a++)
            for (size_t d = 1; d <= 2 * c.n && d * c.m <= 1 << 16; d *= 2)
                CHECK(gpu_papers_run(&c, (gpu_papers_algorithm)a, d, &o));
    }
}

int main(void)
{
    RUN(random_values_as_on_the_cpu);
    RUN(extreme_lengths);
    return check_done();
}
