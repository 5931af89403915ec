#include "tests/io/source_help.h"

static source_options format(const char *word)
{
    source_options o = help_options(SOURCE_AUTO);
    CHECK(source_parse_format(word, &o));
    return o;
}

#define GIVES(word, bytes, words)                                                                  \
    do {                                                                                           \
        source_options o_ = format(word);                                                          \
        CHECK(help_gives_bytes(&o_, bytes, sizeof(bytes) - 1, words));                             \
    } while (0)

static void every_format_in_both_orders(void)
{
    GIVES("u8", "\x00\x80\xff\x40", "-1 | 0 | 0.9921875 | -0.5");
    GIVES("s16", "\x00\x80\xff\x7f\x00\x00\xff\xff", "-1 | 0.999969482 | 0 | -3.05175781e-05");
    GIVES("s16be", "\x80\x00\x7f\xff\x40\x00", "-1 | 0.999969482 | 0.5");
    GIVES("s24", "\x00\x00\x80\xff\xff\x7f\x01\x00\x00", "-1 | 0.999999881 | 1.1920929e-07");
    GIVES("s24be", "\x80\x00\x00\xc0\x00\x00\xff\xff\xff", "-1 | -0.5 | -1.1920929e-07");
    GIVES("s32", "\x00\x00\x00\x80\x00\x00\x00\x40\x01\x00\x00\x00", "-1 | 0.5 | 4.65661287e-10");
    GIVES("s32be", "\x80\x00\x00\x00\x40\x00\x00\x00", "-1 | 0.5");
    GIVES("f32", "\x00\x00\x80\x3f\x00\x00\x20\xc0\x00\x00\x80\x7f\x00\x00\xc0\x7f",
          "1 | -2.5 | inf | nan");
    GIVES("f32be", "\x3f\x80\x00\x00\xc0\x20\x00\x00", "1 | -2.5");
    GIVES("f64", "\x00\x00\x00\x00\x00\x00\xf0\x3f\x9a\x99\x99\x99\x99\x99\xb9\x3f",
          "1 | 0.100000001");
    GIVES("f64be", "\x3f\xf0\x00\x00\x00\x00\x00\x00\x7f\xf0\x00\x00\x00\x00\x00\x00", "1 | inf");
    GIVES("f32le", "\x00\x00\x80\x3f", "1");
    GIVES("u8be", "\xc0", "0.5");
}

static void f64_beyond_float32_is_reported_once(void)
{
    GIVES(
        "f64be",
        "\x7f\xef\xff\xff\xff\xff\xff\xff\xff\xef\xff\xff\xff\xff\xff\xff\x3f\xf0\0\0\0\0\0\0"
        "\x3f\xf0\0\0\0\0\0\0",
        "inf | -inf | 1 | 1 ~ a value of 64 bits is too large for float32: a gap, as are all such "
        "values");
}

/* Rounded as libsndfile does: to nearest, ties to even. */
static void large_integers_are_rounded(void)
{
    GIVES("s32", "\xff\xff\xff\x7f", "1");
    GIVES("s32", "\x7f\xff\xff\x7f\xbf\xff\xff\x7f", "0.99999994 | 0.99999994");
}

static void a_sample_cut_in_two_is_an_error(void)
{
    GIVES("f32", "\x00\x00\x80\x3f\x01\x02\x03",
          "1 | ! input ends inside a sample (3 bytes left over)");
    GIVES("s16", "\x01", "! input ends inside a sample (1 byte left over)");
    GIVES("f64", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
          "0 | ! input ends inside a sample (7 bytes left over)");
}

static void frames_of_several_channels(void)
{
    source_options o = format("u8");
    o.channels = 3;
    CHECK(help_gives_bytes(&o, "\x80\xc0\x00\x00\x80\xc0", 6, "0 0.5 -1 | -1 0 0.5"));
    CHECK(help_gives_bytes(&o, "\x80\xc0\x00\x00", 4,
                           "0 0.5 -1 | ! input ends inside a frame (1 byte left over)"));
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    CHECK(help_gives_bytes(&o, "\x80\xc0\x00\x00\x80\xc0", 6, "0.5 | 0"));
    o.channels = 5000;
    CHECK(help_gives_bytes(&o, "\x80", 1,
                           "!! 5000 channels of raw input, but there can be 4096 at most"));
}

static void facts_about_a_file(void)
{
    source_options o = format("s16");
    help_input in = {"\1\2\3\4\5\6\7\10", 8, 0, false};
    o.channels = 2;
    help_result r = help_run(&in, &o);
    CHECK(r.info.frames == 2 && r.info.rate_hz == 1 && !r.info.rate_known && !r.info.live);
    CHECK(!r.info.audio && r.info.times == SOURCE_NO_TIMES);
    help_free(&r);
    o.rate_hz = 360;
    in.by_pipe = true;
    r = help_run(&in, &o);
    CHECK(r.info.frames == 0 && r.info.rate_hz == 360 && r.info.rate_known && r.info.live);
    help_free(&r);
}

/* Longer than any buffer, in pieces that fall across samples. */
static void any_cutting_gives_the_same(const char *word, size_t frame_bytes)
{
    enum { BYTES = 400001 };
    static unsigned char bytes[BYTES];
    uint64_t seed = check_seed("raw pieces");
    source_options o = format(word);
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (unsigned char)check_random(&seed);
    o.channels = 2;
    help_input in = {bytes, BYTES, 0, false};
    help_result whole = help_run(&in, &o);
    CHECK(whole.n == BYTES / frame_bytes && whole.failed);
    for (int i = 0; i < 8; i++) {
        in.piece = 1 + check_below(&seed, 5000);
        in.by_pipe = i & 1;
        help_result r = help_run(&in, &o);
        CHECK(r.n == whole.n && strcmp(r.error, whole.error) == 0);
        CHECK(memcmp(r.values, whole.values, r.n * 2 * sizeof(float)) == 0);
        help_free(&r);
    }
    help_free(&whole);
}

static void any_cutting_of_packed_integers(void)
{
    any_cutting_gives_the_same("s24", 6);
}

/* Large reads of floats bypass the buffer. */
static void any_cutting_of_floats(void)
{
    any_cutting_gives_the_same("f32", 8);
}

/* Any cutting gives the same words, of files and pipes, and once only. */
static void absurd_values_are_reported(void)
{
    enum { N = 2 * 4096 };
    static float values[N];
    const source_options o = format("f32");
    for (size_t i = 0; i < N; i++) values[i] = i % 3 || i >= 4096 ? 1e-40F : 1;
    for (int way = 0; way < 4; way++) {
        const help_input in = {values, sizeof values, way / 2 ? 1003 : 0, way % 2};
        help_result r = help_run(&in, &o);
        CHECK(r.n == N && !r.failed);
        CHECK_MSG(strcmp(r.warnings, " ~ 2730 of the first 4096 values are not finite, beyond 1e30 "
                                     "or denormal: are they raw f32? -f sets the format") == 0,
                  "%s", r.warnings);
        help_free(&r);
    }
    GIVES("f32be", "\0\0\0\1\0\0\0\0", "1.40129846e-45 | 0");
    GIVES("f64", "\1\0\0\0\0\0\0\0",
          "0 ~ 1 of the first 1 values are not finite, beyond 1e30 or denormal: are they raw f64? "
          "-f sets the format");
    GIVES("f32", "\1\0\0\0\1\0",
          "1.40129846e-45 | ! input ends inside a sample (2 bytes left over) ~ 1 of the first 1 "
          "values are not finite, beyond 1e30 or denormal: are they raw f32? -f sets the format");
}

int main(void)
{
    RUN(every_format_in_both_orders);
    RUN(f64_beyond_float32_is_reported_once);
    RUN(large_integers_are_rounded);
    RUN(a_sample_cut_in_two_is_an_error);
    RUN(frames_of_several_channels);
    RUN(facts_about_a_file);
    RUN(any_cutting_of_packed_integers);
    RUN(any_cutting_of_floats);
    RUN(absurd_values_are_reported);
    return check_done();
}
