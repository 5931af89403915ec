#include "io/samples/pcm.h"

#include <math.h>

#include "tests/io/source_help.h"

/* Large enough for reads that bypass the buffer, and no multiple of a frame. */
enum { CHANNELS = 3, FRAMES = 60001, BYTES = 8 * CHANNELS * FRAMES + 5, MOST = FRAMES + 10 };

static unsigned char bytes[BYTES];
static float got[MOST * CHANNELS];

static bool host_is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

static input open_bytes(size_t n)
{
    char error[256];
    input in;
    const char *path = help_file(bytes, n);
    CHECK(input_open(&in, path, -1, error, sizeof error));
    unlink(path);
    return in;
}

/* Sample i of the bytes, by another way: arithmetic in double. */
static double expected(source_format format, bool big_endian, size_t i)
{
    const size_t width = pcm_width(format);
    const unsigned char *b = bytes + i * width;
    double value = 0;
    for (size_t k = 0; k < width; k++) value = value * 256 + b[big_endian ? k : width - 1 - k];
    const double half = (double)((uint64_t)1 << (8 * width - 1));
    if (format == SOURCE_U8) return (value - half) / half;
    return (value >= half ? value - 2 * half : value) / half;
}

static void widths(void)
{
    CHECK(pcm_width(SOURCE_U8) == 1 && pcm_width(SOURCE_S16) == 2 && pcm_width(SOURCE_S24) == 3);
    CHECK(pcm_width(SOURCE_S32) == 4 && pcm_width(SOURCE_F32) == 4 && pcm_width(SOURCE_F64) == 8);
    CHECK(pcm_width(SOURCE_AUTO) == 0 && pcm_width(SOURCE_TEXT) == 0);
}

static void integers_are_scaled_in_both_orders(void)
{
    static const source_format formats[] = {SOURCE_U8, SOURCE_S16, SOURCE_S24, SOURCE_S32};
    for (size_t i = 0; i < 8; i++) {
        const source_format format = formats[i / 2];
        const bool big_endian = i % 2;
        input in = open_bytes(3000);
        pcm p = {pcm_type_of(format), big_endian, 1, UINT64_MAX, NULL, NULL};
        const size_t n = pcm_read(&p, &in, got, MOST, true);
        CHECK(n == 3000 / pcm_width(format));
        for (size_t k = 0; k < n; k++) CHECK(got[k] == (float)expected(format, big_endian, k));
        input_close(&in);
    }
}

/* Floats, read with and without bytes in the buffer, and from any place: always the same bits. */
static void every_way_gives_the_same_floats(void)
{
    static float part[MOST * CHANNELS];
    uint64_t seed = check_seed("pcm");
    const size_t frame = CHANNELS * sizeof(float), all = sizeof bytes / frame;
    input in = open_bytes(BYTES);
    pcm p = {pcm_type_of(SOURCE_F32), host_is_big_endian(), CHANNELS, UINT64_MAX, NULL, NULL};
    size_t at = 0;
    while (at < all) {
        CHECK(pcm_frames_left(&p, &in) == all - at);
        if (check_below(&seed, 2)) CHECK(input_need(&in, 1));
        const size_t ahead = check_below(&seed, all - at + 1), most = 1 + check_below(&seed, MOST);
        const size_t there = all - at - ahead < most ? all - at - ahead : most;
        CHECK(pcm_read_at(&p, &in, ahead, part, most) == there);
        CHECK(memcmp(part, bytes + (at + ahead) * frame, there * frame) == 0);
        if (check_below(&seed, 4) == 0) {
            pcm_skip(&p, &in, ahead);
            at += ahead;
            continue;
        }
        const size_t n = pcm_read(&p, &in, got, most, true);
        CHECK(n > 0 && n <= most && memcmp(got, bytes + at * frame, n * frame) == 0);
        if (n == 0) break;
        at += n;
    }
    CHECK(at == all && pcm_read(&p, &in, got, 1, true) == 0);
    CHECK(in.ended && input_have(&in) == BYTES % frame);
    input_close(&in);
}

static void other_formats_can_be_read_ahead_too(void)
{
    input in = open_bytes(BYTES);
    pcm p = {pcm_type_of(SOURCE_S24), true, CHANNELS, UINT64_MAX, NULL, NULL};
    CHECK(pcm_read_at(&p, &in, 1000, got, 50000) == 50000);
    for (size_t i = 0; i < 50000 * CHANNELS; i += 997)
        CHECK(got[i] == (float)expected(SOURCE_S24, true, 1000 * CHANNELS + i));
    const uint64_t all = pcm_frames_left(&p, &in);
    CHECK(all == BYTES / 9 && pcm_read_at(&p, &in, all - 2, got, 10) == 2);
    CHECK(pcm_read_at(&p, &in, all, got, 10) == 0 && in.consumed == 0);
    input_close(&in);
}

static void no_more_frames_than_declared(void)
{
    input in = open_bytes(100);
    pcm p = {pcm_type_of(SOURCE_U8), false, 2, 7, NULL, NULL};
    CHECK(pcm_frames_left(&p, &in) == 7);
    CHECK(pcm_read(&p, &in, got, 5, true) == 5 && p.left == 2);
    pcm_skip(&p, &in, 1);
    CHECK(p.left == 1 && in.consumed == 12 && pcm_frames_left(&p, &in) == 1);
    CHECK(pcm_read(&p, &in, got, 5, true) == 1 && p.left == 0 && in.consumed == 14);
    CHECK(pcm_read(&p, &in, got, 5, true) == 0 && !in.ended);
    input_close(&in);
}

static void without_wait_only_buffered_frames_come(void)
{
    input in = open_bytes(100);
    pcm p = {pcm_type_of(SOURCE_S16), false, 1, UINT64_MAX, NULL, NULL};
    CHECK(pcm_read(&p, &in, got, 10, false) == 0 && in.consumed == 0 && !in.ended);
    CHECK(input_need(&in, 100) && pcm_read(&p, &in, got, 10, false) == 10);
    input_close(&in);
}

static value_check check_of(const float *values, size_t n)
{
    value_check c = {.width = sizeof *values};
    const uint16_t one = 1;
    c.big_endian = *(const unsigned char *)&one == 0;
    value_check_add(&c, (const unsigned char *)values, n);
    return c;
}

static void absurd_values_are_counted(void)
{
    const float absurd[] = {NAN, -NAN, INFINITY, -INFINITY, 1.1e30F, -1e38F, 1e-40F, -1e-45F};
    const float good[] = {0, -0.0F, 1, -1e30F, 1e30F, 1.2e-38F, -1.2e-38F, 3};
    CHECK(check_of(absurd, 8).absurd == 8 && check_of(absurd, 8).seen == 8);
    CHECK(check_of(good, 8).absurd == 0 && check_of(good, 8).seen == 8);
}

static void doubles_of_both_orders(void)
{
    static const unsigned char big[] = {0x7f, 0xf0, 0, 0, 0, 0, 0, 0,  /* infinity */
                                        0,    0,    0, 0, 0, 0, 0, 1,  /* 5e-324 */
                                        0x3f, 0xf0, 0, 0, 0, 0, 0, 0}; /* 1 */
    unsigned char little[sizeof big];
    for (size_t i = 0; i < sizeof big; i++) little[i] = big[i / 8 * 8 + 7 - i % 8];
    value_check c = {.width = 8, .big_endian = true};
    value_check_add(&c, big, 3);
    CHECK(c.absurd == 2 && c.seen == 3 && value_check_fails(&c));
    c = (value_check){.width = 8};
    value_check_add(&c, little, 3);
    CHECK(c.absurd == 2 && c.seen == 3);
}

static void half_of_them_may_be_absurd(void)
{
    const float values[] = {NAN, 1, INFINITY, 2, 1e35F};
    const value_check none = {.width = 4}, half = check_of(values, 4), more = check_of(values, 5);
    CHECK(!value_check_fails(&none) && !value_check_fails(&half) && value_check_fails(&more));
}

static void only_the_first_are_judged(void)
{
    static float values[2 * VALUE_CHECK_MOST];
    for (size_t i = VALUE_CHECK_MOST; i < 2 * VALUE_CHECK_MOST; i++) values[i] = NAN;
    values[VALUE_CHECK_MOST - 1] = NAN;
    const value_check whole = check_of(values, 2 * VALUE_CHECK_MOST);
    CHECK(whole.seen == VALUE_CHECK_MOST && whole.absurd == 1);
    value_check parts = check_of(values, VALUE_CHECK_MOST - 3);
    for (size_t i = VALUE_CHECK_MOST - 3; i < VALUE_CHECK_MOST + 9; i += 2)
        value_check_add(&parts, (const unsigned char *)(values + i), 2);
    CHECK(parts.seen == whole.seen && parts.absurd == whole.absurd);
}

int main(void)
{
    uint64_t seed = 3;
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (unsigned char)check_random(&seed);
    RUN(widths);
    RUN(integers_are_scaled_in_both_orders);
    RUN(every_way_gives_the_same_floats);
    RUN(other_formats_can_be_read_ahead_too);
    RUN(no_more_frames_than_declared);
    RUN(without_wait_only_buffered_frames_come);
    RUN(absurd_values_are_counted);
    RUN(doubles_of_both_orders);
    RUN(half_of_them_may_be_absurd);
    RUN(only_the_first_are_judged);
    return check_done();
}
