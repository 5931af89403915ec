/* filter/session/span_samples.c: frames to samples. */
#include "filter/session/span_samples.h"
#include "tests/check.h"

static void owns(const span *st, const frame_timing *timing, uint64_t frame, uint64_t begin,
                 uint64_t end)
{
    uint64_t own_begin, own_end;
    span_samples(st, timing, frame, &own_begin, &own_end);
    CHECK_MSG(own_begin == begin && own_end == end, "frame %llu: [%llu, %llu)",
              (unsigned long long)frame, (unsigned long long)own_begin,
              (unsigned long long)own_end);
}

static void raw_frames_are_samples(void)
{
    const frame_timing raw = {.hop = 1};
    const span st = {.end = UINT64_MAX};
    owns(&st, &raw, 0, 0, 1);
    owns(&st, &raw, 41, 41, 42);
}

static void a_frame_owns_a_hop(void)
{
    const frame_timing timing = {.hop = 10};
    const span st = {.first_frame = 5, .begin = 1000, .end = UINT64_MAX};
    owns(&st, &timing, 5, 1000, 1010);
    owns(&st, &timing, 7, 1020, 1030);
}

/* The last frame is partial, padded by the front end, and owns the samples that are there. */
static void the_last_frame_is_clipped_to_the_span(void)
{
    const frame_timing timing = {.hop = 10};
    const span st = {.first_frame = 5, .begin = 1000, .end = 1023};
    owns(&st, &timing, 7, 1020, 1023);
    owns(&st, &timing, 8, 1023, 1023); /* the gap itself, or the end */
}

/* lead > 0: the samples at the head belong to no frame. */
static void a_lead_moves_the_samples(void)
{
    const frame_timing timing = {.hop = 4, .lead = 3};
    const span st = {.first_frame = 2, .begin = 100, .end = 120};
    owns(&st, &timing, 2, 103, 107);
    owns(&st, &timing, 5, 115, 119);
    owns(&st, &timing, 6, 119, 120);
}

/* lead < 0: the first frames would own samples before the span. */
static void a_negative_lead_is_clipped_to_the_begin(void)
{
    const frame_timing timing = {.hop = 4, .lead = -6};
    const span st = {.first_frame = 0, .begin = 100, .end = 200};
    owns(&st, &timing, 0, 100, 100);
    owns(&st, &timing, 1, 100, 102);
    owns(&st, &timing, 2, 102, 106);
}

/* At sample 0 a position before the span would wrap round. */
static void a_negative_lead_at_the_beginning_does_not_wrap(void)
{
    const frame_timing timing = {.hop = 4, .lead = -6};
    const span st = {.end = UINT64_MAX};
    owns(&st, &timing, 0, 0, 0);
    owns(&st, &timing, 1, 0, 2);
    owns(&st, &timing, 2, 2, 6);
}

static front_end *make(const char *spec, double rate_hz)
{
    front_end *chain = NULL;
    sigrep_error error = {.text = ""};
    const frame_shape in = {.dim = 1, .rate_hz = rate_hz};
    CHECK_MSG(front_end_create(&chain, spec, in, 8, &error) == SIGREP_OK, "%s", error.text);
    if (!chain) exit(1);
    return chain;
}

static void a_frame_comes_out_when_its_samples_are_read(void)
{
    front_end *chain = make("envelope=10", 1);
    const span st = {.first_frame = 5, .begin = 1000, .end = 1023};
    CHECK(span_ready(&st, chain, 5) == 1010);
    CHECK(span_ready(&st, chain, 6) == 1020);
    CHECK(span_ready(&st, chain, 7) == 1023);
    front_end_destroy(chain);
}

static void the_look_ahead_delays_but_not_beyond_the_end(void)
{
    front_end *chain = make("resample=8000+envelope=0.01", 44100);
    const uint64_t ahead = front_end_timing(chain).look_ahead;
    const span st = {.first_frame = 3, .begin = 700, .end = 700 + 3 * 441 + ahead};
    CHECK(ahead > 441);
    CHECK(span_ready(&st, chain, 3) == 700 + 441 + ahead);
    CHECK(span_ready(&st, chain, 5) == 700 + 3 * 441 + ahead);
    CHECK(span_ready(&st, chain, 6) == 700 + 3 * 441 + ahead);
    front_end_destroy(chain);
}

/* 44100 to 8000 Hz: frames begin every 5.5125 samples, each sample has one owner. */
static void a_hop_may_be_a_fraction(void)
{
    const frame_timing timing = {.hop = 441, .per = 80, .look_ahead = 100};
    const span st = {.first_frame = 2, .begin = 1000, .end = UINT64_MAX};
    owns(&st, &timing, 2, 1000, 1006);
    owns(&st, &timing, 3, 1006, 1012);
    owns(&st, &timing, 4, 1012, 1017);
    owns(&st, &timing, 82, 1441, 1447);
    const frame_timing twice = {.hop = 1, .per = 2};
    owns(&st, &twice, 4, 1001, 1002);
    owns(&st, &twice, 5, 1002, 1002); /* the sample belongs to the frame before */
}

static void after_a_long_gap_samples_and_frames_part(void)
{
    const uint64_t far = (uint64_t)1 << 40;
    const frame_timing timing = {.hop = 160, .lead = -80};
    const span st = {.first_frame = 7, .begin = far, .end = UINT64_MAX};
    owns(&st, &timing, 7, far, far + 80);
    owns(&st, &timing, 8, far + 80, far + 240);
}

/* 2^33 frames of 3 samples each. */
static void frames_and_samples_are_counted_in_64_bits(void)
{
    const frame_timing timing = {.hop = 3, .look_ahead = 1};
    const span st = {.end = UINT64_MAX};
    const uint64_t frame = (uint64_t)1 << 33;
    owns(&st, &timing, frame, 3 * frame, 3 * frame + 3);
}

static void a_gap_belongs_to_the_span_before_it(void)
{
    /* Frames 0..9, gap 10, frames 11..19, gap 20, frames from 21 on. */
    const span list[] = {{.first_frame = 0}, {.first_frame = 11}, {.first_frame = 21}};
    static const size_t where[][2] = {{0, 0},  {9, 0},  {10, 0}, {11, 1},
                                      {20, 1}, {21, 2}, {22, 2}, {INT64_MAX, 2}};
    for (size_t i = 0; i < sizeof where / sizeof *where; i++)
        CHECK(span_of(list, 3, where[i][0]) == &list[where[i][1]]);
    CHECK(span_of(list, 1, 500) == list);
}

static void every_span_of_many_is_found(void)
{
    enum { N = 100 };
    span list[N];
    for (size_t i = 0; i < N; i++) list[i] = (span){.first_frame = 3 * i};
    for (size_t n = 1; n <= N; n++)
        for (size_t frame = 0; frame < 3 * n; frame++)
            CHECK(span_of(list, n, frame) == &list[frame / 3]);
}

/* Three frames a sample: two of them own none. */
static void frames_between_samples_get_the_one_in_which_they_lie(void)
{
    const frame_timing timing = {.hop = 1, .per = 3};
    const span st = {.begin = 100, .end = UINT64_MAX};
    static const uint64_t frames[][5] = {
        /* from, to, least; the sample, the sample after the last */
        {0, 1, 100, 100, 101}, {1, 2, 100, 100, 101}, {2, 3, 100, 100, 101}, {3, 4, 100, 101, 102},
        {2, 4, 100, 101, 102}, {1, 9, 100, 101, 103}, {1, 2, 101, 101, 102}, {4, 6, 101, 101, 102}};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        const uint64_t *f = frames[i];
        uint64_t begin, end;
        span_samples_of(&st, &timing, f[0], f[1], f[2], &begin, &end);
        CHECK_MSG(begin == f[3] && end == f[4], "case %zu: [%llu, %llu)", i,
                  (unsigned long long)begin, (unsigned long long)end);
    }
}

int main(void)
{
    RUN(raw_frames_are_samples);
    RUN(a_frame_owns_a_hop);
    RUN(the_last_frame_is_clipped_to_the_span);
    RUN(a_lead_moves_the_samples);
    RUN(a_negative_lead_is_clipped_to_the_begin);
    RUN(a_negative_lead_at_the_beginning_does_not_wrap);
    RUN(a_frame_comes_out_when_its_samples_are_read);
    RUN(the_look_ahead_delays_but_not_beyond_the_end);
    RUN(a_hop_may_be_a_fraction);
    RUN(after_a_long_gap_samples_and_frames_part);
    RUN(frames_and_samples_are_counted_in_64_bits);
    RUN(a_gap_belongs_to_the_span_before_it);
    RUN(every_span_of_many_is_found);
    RUN(frames_between_samples_get_the_one_in_which_they_lie);
    return check_done();
}
