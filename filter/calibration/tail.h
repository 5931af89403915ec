/*
 * tail.h - the threshold for a wanted rate of false alarms, from the scores of candidates in a
 * background.
 *
 *     candidates an hour (log)
 *      ^                    ____----   all n scores of T hours
 *      |               _o--o
 *      |           o /'               the k lowest scores, below u: the tail
 *      |         /                    the law, a straight line, fitted to these k
 *      +-------|---------|---------> score
 *          threshold     u
 *
 * Peaks over threshold: how far scores lie below u follows a generalised Pareto law, for any usual
 * distribution (Pickands, "Statistical inference using extreme order statistics", Annals of
 * Statistics 3, 1975). Coles, "An introduction to statistical modeling of extreme values", 2001,
 * chapter 4, explains the method. We fix the law's shape at 0, which makes it exponential: a few
 * dozen scores cannot estimate the shape (docs/lab/calibration.md). The false alarms an hour at
 * threshold x are
 *
 *     rate(x) = k/T exp(-(u - x) / scale)
 *
 * The maximum likelihood for scale is the mean of u - s over the k scores s.
 *
 * A prior is such a law, too, known before the background, with hours of its own. Then the rate at
 * x is that of both:
 *
 *     rate(x) = (T tail(x) + T0 prior(x)) / (T + T0)
 *
 * So after minutes the prior rules, and after hours the background.
 */
#ifndef FILTER_CALIBRATION_TAIL_H
#define FILTER_CALIBRATION_TAIL_H

#include "filter/bundle/bundle.h"

/* The least number of scores for a fit. */
enum { TAIL_LEAST = 40 };

typedef struct {
    double u, scale;
    double hours;
    double k; /* scores below u */
} tail_fit;

typedef struct {
    tail_fit fit;
    double threshold;
    double alone;               /* the threshold without the prior */
    double low, high;           /* 95 % interval of the threshold */
    double rate_low, rate_high; /* of the false alarms an hour at it, in such a background */
    bool is_extrapolated;       /* less than one false alarm is to be expected in these hours */
} tail_result;

/* The threshold for a rate of false alarms, and the rate at a threshold. */
double tail_threshold(const tail_fit *fit, double per_hour);
double tail_rate(const tail_fit *fit, double threshold);

/* The threshold for per_hour > 0 with its intervals. They come from 1000 samples of the fit, with a
 * fixed seed (parametric bootstrap). rate_high is at least that of 3 alarms in these hours. prior:
 * NULL if none is known. Sorts `scores`, n >= TAIL_LEAST. false without memory. */
bool tail_calibrate(tail_result *result, double *scores, size_t n, double hours, double per_hour,
                    const tail_fit *prior);

/*
 * The prior: what is known of a label's false alarms before any background: those in foreign
 * speech.
 *
 * A level is a take's usual lowest score in a minute of foreign speech
 * (filter/background/background.h). In hours of other foreign voices, a label of n takes whose mean
 * level is L has about these false alarms an hour at threshold x:
 *
 *     rate(x) = C n^p exp(s (x / (f L) - 1))        f: stage_ops, auto_factor
 *
 * docs/lab/calibration.md measures C, p and s, and how many hours of background this is worth.
 */

/* The law of a label of this bundle, as a fit to so many hours. False, and *prior stays, if nothing
 * is known: if a take has no level, or if takes must agree. */
bool prior_find(tail_fit *prior, const bundle *b, const bundle_label *label);

#endif
