#include "io/time/timed.h"

#include <math.h>

#include "tests/io/source_help.h"

static source_options timed_options(double fill_s)
{
    source_options o = help_options(SOURCE_TEXT);
    o.time_column = 1;
    o.fill_s = fill_s;
    return o;
}

/* The rate and the warnings of a text; 0 Hz: not known. */
static double rate_of(source_options o, const char *text, const char *warnings)
{
    help_input in = {text, strlen(text), 0, false};
    help_result r = help_run(&in, &o);
    CHECK_MSG(strcmp(r.warnings, warnings) == 0, "'%s'", r.warnings);
    const double rate_hz = r.info.rate_known ? r.info.rate_hz : 0;
    CHECK(r.info.rate_measured == (rate_hz > 0 && o.rate_hz == 0));
    help_free(&r);
    return rate_hz;
}

static void the_rate_is_that_of_the_steps(void)
{
    source_options o = timed_options(0);
    CHECK(rate_of(o, "0,1\n0.01,1\n0.02,1\n0.05,1\n", "") == 100);
    CHECK(rate_of(o, "1700000000000,1\n1700000000250,1\n", "") == 4);
    CHECK(rate_of(o, "2026-01-01T00:00,1\n2026-01-01T00:01,1\n", "") == 1.0 / 60);
    CHECK(rate_of(o, "5,1\n", "") == 0);
    CHECK(rate_of(o, "5,1\n5,1\n",
                  " ~ most of its first times are equal, so they give no rate; "
                  "give it with -r") == 0);
    CHECK(rate_of(o, "0,1\n1,1\n3,1\n7,1\n",
                  " ~ 2 of the first 3 steps in time differ from their median, 2 s, by more than "
                  "10 %, but count as even: --resample-times HZ makes even ones; --fill SECONDS "
                  "bridges gaps only") == 0.5);
    CHECK(rate_of(o, "0,1\n1e12,1\n2e12,1\n",
                  " ~ its times are 1e+12 s apart, which is less than 1e-09 Hz and gives no rate; "
                  "give times in a larger unit, or a rate with -r") == 0);
}

static void uneven_rows_become_even_samples(void)
{
    source_options o = timed_options(0);
    o.even_hz = 1;
    CHECK(help_gives(&o, "0,0\n0.5,1\n2,4\n", "@0 0 | @1 2 | @2 4"));
    CHECK(help_gives(&o, "1700000000.5,0\n1700000001,1\n1700000003,5\n",
                     "@1700000000.5 0 | @1700000001.5 2 | @1700000002.5 4"));
    CHECK(help_gives(
        &o, "0,0\n1,1\n2,2\n20,7\n21.5,10\n",
        "@0 0 | @1 1 | @2 2 | @nan nan | @20 7 | @21 9 ~ a gap: no samples from 2.000 to "
        "20.000"));
    CHECK(help_gives(&o, "0,0\n1,1\n2,2\n1,5\n2,6\n",
                     "@0 0 | @1 1 | @2 2 | @nan nan | @1 5 | @2 6 ~ a gap: time 1.000 comes after "
                     "2.000"));
    CHECK(help_gives(&o, "0,0\n0.9,\n2,2\n3,3\n",
                     "@0 0 | @1 nan | @2 2 | @3 3 ~ 1 missing value in column 2 made a gap; --fill "
                     "bridges it"));
    o.skip_bad = true;
    CHECK(help_gives(&o, "0,0\n1,1\nx,5\n2,2\n3,3\n",
                     "@0 0 | @1 1 | @nan nan | @2 2 | @3 3 ~ line 3: 'x' is not a time: skipped"));
    o.fill_s = 6;
    CHECK(help_gives(&o, "0,0\n1,1\n2,2\n8,8\n9,9\n",
                     "@0 0 | @1 1 | @2 2 | @3 3 | @4 4 | @5 5 | @6 6 | @7 7 | @8 8 | @9 9"));
    o.even_hz = 1e9;
    CHECK(help_gives(&o, "0,0\n1,1\n",
                     "!! --resample-times 1e+09 means 6e+09 values between two rows, more than "
                     "16777216"));
}

/* What is made of the rows that opening reads has to fit into memory, also if they share a stamp.
 */
static void samples_of_the_first_rows_have_a_bound(void)
{
    static char text[4 * 1100 + 16];
    source_options o = timed_options(0);
    o.even_hz = 1;
    for (size_t i = 0; i < 1100; i++) memcpy(text + 4 * i, "0,1\n", 4);
    strcpy(text + sizeof text - 16, "1e9,3\n");
    CHECK(help_gives(&o, text,
                     "!! --resample-times 1 means 1e+09 values of 1101 rows, more than 16777216"));
    o.even_hz = 1e6;
    CHECK(help_gives(
        &o, "0,0\n3,1\n6,2\n9,3\n12,4\n15,5\n18,6\n",
        "!! --resample-times 1000000 means 1.8e+07 values of 7 rows, more than 16777216"));
}

static void a_table_with_the_newest_row_first_is_reported(void)
{
    static const char warning[] =
        " ~ most of its first times go back, and before each such row is a gap: sort the rows by "
        "time";
    source_options o = timed_options(0);
    CHECK(rate_of(o, "9,1\n8,2\n7,3\n6,4\n", warning) == 0);
    CHECK(rate_of(o, "9,1\n9,2\n9,3\n8,4\n8,5\n8,6\n", warning) == 0);
    o.rate_hz = 5;
    CHECK(rate_of(o, "9,1\n8,2\n7,3\n6,4\n", warning) == 5);
}

static void a_rate_that_is_given_counts(void)
{
    source_options o = timed_options(0);
    o.rate_hz = 99;
    CHECK(rate_of(o, "0,1\n0.01,1\n0.02,1\n", "") == 99);
    o.rate_hz = 98;
    CHECK(rate_of(o, "0,1\n0.01,1\n",
                  " ~ the rate that is given is 98 Hz, but that of the time "
                  "column is 100 Hz") == 98);
}

static void a_rate_that_is_near_is_taken(void)
{
    source_options o = timed_options(0);
    o.near_rate_hz = 96;
    CHECK(rate_of(o, "0,1\n0.01,1\n", "") == 96);
    CHECK(rate_of(o, "0,1\n", "") == 96);
    o.near_rate_hz = 94;
    CHECK(rate_of(o, "0,1\n0.01,1\n", "") == 100);
}

static void jumps_are_gaps(void)
{
    source_options o = timed_options(0);
    CHECK(help_gives(&o, "0,1\n1,2\n2,3\n7,4\n8,5\n14,6\n15,7\n",
                     "@0 1 | @1 2 | @2 3 | @7 4 | @8 5 | @nan nan | @14 6 | @15 7"
                     " ~ a gap: no samples from 8.000 to 14.000"));
    CHECK(help_gives(&o, "0,1\n1,2\n0.5,3\n1.5,4\n",
                     "@0 1 | @1 2 | @nan nan | @0.5 3 | @1.5 4"
                     " ~ a gap: time 0.500 comes after 1.000"));
}

static void lines_without_a_time_make_no_jump_longer(void)
{
    source_options o = timed_options(0);
    o.skip_bad = true;
    help_input in = {"0,1\n1,2\n2,3\nx\nx\n9,4\n", 20, 0, false};
    help_result r = help_run(&in, &o);
    CHECK(r.n == 6 && r.times[5].seconds == 9); /* 7 s, of which 2 have lines */
    help_free(&r);
}

static void gaps_are_reported_up_to_a_number(void)
{
    source_options o = timed_options(0);
    char text[1024] = "";
    for (int i = 0; i < 32; i++) /* 20 steps of 1 s, and then 11 of 10 s */
        snprintf(text + strlen(text), 16, "%d,1\n", i < 20 ? i : 10 * i - 180);
    help_input in = {text, strlen(text), 0, false};
    help_result r = help_run(&in, &o);
    size_t n = 0;
    for (const char *at = r.warnings; (at = strstr(at, "a gap")); at++) n++;
    CHECK(n == 8 && strstr(r.warnings, "to 100.000; further gaps are not reported; --fill"));
    help_free(&r);
}

static void short_gaps_are_filled(void)
{
    source_options o = timed_options(6);
    CHECK(help_gives(&o, "0,1\n1,1\n2,1\n9,8\n",
                     "@0 1 | @1 1 | @2 1 | @3 2 | @4 3 | @5 4 | @6 5 | "
                     "@7 6 | @8 7 | @9 8"));
    CHECK(help_gives(&o, "0,1\n1,1\n2,1\n8.6,8\n",
                     "@0 1 | @1 1 | @2 1 | @2.9 2 | @3.9 3 | @4.8 4 | @5.8 5 | @6.7 6 | @7.7 7 | "
                     "@8.6 8"));
    CHECK(help_gives(&o, "0,1\n1,1\n2,1\n10,8\n",
                     "@0 1 | @1 1 | @2 1 | @nan nan | @10 8 ~ a gap: no "
                     "samples from 2.000 to 10.000"));
    CHECK(help_gives(&o, "0,1\n1,nan\n2,3\n1,nan\n2,5\n",
                     "@0 1 | @1 2 | @2 3 | @nan nan | @1 nan | @2 5"
                     " ~ a gap: time 1.000 comes after 2.000"));
}

/* Regression: a match that began in a bridged line had no time. */
static void bridged_lines_without_a_time_get_one(void)
{
    source_options o = timed_options(3);
    o.skip_bad = true;
    CHECK(help_gives(&o, "0,1\n1,2\nx\nx,3\n4,5\n",
                     "@0 1 | @1 2 | @2 3 | @3 4 | @4 5 ~ line 3: 'x' is not a time: skipped"
                     " ~ line 4: 'x' is not a time: skipped"));
    CHECK(
        help_gives(&o, "0,1\n1,2\n2,3\nx,4\n10,5\n",
                   "@0 1 | @1 2 | @2 3 | @nan nan | @nan nan | @10 5 ~ line 4: 'x' is not a time: "
                   "skipped ~ a gap: no samples from 2.000 to 10.000"));
    o.fill_s = 1;
    CHECK(help_gives(&o, "0,1\n1,2\nx,2\nx,3\n4,5\n",
                     "@0 1 | @1 2 | @nan nan | @nan nan | @4 5 ~ line 3: 'x' is not a time: skipped"
                     " ~ line 4: 'x' is not a time: skipped"));
}

static void runs_are_filled_without_times(void)
{
    static const float samples[] = {1, NAN, 3, NAN, NAN, 6, 6, 6, 6, INFINITY};
    source_options o = help_options(SOURCE_F32);
    o.fill_s = 0.1;
    o.rate_hz = 10;
    CHECK(help_gives_bytes(&o, samples, sizeof samples,
                           "1 | 2 | 3 | nan | nan | 6 | 6 | 6 | 6 | inf"));
    o.fill_s = 0.2;
    CHECK(help_gives_bytes(&o, samples, sizeof samples, "1 | 2 | 3 | 4 | 5 | 6 | 6 | 6 | 6 | inf"));
    o.fill_s = 1e9;
    CHECK(help_gives_bytes(&o, samples, sizeof samples,
                           "!! --fill 1e+09 means 1e+10 values, more than 16777216"));
}

static void frames_that_wait_come_before_an_error(void)
{
    source_options o = timed_options(9);
    CHECK(help_gives(&o, "0,1\n1,nan\n2,x\n",
                     "@0 1 | @1 nan | ! line 3: 'x' is not a number" HELP_ADVICE));
}

/* Regression: the median step was 0, so that no pause was a gap. */
static void rows_of_one_stamp_share_its_interval(void)
{
    source_options o = timed_options(0);
    CHECK(help_gives(&o, "5,1\n5,2\n6,3\n6,4\n7,5\n7,6\n9,7\n9,8\n",
                     "@5 1 | @5.5 2 | @6 3 | @6.5 4 | @7 5 | @7.5 6 | @9 7 | @9.5 8"));
    CHECK(help_gives(&o, "5,1\n6,3\n6,4\n7,5\n7,6\n99,7\n99,8\n",
                     "@5 1 | @6 3 | @6.5 4 | @7 5 | @7.5 6 | @nan nan | @99 7 | @99.5 8"
                     " ~ a gap: no samples from 7.500 to 99.000"));
    o.fill_s = 3;
    CHECK(help_gives(&o, "5,1\n6,3\n6,4\n7,5\n7,6\n11,13\n11,14\n",
                     "@5 1 | @6 3 | @6.5 4 | @7 5 | @7.5 6 | @8 7 | @8.5 8 | @9 9 | @9.5 10 | "
                     "@10 11 | @10.5 12 | @11 13 | @11.5 14"));
    CHECK(rate_of(o, "5,1\n6,3\n6,4\n7,5\n7,6\n", "") == 2);
    o.rate_hz = 2.5; /* within what five rows can say */
    CHECK(rate_of(o, "5,1\n6,3\n6,4\n7,5\n7,6\n", "") == 2.5);
    o.rate_hz = 20;
    CHECK(rate_of(o, "5,1\n6,3\n6,4\n7,5\n7,6\n",
                  " ~ the rate that is given is 20 Hz, but that of the time column is 2 Hz") == 20);
}

static void numbers_may_be_dates(void)
{
    source_options o = timed_options(0);
    CHECK(rate_of(o, "20260131,1\n20260201,1\n20260202,1\n", "") == 1e9 / 86400e9);
    CHECK(rate_of(o, "20260131235959,1\n20260201000000,1\n", "") == 1);
    CHECK(rate_of(o, "1767268800000000,1\n1767268800100000,1\n", "") == 10);
    CHECK(rate_of(o, "1767268800000000000,1\n1767268800100000000,1\n", "") == 10);
}

/* 70 days of 2026 and then a number that is none; nothing ends the input. */
static void a_number_that_is_no_date_is_bad(void)
{
    source_options o = timed_options(0);
    char text[2048] = "";
    for (int i = 0; i < 75; i++)
        snprintf(text + strlen(text), 16, "2026%02d%02d,1\n", 1 + i / 25, 1 + i % 25);
    snprintf(text + strlen(text), 32, "20260399,1\n20260401,2\n");
    help_input in = {text, strlen(text), 0, false};
    help_result r = help_run(&in, &o);
    CHECK(r.failed && strcmp(r.error, "time 20260399.000 is no date as those before, such as "
                                      "20260131" HELP_ADVICE) == 0);
    help_free(&r);
    o.skip_bad = true;
    r = help_run(&in, &o);
    CHECK(!r.failed && r.n == 79 && isnan(r.values[r.n - 3]) && r.values[r.n - 1] == 2);
    help_free(&r);
}

static void zones_are_not_mixed(void)
{
    source_options o = timed_options(0);
    CHECK(help_gives(&o, "2026-01-01T00:00Z,1\n2026-01-01T00:01,2\n",
                     "!! time 2026-01-01T00:01:00.000 has no zone, but the first has" HELP_ADVICE));
    CHECK(help_gives(&o, "2026-01-01T00:00,1\n2026-01-01T00:01Z,2\n",
                     "!! time 2026-01-01T00:01:00.000Z has a zone, but not the first" HELP_ADVICE));
}

int main(void)
{
    RUN(the_rate_is_that_of_the_steps);
    RUN(uneven_rows_become_even_samples);
    RUN(samples_of_the_first_rows_have_a_bound);
    RUN(a_table_with_the_newest_row_first_is_reported);
    RUN(a_rate_that_is_given_counts);
    RUN(a_rate_that_is_near_is_taken);
    RUN(jumps_are_gaps);
    RUN(lines_without_a_time_make_no_jump_longer);
    RUN(gaps_are_reported_up_to_a_number);
    RUN(short_gaps_are_filled);
    RUN(bridged_lines_without_a_time_get_one);
    RUN(runs_are_filled_without_times);
    RUN(frames_that_wait_come_before_an_error);
    RUN(rows_of_one_stamp_share_its_interval);
    RUN(numbers_may_be_dates);
    RUN(a_number_that_is_no_date_is_bad);
    RUN(zones_are_not_mixed);
    return check_done();
}
