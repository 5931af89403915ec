#include "io/time/fill.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

/* Frames of one value: digits, - for a missing one, | for a break. What comes out, each frame as
 * late as possible. Frames that are ready at once have no . before them. */
static const char *filled(size_t most, const char *in)
{
    static char out[4096];
    fill *f = fill_create(1, most);
    double value;
    out[0] = '\0';
    for (const char *c = in; *c; c++) {
        const double digit = (double)(*c - '0');
        if (*c == '|')
            fill_break(f);
        else
            CHECK(fill_add(f, *c == '-' ? NULL : &digit, exact_time_unknown()));
        if (fill_ready(f) == 0 && *c != '|') strcat(out, ".");
        while (fill_take(f, &value, NULL, 1))
            snprintf(out + strlen(out), sizeof out - strlen(out), " %.9g", value);
    }
    fill_destroy(f);
    return out;
}

static bool is(const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) fprintf(stderr, "got '%s', expected '%s'\n", got, wanted);
    return strcmp(got, wanted) == 0;
}

static void runs_up_to_the_limit_become_lines(void)
{
    CHECK(is(filled(3, "0---4"), " 0... 1 2 3 4"));
    CHECK(is(filled(2, "0---4"), " 0.. nan nan nan 4"));
    CHECK(is(filled(2, "5-3--0"), " 5. 4 3.. 2 1 0"));
    CHECK(is(filled(0, "5-3"), " 5 nan 3"));
    CHECK(is(filled(9, "7-7"), " 7. 7 7"));
}

static void nothing_is_bridged_over_a_break(void)
{
    CHECK(is(filled(3, "--4-|-6"), " nan nan 4. nan nan 6"));
    CHECK(is(filled(3, "4--|"), " 4.. nan nan"));
    CHECK(is(filled(3, "4|-2"), " 4 nan 2"));
}

static void what_waits_may_be_dropped(void)
{
    const double one = 1, two = 2;
    double got[4];
    fill *f = fill_create(1, 2);
    CHECK(fill_add(f, &one, exact_time_unknown()) && fill_add(f, NULL, exact_time_unknown()));
    fill_drop_waiting(f);
    CHECK(fill_ready(f) == 1 && fill_add(f, &two, exact_time_unknown()));
    CHECK(fill_take(f, got, NULL, 4) == 2 && got[0] == 1 && got[1] == 2);
    fill_destroy(f);
}

static void channels_are_bridged_by_themselves(void)
{
    const double none = (double)NAN;
    const double frames[][2] = {{0, 9}, {none, 8}, {1e300, 7}, {3, none}, {4, 5}};
    double got[5][2];
    exact_time times[5];
    fill *f = fill_create(2, 2);
    for (int i = 0; i < 5; i++) CHECK(fill_add(f, frames[i], exact_time_make(i, 0)));
    CHECK(fill_ready(f) == 5 && fill_take(f, got[0], times, 9) == 5);
    for (int i = 0; i < 5; i++) {
        CHECK(got[i][0] == (double)i && times[i].seconds == i);
        CHECK(got[i][1] == (i < 3 ? (double)(9 - i) : i == 3 ? 6 : 5));
    }
    CHECK(fill_take(f, got[0], times, 9) == 0);
    fill_destroy(f);
}

/* A run of missing values lasts while frames are taken, whatever their number. */
static void frames_are_kept_in_order(void)
{
    uint64_t state = check_seed("frames_are_kept_in_order");
    fill *f = fill_create(1, 100);
    size_t in = 0, out = 0;
    for (int turn = 0; turn < 2000; turn++) {
        for (uint64_t n = check_below(&state, 90); n > 0; n--, in++) {
            const double value = (double)in;
            CHECK(fill_add(f, check_below(&state, 3) ? NULL : &value, exact_time_unknown()));
        }
        double got[64];
        const size_t n = fill_take(f, got, NULL, (size_t)check_below(&state, 64));
        for (size_t i = 0; i < n; i++, out++)
            CHECK(isnan(got[i]) || fabs(got[i] - (double)out) < 0.01);
    }
    CHECK(out > 1000);
    fill_destroy(f);
}

int main(void)
{
    RUN(runs_up_to_the_limit_become_lines);
    RUN(nothing_is_bridged_over_a_break);
    RUN(what_waits_may_be_dropped);
    RUN(channels_are_bridged_by_themselves);
    RUN(frames_are_kept_in_order);
    return check_done();
}
