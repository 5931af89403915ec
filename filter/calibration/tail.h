/*
 * tail.h - a threshold for a wanted rate of false alarms, from the minima of the score over a
 * background in which the word is not said.
 *
 * Peaks over threshold: of n minima in T hours the k lowest lie below u, the next one; how far
 * below follows, for any usual distribution, a generalised Pareto law (Pickands, "Statistical
 * inference using extreme order statistics", Annals of Statistics 3, 1975; Coles, "An
 * introduction to statistical modeling of extreme values", 2001, chapter 4). Its shape is taken to
 * be 0, the exponential law: estimated from a few dozen values it does more harm than good
 * (docs/lab/calibration.md). So the false alarms an hour at threshold x are
 *
 *     rate(x) = k/T exp(-(u - x) / scale)
 *
 * with the mean of u - s over the k scores s for scale, its maximum likelihood.
 */
#ifndef FILTER_CALIBRATION_TAIL_H
#define FILTER_CALIBRATION_TAIL_H

#include <stdbool.h>
#include <stddef.h>

/* So many minima there must be at least. */
enum { TAIL_LEAST = 40 };

typedef struct {
    double u, scale;
    double hours;
    size_t k; /* minima below u */
} tail_fit;

typedef struct {
    tail_fit fit;
    double threshold;
    double low, high;           /* 95 % interval of the threshold */
    double rate_low, rate_high; /* of the false alarms an hour at it */
    bool is_extrapolated;       /* fewer than one false alarm is to be expected in these hours */
} tail_result;

/* The threshold that gives so many false alarms an hour, and the rate that a threshold gives. */
double tail_threshold(const tail_fit *fit, double per_hour);
double tail_rate(const tail_fit *fit, double threshold);

/* The threshold for per_hour > 0 with its intervals, by 1000 samples drawn from the fit (parametric
 * bootstrap) with a fixed seed. Sorts `scores`, n >= TAIL_LEAST. false without memory. */
bool tail_calibrate(tail_result *result, double *scores, size_t n, double hours, double per_hour);

#endif
