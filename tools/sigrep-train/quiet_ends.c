#include "tools/sigrep-train/quiet_ends.h"

#include <math.h>
#include <stdio.h>

#include "tools/common/messages/messages.h"

static const double BLOCK_S = 0.01;
enum { RUN = 3 }; /* loud blocks in a row that are sound: a click is none */

/* Takes with an end that is longer than LONGEST_S and lies QUIET_DB below the loudest block:
 *
 *     digits, bare: fsdd, jackson, george, lucas      53 of 750    lucas 32, jackson's "six" 21
 *     phrases of a synthesizer, bare                   0 of 216
 *     digits with 0.15 to 0.4 s of room, 46 dB down   48 of 50
 *     digits with 0.5 to 0.9 s of it; of zeros        50 of 50     each
 *     examples/words/take_*.flac                       6 of 6
 *
 * The 53 have pauses, too. With 30 dB they are 61, among them soft ends of words. */
static const double QUIET_DB = 35, LONGEST_S = 0.25;

typedef struct {
    double before_s, after_s;
} quiet_ends;

/* The power of n samples about their mean, over all channels. So an offset is no sound. */
static double power_of(const float *samples, uint64_t n, size_t channels)
{
    double power = 0;
    for (size_t k = 0; k < channels; k++) {
        double sum = 0, squares = 0;
        for (uint64_t t = 0; t < n; t++) {
            const double x = (double)samples[t * channels + k];
            sum += x;
            squares += x * x;
        }
        const double mean = sum / (double)n;
        power += squares / (double)n - mean * mean;
    }
    return power;
}

/* Of the i-th block of the part that is kept. */
static double block_power(const loaded_template *t, uint64_t block, uint64_t i)
{
    const size_t channels = t->info.channels;
    return power_of(t->samples + (t->begin + i * block) * channels, block, channels);
}

static quiet_ends measure(const loaded_template *t)
{
    const uint64_t block = (uint64_t)fmax(1, round(BLOCK_S * t->info.rate_hz));
    const uint64_t n = template_kept(t) / block;
    double loudest = 0;
    for (uint64_t i = 0; i < n; i++) loudest = fmax(loudest, block_power(t, block, i));
    const double limit = loudest * pow(10, -QUIET_DB / 10);
    uint64_t first = 0, end = 0;
    int run = 0;
    for (uint64_t i = 0; i < n; i++) {
        run = block_power(t, block, i) > limit ? run + 1 : 0;
        if (run < RUN) continue;
        if (!end) first = i + 1 - RUN;
        end = i + 1;
    }
    const double block_s = (double)block / t->info.rate_hz;
    return end ? (quiet_ends){(double)first * block_s, (double)(n - end) * block_s}
               : (quiet_ends){0}; /* only clicks */
}

static void report_worst(const loaded_template *t, quiet_ends ends, size_t n_others)
{
    char others[64] = "";
    if (n_others)
        snprintf(others, sizeof others, " (%zu other take%s such ends, too)", n_others,
                 n_others == 1 ? " has" : "s have");
    report_of(t->path,
              "warning: quiet for %.2f s before its sound and %.2f s after it, so it may be "
              "missed, or other sounds taken for it; sigrep-record -o PREFIX FILE cuts that off%s",
              ends.before_s, ends.after_s, others);
}

void quiet_ends_warn(const template_set *takes)
{
    const loaded_template *worst = NULL;
    quiet_ends ends = {0};
    double longest = LONGEST_S;
    size_t n = 0;
    for (size_t i = 0; i < takes->n; i++) {
        const loaded_template *t = &takes->items[i];
        if (!t->info.audio || !t->info.rate_known) continue;
        const quiet_ends here = measure(t);
        const double longer = fmax(here.before_s, here.after_s);
        n += longer > LONGEST_S;
        if (longer <= longest) continue;
        longest = longer;
        ends = here;
        worst = t;
    }
    if (worst) report_worst(worst, ends, n - 1);
}
