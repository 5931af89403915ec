#include "filter/calibration/tail.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "filter/ascending.h"

/* Chosen on speech: docs/lab/calibration.md. */
static const double TAIL_PART = 0.01; /* of all scores */
enum { TAIL_MANY = 30, SAMPLES = 1000, HALVINGS = 60 };

/* The most alarms to expect, at 95 %, if none are counted: exp(-3) = 0.05 (the rule of three). */
static const double UNSEEN = 3;

static double mean_below(double u, const double *scores, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++) sum += u - scores[i];
    return sum / (double)k;
}

/* The fit to the k lowest of more than k ascending scores. */
static tail_fit fit_lowest(const double *scores, size_t k, double hours)
{
    const double u = scores[k];
    return (tail_fit){.u = u, .scale = mean_below(u, scores, k), .hours = hours, .k = (double)k};
}

double tail_threshold(const tail_fit *fit, double per_hour)
{
    return fit->u - fit->scale * log(fit->k / (fit->hours * per_hour));
}

double tail_rate(const tail_fit *fit, double threshold)
{
    const double base = fit->k / fit->hours;
    if (!(fit->scale > 0)) return threshold < fit->u ? 0 : base;
    return base * exp((threshold - fit->u) / fit->scale);
}

static double joint_rate(const tail_fit *fit, const tail_fit *prior, double threshold)
{
    const double alarms =
        fit->hours * tail_rate(fit, threshold) + prior->hours * tail_rate(prior, threshold);
    return alarms / (fit->hours + prior->hours);
}

/* The threshold at which both together have the rate. It lies between those of each. */
static double joint_threshold(const tail_fit *fit, const tail_fit *prior, double per_hour)
{
    const double own = tail_threshold(fit, per_hour);
    if (!prior) return own;
    const double other = tail_threshold(prior, per_hour);
    double low = fmin(own, other), high = fmax(own, other);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if (joint_rate(fit, prior, middle) < per_hour)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A number in (0, 1), by Knuth's MMIX generator. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

/* A Poisson number with mean m, approximated by a normal law, since m is 30 or more. */
static size_t draw_count(uint64_t *seed, double m)
{
    const double normal = sqrt(-2 * log(draw(seed))) * cos(6.283185307179586 * draw(seed));
    const double n = round(m + sqrt(m) * normal);
    return n < 1 ? 1 : (size_t)n;
}

/* The fit to another background of the same kind. */
static tail_fit draw_fit(const tail_fit *fit, uint64_t *seed)
{
    const size_t k = draw_count(seed, fit->k);
    double sum = 0;
    for (size_t i = 0; i < k; i++) sum -= fit->scale * log(draw(seed));
    return (tail_fit){.u = fit->u, .scale = sum / (double)k, .hours = fit->hours, .k = (double)k};
}

static bool find_intervals(tail_result *r, const tail_fit *prior, double per_hour)
{
    double *thresholds = malloc(2 * SAMPLES * sizeof *thresholds);
    uint64_t seed = 1;
    if (!thresholds) return false;
    double *rates = thresholds + SAMPLES;
    for (size_t i = 0; i < SAMPLES; i++) {
        const tail_fit other = draw_fit(&r->fit, &seed);
        thresholds[i] = joint_threshold(&other, prior, per_hour);
        rates[i] = tail_rate(&other, r->threshold);
    }
    qsort(thresholds, SAMPLES, sizeof *thresholds, ascending);
    qsort(rates, SAMPLES, sizeof *rates, ascending);
    const size_t edge = SAMPLES / 40;
    r->low = thresholds[edge];
    r->high = thresholds[SAMPLES - 1 - edge];
    r->rate_low = rates[edge];
    r->rate_high = fmax(rates[SAMPLES - 1 - edge], UNSEEN / r->fit.hours);
    free(thresholds);
    return true;
}

/* How many scores are the tail: a part of all, and at least twice the false alarms wanted. */
static size_t tail_size(size_t n, double wanted)
{
    double k = fmax(fmax(TAIL_MANY, TAIL_PART * (double)n), ceil(2 * wanted) + 1);
    return k < (double)n ? (size_t)k : n - 1;
}

bool tail_calibrate(tail_result *result, double *scores, size_t n, double hours, double per_hour,
                    const tail_fit *prior)
{
    qsort(scores, n, sizeof *scores, ascending);
    const size_t k = tail_size(n, per_hour * hours);
    *result =
        (tail_result){.fit = fit_lowest(scores, k, hours), .is_extrapolated = per_hour * hours < 1};
    result->alone = tail_threshold(&result->fit, per_hour);
    result->threshold = joint_threshold(&result->fit, prior, per_hour);
    return find_intervals(result, prior, per_hour);
}

/* Chosen on one voice's words in seven voices: docs/lab/calibration.md. */
static const double RATE = 2, POWER = 0.5, STEEPNESS = 43; /* C, p and s */
static const double PRIOR_HOURS = 0.5;

bool prior_find(tail_fit *prior, const bundle *b, const bundle_label *label)
{
    const double factor = b->print.last_stage->auto_factor;
    double sum = 0;
    if (!(factor > 0) || label->min_matches > 1) return false;
    for (size_t k = 0; k < label->n_takes; k++) {
        if (!(label->takes[k].level > 0)) return false;
        sum += label->takes[k].level;
    }
    const double usual = factor * sum / (double)label->n_takes;
    *prior = (tail_fit){.u = usual,
                        .scale = usual / STEEPNESS,
                        .hours = PRIOR_HOURS,
                        .k = PRIOR_HOURS * RATE * pow((double)label->n_takes, POWER)};
    return true;
}
