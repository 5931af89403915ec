#include "tools/sigrep/state/saved.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static exact_time random_time(uint64_t *state)
{
    if (check_below(state, 4) == 0) return exact_time_unknown();
    return (exact_time){.seconds = (int64_t)check_random(state) / 8,
                        .ns = (int32_t)check_below(state, 1000000000),
                        .decimals = (int16_t)check_below(state, 10),
                        .is_local = check_below(state, 2)};
}

static saved_bytes random_bytes(uint64_t *state)
{
    static unsigned char bytes[1 << 12];
    const size_t n = check_below(state, sizeof bytes / 2),
                 at = check_below(state, sizeof bytes / 2);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * i >> 3);
    return (saved_bytes){bytes + at, n};
}

static saved_place random_place(uint64_t *state)
{
    saved_place p = {.samples = check_random(state),
                     .matches = check_random(state),
                     .held = check_random(state),
                     .output = check_random(state),
                     .decimals = check_below(state, 10),
                     .first = random_time(state),
                     .n_times = check_below(state, 5),
                     .n_label_matches = check_below(state, 5),
                     .n_holds = check_below(state, 5),
                     .search = random_bytes(state)};
    p.times = calloc(p.n_times + 1, sizeof *p.times);
    p.label_matches = calloc(p.n_label_matches + 1, sizeof *p.label_matches);
    p.holds = calloc(p.n_holds + 1, sizeof *p.holds);
    for (size_t i = 0; i < p.n_times; i++) p.times[i] = random_time(state);
    for (size_t i = 0; i < p.n_label_matches; i++) p.label_matches[i] = check_random(state);
    for (size_t i = 0; i < p.n_holds; i++)
        p.holds[i] = (saved_hold){check_random(state), random_time(state), random_time(state)};
    return p;
}

static saved random_saved(uint64_t *state)
{
    saved s = {.options = random_bytes(state),
               .input = random_bytes(state),
               .epoch_s = (int64_t)check_random(state),
               .epoch_ns = 5,
               .has_begun = check_below(state, 2),
               .has_ended = check_below(state, 2),
               .output_is_file = true,
               .output_inode = check_random(state),
               .base = check_random(state),
               .base_first = random_time(state),
               .mark = {.head_n = 7, .head = check_random(state), .constant_n = 5, .tail_n = 3},
               .here = random_place(state),
               .end = random_place(state),
               .n_printed = check_below(state, 4)};
    s.printed = calloc(s.n_printed + 1, sizeof *s.printed);
    for (size_t i = 0; i < s.n_printed; i++)
        s.printed[i] = (saved_match){i, check_random(state), check_random(state), 1};
    s.mark.prefixes[STREAM_PREFIXES - 1] = check_random(state);
    return s;
}

/* What is read is written again as the same bytes, and has the same values where they matter. */
static void all_fields_come_back(void)
{
    uint64_t state = check_seed("all_fields_come_back");
    for (int round = 0; round < 100; round++) {
        saved s = random_saved(&state), t;
        text_buffer out = {0}, again = {0};
        CHECK(saved_write(&s, &out));
        const char *wrong = saved_read(&t, (const unsigned char *)out.data, out.length);
        CHECK_MSG(!wrong, "%s", wrong);
        CHECK(t.here.samples == s.here.samples && t.end.held == s.end.held);
        CHECK(t.has_begun == s.has_begun && t.has_ended == s.has_ended && !t.is_over);
        CHECK(t.n_printed == s.n_printed && t.here.search.n == s.here.search.n);
        CHECK(memcmp(t.here.search.bytes, s.here.search.bytes, s.here.search.n) == 0);
        CHECK(t.here.first.ns == s.here.first.ns && t.base_first.seconds == s.base_first.seconds);
        CHECK(saved_write(&t, &again) && again.length == out.length &&
              memcmp(again.data, out.data, out.length) == 0);
        saved_free(&s);
        saved_free(&t);
        free(out.data);
        free(again.data);
    }
}

/* Any byte that changes, and any that is missing, is seen; memory is freed all the same. */
static void damage_is_seen(void)
{
    uint64_t state = check_seed("damage_is_seen");
    saved s = random_saved(&state), t;
    text_buffer out = {0};
    CHECK(saved_write(&s, &out));
    unsigned char *bytes = (unsigned char *)out.data;
    for (size_t i = 0; i < out.length; i++) {
        const unsigned char flip = (unsigned char)(1 + check_below(&state, 255));
        bytes[i] ^= flip;
        CHECK_MSG(saved_read(&t, bytes, out.length) != NULL, "byte %zu", i);
        saved_free(&t);
        bytes[i] ^= flip;
        CHECK_MSG(saved_read(&t, bytes, i) != NULL, "%zu bytes", i);
        saved_free(&t);
    }
    saved_free(&s);
    free(out.data);
}

static void another_version_is_named(void)
{
    uint64_t state = check_seed("another_version_is_named");
    saved s = random_saved(&state), t;
    text_buffer out = {0};
    CHECK(saved_write(&s, &out));
    out.data[8]++;
    const char *wrong = saved_read(&t, (const unsigned char *)out.data, out.length);
    CHECK(wrong && strstr(wrong, "another version"));
    saved_free(&t);
    wrong = saved_read(&t, (const unsigned char *)"RIFF....", 8);
    CHECK(wrong && strstr(wrong, "no state"));
    saved_free(&t);
    saved_free(&s);
    free(out.data);
}

int main(void)
{
    RUN(all_fields_come_back);
    RUN(damage_is_seen);
    RUN(another_version_is_named);
    return check_done();
}
