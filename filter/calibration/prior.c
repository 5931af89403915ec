#include "filter/calibration/prior.h"

#include <math.h>

#include "filter/features/front_end.h"

/* Chosen on one voice's words in seven voices: docs/lab/calibration.md. */
static const double RATE = 2, POWER = 0.5, STEEPNESS = 39; /* C, p and s */
static const double PRIOR_HOURS = 0.5;

sigrep_status prior_find(tail_fit *prior, bool *is_known, const bundle *b,
                         const bundle_label *label)
{
    double sum = 0, factor;
    *is_known = false;
    if (label->min_matches > 1) return SIGREP_OK;
    for (size_t k = 0; k < label->n_takes; k++) {
        if (!(label->takes[k].level > 0)) return SIGREP_OK;
        sum += label->takes[k].level;
    }
    const frame_shape in = {b->channels, b->rate_hz > 0 ? b->rate_hz : 1};
    const sigrep_status status = front_end_find_auto_factor(&factor, b->front_end, in, NULL);
    if (status || !(factor > 0)) return status;
    const double usual = factor * sum / (double)label->n_takes;
    *prior = (tail_fit){.u = usual,
                        .scale = usual / STEEPNESS,
                        .hours = PRIOR_HOURS,
                        .k = PRIOR_HOURS * RATE * pow((double)label->n_takes, POWER)};
    *is_known = true;
    return SIGREP_OK;
}
