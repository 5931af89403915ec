#include "dev/bench/race.h"

#include "tools/common/median.h"

static double seconds_between(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

stopwatch stopwatch_start(void)
{
    stopwatch now;
    clock_gettime(CLOCK_MONOTONIC, &now.wall);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now.cpu);
    return now;
}

lap stopwatch_read(const stopwatch *begin)
{
    stopwatch now = stopwatch_start();
    return (lap){seconds_between(begin->wall, now.wall), seconds_between(begin->cpu, now.cpu)};
}

static double seconds(const lap *l, race_clock clock)
{
    double s = clock == BY_CPU ? l->cpu_s : l->wall_s;
    return s > 1e-9 ? s : 1e-9;
}

/* How many loops take lap_s? The first ones also touch all memory. */
static bool calibrate(race_case *c, double lap_s)
{
    lap spent = {0};
    c->loops = 1;
    if (!c->run(c->self, 1, &spent)) return false;
    while (seconds(&spent, c->clock) < lap_s) {
        if (!c->run(c->self, c->loops, &spent)) return false;
        double more = lap_s / seconds(&spent, c->clock);
        if (more < 1.3) break;
        c->loops = (size_t)((double)c->loops * (more < 8 ? more : 8)) + 1;
    }
    return true;
}

bool race_run(race_case *cases, size_t n, size_t rounds, double lap_s)
{
    for (size_t i = 0; i < n; i++) {
        if (!calibrate(&cases[i], lap_s)) return false;
        cases[i].rounds = rounds;
    }
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < n; i++)
            if (!cases[i].run(cases[i].self, cases[i].loops, &cases[i].laps[round])) return false;
    return true;
}

static double rate(const race_case *c, size_t round, race_clock clock)
{
    return c->cells * (double)c->loops / seconds(&c->laps[round], clock);
}

double race_median(const race_case *c)
{
    double rates[RACE_MAX_ROUNDS] = {0};
    for (size_t i = 0; i < c->rounds; i++) rates[i] = rate(c, i, c->clock);
    return median(rates, c->rounds);
}

double race_best(const race_case *c)
{
    double best = 0;
    for (size_t i = 0; i < c->rounds; i++)
        if (rate(c, i, c->clock) > best) best = rate(c, i, c->clock);
    return best;
}

static double ratio(const race_case *a, race_clock clock_a, const race_case *b, race_clock clock_b)
{
    double ratios[RACE_MAX_ROUNDS] = {0};
    for (size_t i = 0; i < a->rounds; i++) ratios[i] = rate(a, i, clock_a) / rate(b, i, clock_b);
    return median(ratios, a->rounds);
}

double race_ratio(const race_case *a, const race_case *b)
{
    return ratio(a, a->clock, b, b->clock);
}

double race_ratio_by(const race_case *a, const race_case *b, race_clock clock)
{
    return ratio(a, clock, b, clock);
}

double race_cores(const race_case *c)
{
    double cores[RACE_MAX_ROUNDS] = {0};
    for (size_t i = 0; i < c->rounds; i++)
        cores[i] = seconds(&c->laps[i], BY_CPU) / seconds(&c->laps[i], BY_WALL);
    return median(cores, c->rounds);
}
