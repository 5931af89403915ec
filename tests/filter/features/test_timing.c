/* filter/features/timing.c: rates as fractions; frames to samples. */
#include "filter/features/timing.h"

#include <math.h>

#include "tests/check.h"

static void reads_as(double value, uint64_t num, uint64_t den)
{
    rational r = {0, 0};
    const int found = rational_from_double(&r, value);
    CHECK_MSG(found && r.num == num && r.den == den, "%.17g: %llu/%llu", value,
              (unsigned long long)r.num, (unsigned long long)r.den);
}

static void rates_are_fractions(void)
{
    reads_as(1, 1, 1);
    reads_as(44100, 44100, 1);
    reads_as(4503599627370496, 4503599627370496, 1);
    reads_as(0.1, 1, 10);
    reads_as(0.5, 1, 2);
    reads_as(8000.125, 64001, 8);
    reads_as(11024.3, 110243, 10);
    reads_as(91.875, 735, 8);
    reads_as(16000 / 3., 16000, 3);
    reads_as(1 / 3., 1, 3);
    reads_as(360.001, 360001, 1000);
    reads_as(1e-6, 1, 1000000);
}

static void numbers_that_are_no_fraction_are_refused(void)
{
    static const double bad[] = {0,    -1,       (double)NAN, (double)INFINITY, 1e300,
                                 1e-7, 5e-324,   0x1.8p60,    16000.0000001,    3.14159265358979312,
                                 1e16, -INFINITY};
    rational r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!rational_from_double(&r, bad[i]), "%g", bad[i]);
}

static void every_small_fraction_is_found_again(void)
{
    uint64_t random = check_seed("fractions");
    for (int i = 0; i < 100000; i++) {
        const uint64_t num = 1 + check_below(&random, 200000), den = 1 + check_below(&random, 1000);
        rational r = {0, 0};
        CHECK(rational_from_double(&r, (double)num / (double)den));
        CHECK(r.num * den == num * r.den);
    }
}

static void fractions_are_divided_exactly(void)
{
    rational r;
    CHECK(rational_divide(&r, (rational){44100, 1}, (rational){8000, 1}));
    CHECK(r.num == 441 && r.den == 80);
    CHECK(rational_divide(&r, (rational){1, 10}, (rational){3, 1000}));
    CHECK(r.num == 100 && r.den == 3);
    CHECK(!rational_divide(&r, (rational){INT64_MAX, 1}, (rational){1, 2}));
}

/* Thirds: frames begin at -1/3, 1/3 + 4/3 ... */
static void edges_are_rounded_up(void)
{
    const frame_timing t = {.hop = 4, .lead = -1, .per = 3};
    static const int64_t edges[] = {0, 1, 3, 4, 5, 7};
    for (uint64_t j = 0; j < 6; j++) CHECK(timing_edge(&t, j) == edges[j]);
    const frame_timing far = {.hop = 1, .lead = -7, .per = 3};
    CHECK(timing_edge(&far, 0) == -2);
    CHECK(timing_edge(&far, 1) == -2);
    CHECK(timing_edge(&far, 2) == -1);
    const frame_timing whole = {.hop = 160, .lead = -80}; /* per left at 0 */
    CHECK(timing_edge(&whole, 3) == 400);
}

static void edges_do_not_wrap(void)
{
    const frame_timing t = {.hop = INT64_MAX, .lead = INT64_MAX, .per = 1};
    CHECK(timing_edge(&t, UINT64_MAX) == INT64_MAX);
    const frame_timing low = {.hop = 1, .lead = INT64_MIN, .per = 1};
    CHECK(timing_edge(&low, 0) == INT64_MIN);
    /* 2^60 frames of 441/80 samples: exact in 128 bits. */
    const frame_timing slow = {.hop = 441, .per = 80};
    CHECK(timing_edge(&slow, (uint64_t)1 << 60) == 6355479794145243956);
}

/* Each sample has exactly one owner. */
static void every_sample_has_one_owner(void)
{
    uint64_t random = check_seed("owners");
    for (int i = 0; i < 2000; i++) {
        const frame_timing t = {.hop = 1 + check_below(&random, 50),
                                .lead = (int64_t)check_below(&random, 40) - 20,
                                .per = 1 + check_below(&random, 50)};
        for (uint64_t j = 0; j < 40; j++)
            for (int64_t s = timing_edge(&t, j); s < timing_edge(&t, j + 1); s++) {
                const int64_t at = s * (int64_t)t.per - t.lead;
                CHECK(at >= (int64_t)(j * t.hop) && at < (int64_t)((j + 1) * t.hop));
            }
    }
}

static void gaps_are_counted_in_whole_frames(void)
{
    const frame_timing t = {.hop = 441, .per = 80};
    CHECK(timing_frames_covering(&t, 0) == 0);
    CHECK(timing_frames_covering(&t, 1) == 1);
    CHECK(timing_frames_covering(&t, 5) == 1);
    CHECK(timing_frames_covering(&t, 6) == 2);
    CHECK(timing_frames_covering(&t, 441) == 80);
    CHECK(timing_frames_covering(&t, 442) == 81);
    const frame_timing fast = {.hop = 1, .per = 1000};
    CHECK(timing_frames_covering(&fast, UINT64_MAX) == UINT64_MAX);
}

static void a_frame_is_found_by_its_first_sample(void)
{
    const frame_timing whole = {.hop = 160, .lead = -40}, part = {.hop = 441, .per = 80};
    for (uint64_t at = 0; at < 2000; at++) {
        const uint64_t f = timing_frame_at(&whole, at), g = timing_frame_at(&part, at);
        CHECK(timing_edge(&whole, f) >= (int64_t)at && timing_edge(&part, g) >= (int64_t)at);
        CHECK(f == 0 || timing_edge(&whole, f - 1) < (int64_t)at);
        CHECK(g == 0 || timing_edge(&part, g - 1) < (int64_t)at);
    }
}

static void samples_are_counted_until_frames_come_out(void)
{
    const frame_timing t = {.hop = 441, .per = 80, .look_ahead = 10};
    CHECK(timing_samples_needed(&t, 0) == 0);
    CHECK(timing_samples_needed(&t, 1) == 16);
    CHECK(timing_samples_needed(&t, 80) == 451);
    const frame_timing early = {.hop = 4, .lead = -9, .look_ahead = 2};
    CHECK(timing_samples_needed(&early, 1) == 0);
    CHECK(timing_samples_needed(&early, 2) == 1);
    CHECK(timing_samples_needed(&early, 3) == 5);
    const frame_timing late = {.hop = INT64_MAX, .look_ahead = UINT64_MAX};
    CHECK(timing_samples_needed(&late, 1) == UINT64_MAX);
    CHECK(timing_frames_within(&t, 5) == 0 && timing_frames_within(&t, 6) == 1);
    CHECK(timing_frames_within(&t, 441) == 80 && timing_frames_within(&t, 440) == 79);
}

static void centres_are_compared_exactly(void)
{
    const frame_timing t = {.hop = 1, .per = 3}; /* centres at 1/6, 3/6, 5/6, 7/6 */
    CHECK(timing_centre_in(&t, 0, 0, 1) && timing_centre_in(&t, 2, 0, 1));
    CHECK(!timing_centre_in(&t, 3, 0, 1) && timing_centre_in(&t, 3, 1, 2));
    const frame_timing two = {.hop = 2}; /* 1, 3, 5 */
    CHECK(!timing_centre_in(&two, 0, 0, 1) && timing_centre_in(&two, 0, 1, 2));
}

static void composed(frame_timing first, frame_timing next, frame_timing expected)
{
    CHECK(timing_compose(&first, &next));
    CHECK_MSG(first.hop == expected.hop && first.lead == expected.lead &&
                  first.per == expected.per && first.look_ahead == expected.look_ahead &&
                  first.memory == expected.memory,
              "(%llu j %+lld) / %llu, %llu ahead, %llu", (unsigned long long)first.hop,
              (long long)first.lead, (unsigned long long)first.per,
              (unsigned long long)first.look_ahead, (unsigned long long)first.memory);
}

static void chains_compose(void)
{
    const frame_timing third = {.hop = 3, .per = 1, .look_ahead = 100, .memory = 201};
    const frame_timing windows = {
        .hop = 160, .lead = -120, .look_ahead = 120, .memory = 400}; /* per 0 is 1 */
    composed(third, windows,
             (frame_timing){.hop = 480, .lead = -360, .per = 1, .look_ahead = 460, .memory = 1398});
    const frame_timing slow = {.hop = 441, .per = 80, .look_ahead = 7, .memory = 15};
    composed(slow, windows,
             (frame_timing){
                 .hop = 1764, .lead = -1323, .per = 2, .look_ahead = 7 + 662, .memory = 15 + 2200});
    /* Windows first: an edge of the second lies between two frames of the first. */
    composed(windows, slow,
             (frame_timing){.hop = 882,
                            .lead = -120,
                            .per = 1,
                            .look_ahead = 120 + 7 * 160 + 158,
                            .memory = 400 + 14 * 160});
    /* And back: the same rate as before. */
    const frame_timing fast = {.hop = 80, .per = 441, .memory = UINT64_MAX};
    composed(slow, fast,
             (frame_timing){.hop = 1, .per = 1, .look_ahead = 13, .memory = UINT64_MAX});
}

/* A chain may begin where each of its stages may. */
static void chains_begin_where_all_stages_may(void)
{
    const frame_timing samples = {.hop = 1, .per = 1, .memory = 1, .period = 1};
    const frame_timing block = {.hop = 1, .memory = 6, .period = 6}; /* as znorm */
    const frame_timing window = {.hop = 4, .memory = 10, .period = 4};
    const frame_timing endless = {.hop = 1, .memory = UINT64_MAX};
    const frame_timing far = {.hop = 1, .memory = 1, .period = INT64_MAX};
    frame_timing t = samples;
    CHECK(timing_compose(&t, &block) && t.period == 6);
    CHECK(timing_compose(&t, &window) && t.period == 12);
    CHECK(timing_compose(&t, &block) && t.period == 24);
    CHECK(timing_compose(&t, &far) && t.period == 0);
    t = samples;
    CHECK(timing_compose(&t, &window) && timing_compose(&t, &endless) && t.period == 0);
    CHECK(timing_compose(&t, &window) && t.period == 0);
}

static void absurd_chains_are_refused(void)
{
    const frame_timing big = {.hop = (uint64_t)1 << 40, .per = 1, .memory = 1};
    const frame_timing fine = {.hop = 1, .per = (uint64_t)1 << 40, .memory = 1};
    const frame_timing late = {.hop = 1, .per = 1, .look_ahead = INT64_MAX, .memory = 1};
    frame_timing t = big;
    CHECK(!timing_compose(&t, &big));
    t = fine;
    CHECK(!timing_compose(&t, &fine));
    t = big;
    CHECK(!timing_compose(&t, &late));
    t = big;
    CHECK(timing_compose(&t, &fine) && t.hop == 1 && t.per == 1);
}

int main(void)
{
    RUN(rates_are_fractions);
    RUN(numbers_that_are_no_fraction_are_refused);
    RUN(every_small_fraction_is_found_again);
    RUN(fractions_are_divided_exactly);
    RUN(edges_are_rounded_up);
    RUN(edges_do_not_wrap);
    RUN(every_sample_has_one_owner);
    RUN(gaps_are_counted_in_whole_frames);
    RUN(a_frame_is_found_by_its_first_sample);
    RUN(samples_are_counted_until_frames_come_out);
    RUN(centres_are_compared_exactly);
    RUN(chains_compose);
    RUN(chains_begin_where_all_stages_may);
    RUN(absurd_chains_are_refused);
    return check_done();
}
