#include "tools/sigrep/state/stream_mark.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum {
    CHANNELS = 3,
    MOST = STREAM_HEAD / CHANNELS,
    TAIL = STREAM_TAIL / CHANNELS,
    FRAMES = 4 * MOST
};

static float *random_frames(uint64_t *state, size_t n)
{
    float *frames = malloc(n * CHANNELS * sizeof *frames);
    for (size_t i = 0; i < n * CHANNELS; i++) frames[i] = (float)check_below(state, 4);
    return frames;
}

/* Add frames [from, to) in random pieces. */
static void add(stream *s, uint64_t *state, const float *frames, size_t from, size_t to)
{
    while (from < to) {
        size_t n = 1 + check_below(state, check_below(state, 2) ? 2 * MOST : 9);
        if (n > to - from) n = to - from;
        stream_add(s, from, frames + from * CHANNELS, n);
        from += n;
    }
}

static bool are_equal(const stream_mark *a, const stream_mark *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void pieces_do_not_matter(void)
{
    uint64_t state = check_seed("pieces_do_not_matter");
    for (int round = 0; round < 20; round++) {
        stream a, b;
        const size_t n = 1 + check_below(&state, FRAMES);
        float *frames = random_frames(&state, n);
        CHECK(stream_begin(&a, CHANNELS) && stream_begin(&b, CHANNELS));
        add(&a, &state, frames, 0, n);
        add(&b, &state, frames, 0, n);
        const stream_mark m = stream_get_mark(&a), w = stream_get_mark(&b);
        CHECK_MSG(are_equal(&m, &w), "round %d, %zu frames", round, n);
        CHECK(m.head_n == (n < MOST ? n : MOST) && m.tail_n == (n < TAIL ? n : TAIL));
        CHECK(stream_compare(&b, &m) == STREAM_SAME && stream_ends_as(&b, &m));
        stream_end(&a);
        stream_end(&b);
        free(frames);
    }
}

/* One value of the head differs: seen once the next power of two of frames has come. */
static void another_head_is_known_early(void)
{
    uint64_t state = check_seed("another_head_is_known_early");
    for (int round = 0; round < 20; round++) {
        stream a, b;
        float *frames = random_frames(&state, MOST);
        const size_t at = check_below(&state, MOST);
        size_t power = 1;
        CHECK(stream_begin(&a, CHANNELS) && stream_begin(&b, CHANNELS));
        add(&a, &state, frames, 0, MOST);
        const stream_mark m = stream_get_mark(&a);
        frames[at * CHANNELS + 1] += 1;
        while (power < at + 1) power *= 2;
        if (power > MOST) power = MOST;
        add(&b, &state, frames, 0, at);
        CHECK(stream_compare(&b, &m) == STREAM_OPEN);
        add(&b, &state, frames, at, power);
        CHECK_MSG(stream_compare(&b, &m) == STREAM_OTHER, "frame %zu", at);
        stream_end(&a);
        stream_end(&b);
        free(frames);
    }
}

static void another_tail_is_known(void)
{
    uint64_t state = check_seed("another_tail_is_known");
    stream a, b;
    float *frames = random_frames(&state, FRAMES);
    CHECK(stream_begin(&a, CHANNELS) && stream_begin(&b, CHANNELS));
    add(&a, &state, frames, 0, FRAMES);
    const stream_mark m = stream_get_mark(&a);
    /* The frames before the tail are not looked at. */
    add(&b, &state, frames, FRAMES - TAIL, FRAMES);
    CHECK(stream_ends_as(&b, &m));
    stream_restart(&b);
    add(&b, &state, frames, FRAMES - TAIL + 1, FRAMES);
    CHECK(!stream_ends_as(&b, &m)); /* one too few */
    stream_restart(&b);
    frames[(FRAMES - 1 - check_below(&state, TAIL)) * CHANNELS] += 1;
    add(&b, &state, frames, FRAMES - TAIL, FRAMES);
    CHECK(!stream_ends_as(&b, &m));
    stream_end(&a);
    stream_end(&b);
    free(frames);
}

static void unseen_frames_end_head_and_tail(void)
{
    const float frames[8 * CHANNELS] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    stream s;
    CHECK(stream_begin(&s, CHANNELS));
    stream_add(&s, 0, frames, 2);
    stream_add(&s, 5, frames, 3);
    const stream_mark m = stream_get_mark(&s);
    CHECK(m.head_n == 2 && m.tail_n == 3);
    stream_end(&s);
}

static void clear_heads_are_known(void)
{
    float frames[100 * CHANNELS] = {0};
    stream s;
    CHECK(stream_begin(&s, CHANNELS));
    stream_add(&s, 0, frames, 99);
    stream_mark m = stream_get_mark(&s);
    CHECK(m.constant_n == 99 && !stream_is_clear(&m, 99)); /* all are equal */
    frames[99 * CHANNELS + 2] = 1;
    stream_add(&s, 99, frames + 99 * CHANNELS, 1);
    m = stream_get_mark(&s);
    CHECK(m.constant_n == 99 && stream_is_clear(&m, 100) && !stream_is_clear(&m, 64));
    stream_restart(&s);
    frames[0] = 1;
    stream_add(&s, 0, frames, 31);
    m = stream_get_mark(&s);
    CHECK(!stream_is_clear(&m, 31)); /* too few */
    stream_end(&s);
}

static void frames_that_agree_are_counted(void)
{
    float frames[100 * CHANNELS] = {1};
    stream a, b;
    CHECK(stream_begin(&a, CHANNELS) && stream_begin(&b, CHANNELS));
    stream_add(&a, 0, frames, 100);
    const stream_mark m = stream_get_mark(&a);
    CHECK(stream_agrees(&b, &m) == 0);
    stream_add(&b, 0, frames, 50);
    CHECK(stream_agrees(&b, &m) == 32 && stream_compare(&b, &m) == STREAM_OPEN);
    frames[50 * CHANNELS] = 3;
    stream_add(&b, 50, frames + 50 * CHANNELS, 50);
    CHECK(stream_agrees(&b, &m) == 32 && stream_compare(&b, &m) == STREAM_OTHER);
    stream_restart(&b);
    frames[50 * CHANNELS] = 0;
    stream_add(&b, 0, frames, 100);
    CHECK(stream_agrees(&b, &m) == 100 && stream_compare(&b, &m) == STREAM_SAME);
    stream_end(&a);
    stream_end(&b);
}

int main(void)
{
    RUN(pieces_do_not_matter);
    RUN(another_head_is_known_early);
    RUN(another_tail_is_known);
    RUN(unseen_frames_end_head_and_tail);
    RUN(clear_heads_are_known);
    RUN(frames_that_agree_are_counted);
    return check_done();
}
