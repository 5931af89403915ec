#include "tools/sigrep/output/actions.h"

#include "check.h"

/* Samples at 10 Hz. */
static writer_match at(uint64_t start, uint64_t end)
{
    return (writer_match){.start = start, .end = end, .scale = {.rate_hz = 10}};
}

/* From start_ns to end_ns after a second of the time column. */
static writer_match timed(int64_t second, int32_t start_ns, int32_t end_ns)
{
    return (writer_match){.start = 1,
                          .end = 2,
                          .start_time = exact_time_make(second, start_ns),
                          .end_time = exact_time_make(second, end_ns),
                          .scale = {.rate_hz = 1, .from_column = true}};
}

typedef struct {
    double seconds;
    writer_match last[3];
} hold;

static bool takes(hold *h, size_t label, writer_match match)
{
    return hold_takes(h->seconds, &h->last[label], &match);
}

static void a_hold_begins_with_the_end_of_a_match_that_goes_on(void)
{
    hold h = {.seconds = 2};
    CHECK(!takes(&h, 0, at(0, 5)));
    CHECK(takes(&h, 0, at(5, 9)));
    CHECK(takes(&h, 0, at(24, 40))); /* held, so it begins none */
    CHECK(!takes(&h, 0, at(25, 60)));
    CHECK(takes(&h, 0, at(79, 81)));
    CHECK(!takes(&h, 0, at(80, 81)));
}

static void each_label_has_its_own(void)
{
    hold h = {.seconds = 2};
    CHECK(!takes(&h, 0, at(0, 5)) && !takes(&h, 2, at(1, 6)));
    CHECK(takes(&h, 0, at(5, 9)) && takes(&h, 2, at(7, 9)));
    CHECK(!takes(&h, 0, at(25, 26)) && takes(&h, 2, at(25, 26)));
}

static void times_of_a_column_count_exactly(void)
{
    hold h = {.seconds = 0.1};
    const int64_t now = 1700000000;
    CHECK(!takes(&h, 0, timed(now, 0, 200000000)));
    CHECK(takes(&h, 0, timed(now, 299999999, 400000000)));
    CHECK(!takes(&h, 0, timed(now, 300000000, 300000001)));
    /* The first match's time went back: a clock was set, or files were joined. */
    CHECK(!takes(&h, 0, timed(now - 9999, 0, 1)));
    CHECK(takes(&h, 0, timed(now - 9999, 2, 3)));
}

/* Regression: a match before the last one in time was printed, so output ran backwards. */
static void a_clock_that_steps_back_a_little_prolongs_the_hold(void)
{
    hold h = {.seconds = 1};
    CHECK(!takes(&h, 0, timed(100, 0, 5)));
    CHECK(takes(&h, 0, timed(97, 0, 5)));
    CHECK(takes(&h, 0, timed(40, 0, 5)));
    CHECK(!takes(&h, 0, timed(101, 5, 9)));
    CHECK(!takes(&h, 0, timed(40, 0, 5))); /* another clock */
    CHECK(takes(&h, 0, timed(40, 5, 9)));
}

static void unknown_times_hold_nothing(void)
{
    hold h = {.seconds = 9};
    writer_match unknown = timed(1, 0, 1);
    unknown.end_time = exact_time_unknown();
    CHECK(!takes(&h, 0, unknown));
    CHECK(!takes(&h, 0, timed(1, 2, 3)));
    CHECK(takes(&h, 0, timed(1, 4, 5)));
}

int main(void)
{
    RUN(a_hold_begins_with_the_end_of_a_match_that_goes_on);
    RUN(each_label_has_its_own);
    RUN(times_of_a_column_count_exactly);
    RUN(a_clock_that_steps_back_a_little_prolongs_the_hold);
    RUN(unknown_times_hold_nothing);
    return check_done();
}
