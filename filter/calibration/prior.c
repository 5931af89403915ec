#include "filter/calibration/prior.h"

#include <math.h>

#include "filter/features/front_end.h"

/* Chosen on one voice's words in seven voices: docs/lab/calibration.md. */
static const double RATE = 2, POWER = 0.5, STEEPNESS = 39; /* C, p and s */
static const double PRIOR_HOURS = 0.5;

/* Of the bundle's front end; 0: it is not for sounds. */
static double auto_factor_of(const bundle *b)
{
    front_end *chain;
    const frame_shape in = {b->channels, b->rate_hz > 0 ? b->rate_hz : 1};
    if (front_end_create(&chain, b->front_end, in, 1, NULL)) return 0;
    const double factor = front_end_auto_factor(chain);
    front_end_destroy(chain);
    return factor;
}

bool prior_find(tail_fit *prior, const bundle *b, const bundle_label *label)
{
    double sum = 0;
    for (size_t k = 0; k < label->n_takes; k++) {
        if (!(label->takes[k].level > 0)) return false;
        sum += label->takes[k].level;
    }
    const double factor = label->min_matches > 1 ? 0 : auto_factor_of(b);
    const double usual = factor * sum / (double)label->n_takes;
    *prior = (tail_fit){.u = usual,
                        .scale = usual / STEEPNESS,
                        .hours = PRIOR_HOURS,
                        .k = PRIOR_HOURS * RATE * pow((double)label->n_takes, POWER)};
    return factor > 0;
}
