/* filter/calibration/tail.c: laws whose thresholds are known. */
#include "filter/calibration/tail.h"

#include <math.h>

#include "tests/check.h"

enum { N = 2000 };

/* The score below which a part p of the minima lies. */
static double exponential(double p)
{
    return 8 + 0.5 * log(p);
}

/* The same for a law that ends at 5. */
static double uniform(double p)
{
    return 5 + 3 * p;
}

typedef double law(double p);

static void fill(double *scores, law *quantile)
{
    for (size_t i = 0; i < N; i++) scores[i] = quantile(((double)i + 0.5) / N);
}

/* 200 minima an hour: 2 of them are a hundredth. */
static void the_threshold_gives_the_wanted_rate(void)
{
    static double scores[N];
    tail_result r;
    fill(scores, exponential);
    CHECK(tail_calibrate(&r, scores, N, 10, 2, NULL));
    CHECK_MSG(fabs(r.threshold - exponential(0.01)) < 0.02, "%g", r.threshold);
    CHECK(!r.is_extrapolated && r.low < r.threshold && r.threshold < r.high);
    CHECK(r.rate_low < 2 && 2 < r.rate_high);
    CHECK(tail_calibrate(&r, scores, N, 10, 0.02, NULL));
    CHECK(r.is_extrapolated);
    CHECK_MSG(fabs(r.threshold - exponential(0.0001)) < 0.1, "%g", r.threshold);
}

/* Extrapolated beyond the end of a law, the threshold is too low rather than too high. */
static void a_law_that_ends_gives_no_more_than_is_wanted(void)
{
    static double scores[N];
    tail_result r;
    fill(scores, uniform);
    for (double rate = 0.001; rate <= 0.1; rate *= 2) {
        CHECK(tail_calibrate(&r, scores, N, 10, rate, NULL));
        CHECK_MSG(r.threshold < scores[0], "%g at %g", r.threshold, rate);
    }
}

static void rate_and_threshold_are_inverse(void)
{
    const tail_fit fit = {.u = 7, .scale = 0.4, .hours = 3, .k = 60};
    CHECK(fabs(tail_rate(&fit, 7) - 20) < 1e-12);
    for (double rate = 0.01; rate < 20; rate *= 3)
        CHECK(fabs(tail_rate(&fit, tail_threshold(&fit, rate)) / rate - 1) < 1e-9);
}

/* The 95 % interval holds the true threshold in about 95 % of 200 backgrounds. */
static void the_interval_is_honest(void)
{
    static double scores[N];
    uint64_t seed = 7;
    size_t thresholds = 0, rates = 0;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < N; i++)
            scores[i] = exponential(((double)(check_random(&seed) >> 11) + 0.5) * 0x1p-53);
        tail_result r;
        CHECK(tail_calibrate(&r, scores, N, 10, 2, NULL));
        const double truth = exponential(0.01);
        thresholds += r.low <= truth && truth <= r.high;
        const double rate = 200 * exp((r.threshold - 8) / 0.5);
        rates += r.rate_low <= rate && rate <= r.rate_high;
    }
    CHECK_MSG(thresholds >= 176, "%zu of 200", thresholds);
    CHECK_MSG(rates >= 176, "%zu of 200", rates);
}

static void equal_scores_have_one_threshold(void)
{
    double scores[TAIL_LEAST];
    for (size_t i = 0; i < TAIL_LEAST; i++) scores[i] = 3;
    tail_result r;
    CHECK(tail_calibrate(&r, scores, TAIL_LEAST, 1, 1, NULL));
    CHECK(r.threshold == 3 && r.low == 3 && r.high == 3);
}

/* A prior of the same law changes nothing. Another one draws the threshold towards its own: the
 * mean of both rates, weighted by hours, is the wanted one. */
static void a_prior_counts_by_its_hours(void)
{
    static double scores[N];
    tail_result r;
    for (double hours = 1; hours <= 100; hours *= 10) {
        const tail_fit prior = {.u = 3, .scale = 0.1, .hours = 0.5, .k = 0.5};
        fill(scores, exponential);
        CHECK(tail_calibrate(&r, scores, N, hours, 1, NULL) && r.threshold == r.alone);
        const double alone = r.threshold;
        tail_fit same = r.fit;
        same.hours = 0.5;
        same.k *= 0.5 / hours;
        CHECK(tail_calibrate(&r, scores, N, hours, 1, &same) && r.alone == alone);
        CHECK_MSG(fabs(r.threshold - alone) < 1e-9, "%g, not %g", r.threshold, alone);
        CHECK(tail_calibrate(&r, scores, N, hours, 1, &prior));
        const double alarms =
            hours * tail_rate(&r.fit, r.threshold) + 0.5 * tail_rate(&prior, r.threshold);
        CHECK_MSG(fabs(alarms / (hours + 0.5) - 1) < 1e-6, "%g", alarms);
        CHECK(r.threshold < alone && r.low <= r.threshold && r.threshold <= r.high);
    }
}

/* Ninety seconds without an alarm do not tell whether there are 3 / T an hour, prior or not. */
static void a_short_background_claims_no_rate_that_it_cannot_know(void)
{
    static double scores[N];
    const tail_fit prior = {.u = 3, .scale = 0.1, .hours = 0.5, .k = 0.5};
    tail_result r;
    for (double per_hour = 1e-3; per_hour <= 10; per_hour *= 10) {
        fill(scores, exponential);
        CHECK(tail_calibrate(&r, scores, N, 0.025, per_hour, &prior));
        CHECK_MSG(r.rate_high >= 120 && r.is_extrapolated, "%g", r.rate_high);
        CHECK(tail_calibrate(&r, scores, N, 0.025, per_hour, NULL));
        CHECK_MSG(r.rate_high >= 120 && r.is_extrapolated, "%g", r.rate_high);
    }
    CHECK(tail_calibrate(&r, scores, N, 10, 1, &prior) && !r.is_extrapolated);
}

int main(void)
{
    RUN(the_threshold_gives_the_wanted_rate);
    RUN(a_law_that_ends_gives_no_more_than_is_wanted);
    RUN(rate_and_threshold_are_inverse);
    RUN(the_interval_is_honest);
    RUN(equal_scores_have_one_threshold);
    RUN(a_prior_counts_by_its_hours);
    RUN(a_short_background_claims_no_rate_that_it_cannot_know);
    return check_done();
}
