/* source_jump and source_read_back against reading, and source_unsettled. */
#include "io/time/timed.h"
#include "source_help.h"

enum { FRAMES = 70000 };

/* Frames [0, n) of a file by source_read, or from a jump on. Returns their number. */
static size_t read_from(const char *path, const source_options *o, uint64_t jump, float *frames)
{
    char error[256];
    source *src = source_open(path, o, error, sizeof error);
    size_t n = 0, channels;
    ssize_t got = 1;
    if (!src) return 0;
    channels = source_get_info(src).channels;
    CHECK(jump == 0 || source_jump(src, jump) == jump);
    while (got > 0) {
        got = source_read(src, frames + n * channels, NULL, 1 << 16);
        n += got > 0 ? (size_t)got : 0;
    }
    CHECK(source_jump(src, 1) == 0);
    source_close(src);
    return n;
}

static void check_jumps(const char *path, const source_options *o, size_t channels, uint64_t *state)
{
    static float all[2 * FRAMES], rest[2 * FRAMES];
    const size_t n = read_from(path, o, 0, all);
    CHECK(n == FRAMES);
    for (int round = 0; round < 20; round++) {
        const size_t at = 1 + check_below(state, FRAMES - 1);
        CHECK(read_from(path, o, at, rest) == n - at);
        CHECK_MSG(memcmp(rest, all + at * channels, (n - at) * channels * sizeof *all) == 0,
                  "jump to %zu", at);
    }
}

static void a_jump_is_reading(void)
{
    static unsigned char bytes[2 * 4 * FRAMES];
    uint64_t state = check_seed("a_jump_is_reading");
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)check_random(&state);
    source_options s16 = help_options(SOURCE_S16), stereo = s16;
    const char *path = help_file(bytes, 2 * FRAMES);
    check_jumps(path, &s16, 1, &state);
    unlink(path);
    path = help_file(bytes, 4 * FRAMES);
    stereo.channels = 2;
    check_jumps(path, &stereo, 2, &state);
    stereo.choice = CHANNEL_MIX;
    check_jumps(path, &stereo, 1, &state);
    source_options wide = help_options(SOURCE_S32);
    check_jumps(path, &wide, 1, &state);
    unlink(path);
}

static void frames_are_read_back(void)
{
    static float all[FRAMES], again[FRAMES];
    static unsigned char bytes[2 * FRAMES];
    uint64_t state = check_seed("frames_are_read_back");
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)check_random(&state);
    const source_options o = help_options(SOURCE_S16);
    const char *path = help_file(bytes, sizeof bytes);
    char error[256];
    CHECK(read_from(path, &o, 0, all) == FRAMES);
    source *src = source_open(path, &o, error, sizeof error);
    for (size_t at = 0; src && at < FRAMES; at += 9999) {
        if (at) source_skip(src, 9999);
        for (int round = 0; round < 5; round++) {
            const size_t back = check_below(&state, at + 1);
            CHECK(source_read_back(src, back, again, back) == back);
            CHECK(memcmp(again, all + at - back, back * sizeof *all) == 0);
        }
    }
    source_close(src);
    unlink(path);
}

/* A jump is refused if something must see all frames. */
static void other_sources_are_read(void)
{
    char error[256];
    source_options o = help_options(SOURCE_TEXT);
    const char *path = help_file("1\n2\n3\n", 6);
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src && source_jump(src, 1) == 0);
    source_close(src);
    unlink(path);
    o = help_options(SOURCE_F32);
    o.fill_s = 2;
    path = help_file("0123456789abcdef", 16);
    src = source_open(path, &o, error, sizeof error);
    CHECK(src && source_jump(src, 1) == 0);
    source_close(src);
    unlink(path);
}

/* How many of all frames might be others if the input went on? */
static size_t unsettled(const char *text, source_options o)
{
    static double frames[4 * TIMED_FRAMES];
    static exact_time times[4 * TIMED_FRAMES];
    char error[256];
    size_t n = 0, unsure = 0;
    ssize_t got = 1;
    const char *path = help_file(text, strlen(text));
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src != NULL);
    while (src && got > 0) {
        got = source_read_doubles(src, frames, times, 1 << 10);
        if (got <= 0) break;
        n += (size_t)got;
        const size_t last = source_unsettled(src), here = last < (size_t)got ? last : (size_t)got;
        unsure = here == (size_t)got ? unsure + here : here;
    }
    source_close(src);
    unlink(path);
    return unsure < n ? unsure : n;
}

static void what_may_change_is_unsettled(void)
{
    source_options o = help_options(SOURCE_TEXT);
    CHECK(unsettled("1\n2\n3\n", o) == 0);
    CHECK(unsettled("1\n2\n3", o) == 1); /* 35, perhaps */
    o.fill_s = 2;
    CHECK(unsettled("1\n2\nnan\nnan\n", o) == 2);
    CHECK(unsettled("1\n2\nnan\nnan\nnan\n", o) == 0); /* no bridge is so long */
    CHECK(unsettled("1\nnan\n3\n", o) == 0);
    CHECK(unsettled("1\n2\n3", o) == 1);
    o.fill_s = 0;
    o.time_column = 1;
    CHECK(unsettled("0,1\n1,1\n2,1\n", o) == 3); /* the rate is not sure yet */
    char text[4096] = "";
    for (int i = 0; i < 80; i++) snprintf(text + strlen(text), 32, "%d,1\n", i);
    CHECK(unsettled(text, o) == 0);
    o.fill_s = 3;
    CHECK(unsettled(strcat(text, "80,nan\n"), o) == 1);
}

int main(void)
{
    RUN(a_jump_is_reading);
    RUN(frames_are_read_back);
    RUN(other_sources_are_read);
    RUN(what_may_change_is_unsettled);
    return check_done();
}
