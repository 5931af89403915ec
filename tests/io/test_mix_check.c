#include "io/mix_check.h"

#include "tests/check.h"

enum { N = 70000 };

static float frames[2 * N];

/* Is a sound whose second channel is `share` of the first, over its first `n` frames, lost? */
static bool is_lost(float share, size_t n)
{
    mix_check c = {0};
    uint64_t seed = 1;
    for (size_t i = 0; i < N; i++) {
        frames[2 * i] = (float)check_below(&seed, 2001) / 1000 - 1;
        frames[2 * i + 1] = i < n ? share * frames[2 * i] : frames[2 * i];
    }
    bool lost = mix_check_add(&c, frames, NULL, 2, 1000);
    lost |= mix_check_add(&c, frames + 2000, NULL, 2, N - 1000);
    return mix_check_end(&c) || lost;
}

static void only_channels_that_cancel_are_lost(void)
{
    CHECK(is_lost(-1, N) && is_lost(-0.99F, N));
    CHECK(!is_lost(1, N) && !is_lost(0, N) && !is_lost(-0.5F, N));
    CHECK(!is_lost(-1, 30000)); /* less than a part */
}

static void it_is_reported_once(void)
{
    mix_check c = {0};
    const float two[2] = {1, -1}, zeros[2] = {0};
    const double doubles[2] = {1, -1};
    CHECK(!mix_check_add(&c, zeros, NULL, 2, 1) && !mix_check_end(&c)); /* silence */
    CHECK(!mix_check_add(&c, two, NULL, 2, 1) && mix_check_end(&c));
    CHECK(!mix_check_add(&c, NULL, doubles, 2, 1) && !mix_check_end(&c));
}

int main(void)
{
    RUN(only_channels_that_cancel_are_lost);
    RUN(it_is_reported_once);
    return check_done();
}
