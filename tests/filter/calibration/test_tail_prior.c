/* filter/calibration/tail.c: laws of labels with and without levels. */
#include "filter/calibration/tail.h"

#include <math.h>

#include "tests/check.h"

enum { MOST = 5 };

static bundle_take takes[MOST];

static bool find(tail_fit *prior, const char *spec, size_t n, size_t min_matches)
{
    const frame_shape in = {1, 16000};
    bundle b = {0};
    const bundle_label label = {.takes = takes, .n_takes = n, .min_matches = min_matches};
    CHECK(front_end_find_last(&b.print.last_stage, spec, in, NULL) == SIGREP_OK);
    return prior_find(prior, &b, &label);
}

static void fill(double level)
{
    for (size_t k = 0; k < MOST; k++) takes[k].level = level;
}

static void the_threshold_follows_the_level(void)
{
    tail_fit a, b;
    fill(7);
    CHECK(find(&a, "speech", 1, 1));
    fill(14);
    CHECK(find(&b, "speech", 1, 1));
    for (double rate = 0.01; rate < 100; rate *= 10)
        CHECK(fabs(tail_threshold(&b, rate) / tail_threshold(&a, rate) - 2) < 1e-12);
    CHECK_MSG(fabs(tail_rate(&a, 0.80 * 7) - 2) < 0.1, "%g", tail_rate(&a, 0.80 * 7));
}

static void more_takes_have_more_false_alarms(void)
{
    tail_fit one, five;
    fill(7);
    CHECK(find(&one, "speech", 1, 1) && find(&five, "speech", 5, 1));
    CHECK(tail_rate(&five, 5.6) > 2 * tail_rate(&one, 5.6));
    CHECK(tail_threshold(&five, 1) < tail_threshold(&one, 1));
}

static void the_mean_level_counts(void)
{
    tail_fit mean, all;
    fill(7);
    CHECK(find(&all, "speech", 2, 1));
    takes[0].level = 6;
    takes[1].level = 8;
    CHECK(find(&mean, "speech", 2, 1) && mean.u == all.u && mean.scale == all.scale);
}

static void nothing_is_known_without_levels(void)
{
    tail_fit prior;
    fill(7);
    takes[1].level = 0;
    CHECK(!find(&prior, "speech", 2, 1) && find(&prior, "speech", 1, 1));
    fill(7);
    CHECK(!find(&prior, "speech", 2, 2)); /* takes that must agree */
    CHECK(!find(&prior, "raw", 2, 1));
}

int main(void)
{
    RUN(the_threshold_follows_the_level);
    RUN(more_takes_have_more_false_alarms);
    RUN(the_mean_level_counts);
    RUN(nothing_is_known_without_levels);
    return check_done();
}
