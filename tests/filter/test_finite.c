/* filter/finite.h: the places of gaps. */
#include "filter/finite.h"

#include <float.h>

#include "tests/check.h"

enum { MOST = 3 * FINITE_AT_ONCE + 5, MOST_CHANNELS = 3 };

static float values[MOST * MOST_CHANNELS];

static void fill(void)
{
    static const float edges[] = {0, -0.0f, FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, 1, -3};
    for (size_t i = 0; i < MOST * MOST_CHANNELS; i++) values[i] = edges[i % 7];
}

static void every_place_of_a_gap_is_found(void)
{
    const float gaps[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (size_t channels = 1; channels <= MOST_CHANNELS; channels++) {
        fill();
        CHECK(finite_run(values, MOST, channels, true) == MOST);
        CHECK(finite_run(values, MOST, channels, false) == 0);
        for (size_t i = 0; i < MOST * channels; i++) {
            fill();
            values[i] = gaps[i % 4];
            const size_t at = i / channels;
            CHECK(finite_run(values, MOST, channels, true) == at);
            CHECK(finite_run(values, at, channels, true) == at);
            CHECK(finite_run(values + at * channels, MOST - at, channels, true) == 0);
            CHECK(finite_run(values + at * channels, MOST - at, channels, false) == 1);
        }
    }
}

static void a_gap_goes_on_while_one_channel_is_missing(void)
{
    fill();
    for (size_t t = 10; t < 100; t++) values[2 * t + t % 2] = NAN;
    CHECK(finite_run(values, MOST, 2, true) == 10);
    CHECK(finite_run(values + 20, MOST - 10, 2, false) == 90);
    CHECK(finite_run(values + 20, 50, 2, false) == 50);
    CHECK(finite_run(values, 0, 2, true) == 0 && finite_run(values, 0, 2, false) == 0);
}

int main(void)
{
    RUN(every_place_of_a_gap_is_found);
    RUN(a_gap_goes_on_while_one_channel_is_missing);
    return check_done();
}
