#include "io/live/mic_clock.h"

#include <math.h>

#include "check.h"

enum { RATE = 48000, BUFFER = 1024 };

/* A microphone that makes a buffer whenever one is due by its own clock. Each arrives late by a
 * random time below jitter_s. */
typedef struct {
    mic_clock clock;
    uint64_t seed;
    double speed;      /* of its clock; 1: exact */
    double jitter_s;   /* the maximum */
    double made_s;     /* when the next buffer is complete */
    double now_s;      /* when the last one arrived */
    uint64_t lost;     /* reported so far */
    double reported_s; /* time of the last report */
} model;

static model start(double speed, double jitter_s)
{
    model m = {.speed = speed, .jitter_s = jitter_s, .seed = 7, .now_s = 1e6, .made_s = 1e6};
    mic_clock_init(&m.clock, RATE);
    return m;
}

static void arrive(model *m, double at_s, bool overflow)
{
    if (at_s > m->now_s) m->now_s = at_s;
    uint64_t lost = mic_clock_note(&m->clock, m->now_s, BUFFER, overflow);
    if (lost) m->reported_s = m->now_s;
    m->lost += lost;
}

static void run(model *m, double seconds)
{
    for (double end = m->made_s + seconds; m->made_s < end;) {
        m->made_s += BUFFER / (RATE * m->speed);
        double random = (double)check_below(&m->seed, 1000000) / 1e6;
        arrive(m, m->made_s + m->jitter_s * random * random, false);
    }
}

/* Nothing arrives for a while; then the newest `kept_s` of it come at once. */
static void stall(model *m, double seconds, double kept_s)
{
    double end = m->made_s + seconds;
    while (m->made_s < end - kept_s) m->made_s += BUFFER / (RATE * m->speed);
    while (m->made_s < end) {
        m->made_s += BUFFER / (RATE * m->speed);
        arrive(m, end, false);
    }
}

static void no_microphone_loses_by_its_clock_alone(void)
{
    const double speeds[] = {1, 1.0003, 0.9997, 1.001, 0.999};
    for (size_t i = 0; i < 5; i++) {
        model m = start(speeds[i], 0.08);
        run(&m, 4 * 3600.0);
        CHECK_MSG(m.lost == 0, "speed %g: %llu", speeds[i], (unsigned long long)m.lost);
    }
}

static void late_samples_are_not_lost(void)
{
    model m = start(1.0001, 0.02);
    run(&m, 10);
    stall(&m, 8, 8);
    run(&m, 10);
    stall(&m, 0.7, 0.7);
    run(&m, 10);
    CHECK(m.lost == 0);
}

static bool finds(model *m, double lost_s, double since_s)
{
    double found_s = (double)m->lost / RATE, after_s = m->reported_s - since_s;
    bool good = fabs(found_s - lost_s) < 0.05 && after_s > 0 && after_s < 1;
    if (!good) fprintf(stderr, "%g s instead of %g s, after %g s\n", found_s, lost_s, after_s);
    m->lost = 0;
    return good;
}

static void a_stall_is_reported_within_a_second(void)
{
    const double lost_s[] = {2.55, 0.1, 8, 0.3};
    model m = start(0.9998, 0.03);
    for (size_t i = 0; i < 4; i++) {
        run(&m, 5);
        CHECK(m.lost == 0);
        stall(&m, 8, 8 - lost_s[i]);
        double since_s = m.made_s;
        run(&m, 1.2);
        CHECK(finds(&m, lost_s[i], since_s));
        run(&m, 20);
        CHECK(m.lost == 0);
    }
}

static void a_stall_at_the_start_counts(void)
{
    model m = start(1, 0.01);
    run(&m, 0.1);
    stall(&m, 1.5, 0);
    double since_s = m.made_s;
    run(&m, 2);
    CHECK(finds(&m, 1.5, since_s));
}

static void many_small_losses_add_up(void)
{
    model m = start(1, 0);
    run(&m, 1);
    for (int i = 0; i < 100; i++) {
        stall(&m, 0.03, 0);
        run(&m, 2);
    }
    double lost_s = (double)m.lost / RATE, true_s = 100 * BUFFER * 2.0 / RATE;
    CHECK_MSG(lost_s > 0.8 * true_s && lost_s <= true_s + 0.05, "%g of %g", lost_s, true_s);
}

static void an_overflow_is_reported_at_once(void)
{
    model m = start(1, 0);
    run(&m, 3);
    uint64_t lost = mic_clock_note(&m.clock, m.now_s + 0.5 + (double)BUFFER / RATE, BUFFER, true);
    CHECK_MSG(fabs((double)lost / RATE - 0.5) < 0.001, "%llu", (unsigned long long)lost);
    m.made_s += 0.5 + (double)BUFFER / RATE;
    run(&m, 10);
    CHECK(m.lost == 0);
    /* An overflow although nothing is late: one sample, so that there is a gap. */
    m.made_s += (double)BUFFER / RATE;
    arrive(&m, m.made_s, true);
    CHECK(m.lost == 1);
}

int main(void)
{
    RUN(no_microphone_loses_by_its_clock_alone);
    RUN(late_samples_are_not_lost);
    RUN(a_stall_is_reported_within_a_second);
    RUN(a_stall_at_the_start_counts);
    RUN(many_small_losses_add_up);
    RUN(an_overflow_is_reported_at_once);
    return check_done();
}
