#include "filter/calibration/prior.h"

#include <math.h>

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
