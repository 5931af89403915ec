/*
 * race.h - measures contestants side by side.
 *
 *     calibrate: loops a lap ──> round 1: A B C ──> round 2: A B C ──> ...
 *
 * So a slow second of the machine hits all of them. Rates are medians over the rounds. A ratio is
 * the median of the ratios within each round.
 */
#ifndef DEV_BENCH_RACE_H
#define DEV_BENCH_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { RACE_MAX_ROUNDS = 101 };

/* Seconds on the wall and of the processor (all threads of what ran). */
typedef struct {
    double wall_s, cpu_s;
} lap;

typedef enum { BY_CPU, BY_WALL } race_clock;

typedef struct {
    /* Does the work `loops` times, and sets its time. False: it failed. */
    bool (*run)(void *self, size_t loops, lap *spent);
    void *self;       /* borrowed */
    double cells;     /* of one loop */
    race_clock clock; /* of its own rate; BY_WALL if several threads work */
    size_t loops;     /* set by race_run */
    lap laps[RACE_MAX_ROUNDS];
    size_t rounds;
} race_case;

/* For run: the clocks of this process. */
typedef struct {
    struct timespec wall, cpu;
} stopwatch;
stopwatch stopwatch_start(void);
lap stopwatch_read(const stopwatch *begin);

/* All cases, `rounds` times in turn, each for about lap_s seconds. False: a case failed. */
bool race_run(race_case *cases, size_t n, size_t rounds, double lap_s);

/* Cells a second by the case's own clock. */
double race_median(const race_case *c);
double race_best(const race_case *c);

/* The rate of a over that of b, each by its own clock, or both by `clock`. */
double race_ratio(const race_case *a, const race_case *b);
double race_ratio_by(const race_case *a, const race_case *b, race_clock clock);

/* Processors that worked for the case; fewer than its threads if other programs ran. */
double race_cores(const race_case *c);

#endif
