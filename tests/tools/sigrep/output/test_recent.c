#include "tools/sigrep/output/recent.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static exact_time at(double s)
{
    return exact_time_make((int64_t)s, (int32_t)((s - (double)(int64_t)s) * 1e9));
}

/* Add n samples with these values on; lines and times are of the values, too. */
static void add(recent *r, size_t first, size_t n)
{
    static float frames[4000];
    static exact_time times[2000];
    text_buffer lines = {0};
    for (size_t i = 0; i < n; i++) {
        frames[2 * i] = (float)(first + i);
        frames[2 * i + 1] = -(float)(first + i);
        times[i] = at((double)(first + i) / 2);
        text_add_format(&lines, "%zu\n", first + i);
    }
    CHECK(recent_add(r, frames, times, &lines, n) == NULL);
    free(lines.data);
}

/* Are the records [from, to) these values? */
static bool holds(recent *r, uint64_t from, uint64_t to, size_t first)
{
    static float frames[40000];
    text_buffer lines = {0}, wanted = {0};
    bool good =
        recent_frames(r, from, to, frames) == NULL && recent_lines(r, from, to, &lines) == NULL;
    for (uint64_t i = 0; i < to - from; i++) {
        const float x = (float)(first + i);
        good = good && frames[2 * i] == x && frames[2 * i + 1] == -x;
        text_add_format(&wanted, "%zu\n", (size_t)(first + i));
    }
    good = good && lines.length == wanted.length &&
           (lines.length == 0 || memcmp(lines.data, wanted.data, lines.length) == 0);
    free(lines.data);
    free(wanted.data);
    return good;
}

static recent *make(bool has_times, bool keeps_all)
{
    const recent_settings settings = {.frame_bytes = 2 * sizeof(float),
                                      .rate_hz = 2,
                                      .has_times = has_times,
                                      .has_lines = true,
                                      .keeps_all = keeps_all};
    return recent_create(&settings);
}

/* By the rate of 2 Hz and by times with the same steps alike. */
static void check_kept(bool has_times)
{
    uint64_t state = check_seed("check_kept"), sum = 0;
    recent *r = make(has_times, false);
    for (int i = 0; i < 300; i++) {
        const size_t n = check_below(&state, 300);
        add(r, sum, n);
        sum += n;
        recent_forget(r, 700, 50, UINT64_MAX);
        /* 700 samples, and 100 before them. */
        const uint64_t kept = sum < 800 ? sum : 800, first = sum - kept;
        const recent_span span = recent_find(r, sum - check_below(&state, (size_t)kept + 1));
        CHECK(span.from == first && span.to == sum && !span.is_closed);
        CHECK(holds(r, first, sum, first));
        if (first > 0) CHECK(recent_find(r, first - 1).record < recent_find(r, first - 1).from);
    }
    recent_destroy(r);
}

static void as_much_is_kept_as_is_asked_for(void)
{
    check_kept(false);
    check_kept(true);
}

static void what_is_needed_stays(void)
{
    recent *r = make(false, false);
    add(r, 0, 1000);
    recent_forget(r, 10, 0, 400);
    CHECK(recent_find(r, 500).from == 400);
    recent_forget(r, 10, 0, 300); /* too late */
    CHECK(recent_find(r, 500).from == 400);
    recent_forget(r, 10, 0, UINT64_MAX);
    CHECK(recent_find(r, 995).from == 990);
    recent_destroy(r);
    r = make(false, true);
    add(r, 0, 1000);
    recent_forget(r, 10, 0, UINT64_MAX);
    CHECK(recent_find(r, 500).from == 0 && holds(r, 0, 1000, 0));
    recent_destroy(r);
}

static void samples_count_on_through_gaps(void)
{
    recent *r = make(false, false);
    add(r, 0, 10);
    CHECK(recent_gap(r, 5) == NULL && recent_gap(r, 0) == NULL && recent_gap(r, 15) == NULL);
    CHECK(recent_find(r, 9).is_closed && recent_find(r, 9).to == 10);
    add(r, 10, 10);
    CHECK(recent_samples(r) == 40);
    recent_span span = recent_find(r, 33);
    CHECK(span.record == 13 && span.from == 10 && span.to == 20 && !span.is_closed);
    span = recent_find(r, 3);
    CHECK(span.record == 3 && span.from == 0 && span.to == 10 && span.is_closed);
    recent_end(r);
    CHECK(recent_find(r, 33).is_closed);
    recent_destroy(r);
}

/* A gap after every sample: as many spans are kept as there are records. */
static void gaps_are_forgotten(void)
{
    recent *r = make(false, false);
    for (size_t i = 0; i < 10000; i++) {
        add(r, i, 1);
        CHECK(recent_gap(r, 1) == NULL);
        recent_forget(r, 100, 0, UINT64_MAX);
        const recent_span span = recent_find(r, 2 * i);
        CHECK(span.record == i && span.from == i && span.to == i + 1);
    }
    const recent_span span = recent_find(r, 2 * 9950);
    CHECK(span.record == 9950 && holds(r, 9950, 9951, 9950));
    CHECK(recent_find(r, 100).to == 0);
    recent_destroy(r);
}

static void context_by_the_rate(void)
{
    recent *r = make(false, false);
    bool whole;
    add(r, 0, 20);
    recent_span span = recent_find(r, 10);
    const exact_time none = exact_time_unknown();
    CHECK(recent_before(r, &span, 0, none) == 10 && recent_before(r, &span, 2.5, none) == 5);
    CHECK(recent_before(r, &span, 1e9, none) == 0);
    CHECK(recent_after(r, &span, 15, 15, 0, none, &whole) == 15 && whole);
    CHECK(recent_after(r, &span, 15, 15, 2.5, none, &whole) == 20 && whole);
    CHECK(recent_after(r, &span, 15, 15, 3, none, &whole) == 20 && !whole);
    recent_end(r);
    span = recent_find(r, 10);
    CHECK(recent_after(r, &span, 15, 15, 3, none, &whole) == 20 && whole);
    recent_destroy(r);
}

/* Records come every half second. */
static void context_by_times(void)
{
    recent *r = make(true, false);
    bool whole;
    add(r, 0, 20);
    recent_span span = recent_find(r, 10); /* at 5 s */
    CHECK(recent_before(r, &span, 0, at(5)) == 10 && recent_before(r, &span, 2.5, at(5)) == 5);
    CHECK(recent_before(r, &span, 2.4, at(5)) == 6 && recent_before(r, &span, 99, at(5)) == 0);
    CHECK(recent_after(r, &span, 15, 15, 0, at(7.5), &whole) == 15 && whole);
    CHECK(recent_after(r, &span, 15, 15, 1, at(7.5), &whole) == 17 && whole);
    CHECK(recent_after(r, &span, 15, 15, 2.5, at(7.5), &whole) == 20 && !whole);
    add(r, 20, 1); /* at 10 s: the first one beyond */
    span = recent_find(r, 10);
    CHECK(recent_after(r, &span, 15, 20, 2.5, at(7.5), &whole) == 20 && whole);
    add(r, 0, 3); /* the clock went back: no context beyond */
    span = recent_find(r, 10);
    CHECK(recent_after(r, &span, 15, 15, 99, at(7.5), &whole) == 21 && whole);
    span = recent_find(r, 22);
    CHECK(recent_before(r, &span, 99, at(0.5)) == 21);
    recent_destroy(r);
}

int main(void)
{
    RUN(as_much_is_kept_as_is_asked_for);
    RUN(what_is_needed_stays);
    RUN(samples_count_on_through_gaps);
    RUN(gaps_are_forgotten);
    RUN(context_by_the_rate);
    RUN(context_by_times);
    return check_done();
}
