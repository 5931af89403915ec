/*
 * race.h - contestants measured side by side: after a calibration, every round runs each of
 * them once, so that a slow second of the machine hits them all. Rates are medians over the
 * rounds; ratios are taken within a round, then their median.
 */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

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
    /* Do the work `loops` times and say what it took; false: it failed. */
    bool (*run)(void *self, size_t loops, lap *spent);
    void *self;       /* borrowed */
    double cells;     /* of one loop */
    race_clock clock; /* that of its own rate; BY_WALL where several threads work */
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

/* Processors that the case had at work: below its threads where others worked too. */
double race_cores(const race_case *c);

#endif
