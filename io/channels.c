#include "io/channels.h"

#include <stdlib.h>

#include "io/source_ops.h"

void channels_free(chosen_channels *c)
{
    free(c->picks);
    *c = (chosen_channels){0};
}

/* Pick the n channels of the list, which counts from 1. */
static bool pick(source *src, const size_t *list, size_t n)
{
    chosen_channels *c = &src->chosen;
    const size_t native = src->native_channels;
    size_t widest = 0;
    for (size_t k = 0; k < n; k++) {
        if (list[k] > widest) widest = list[k];
        if (list[k] == 0)
            return source_fail(src, "no names of columns in this format: give --columns their "
                                    "numbers");
    }
    if (src->options.is_template && native < widest && native == n) return true;
    if (widest > native)
        return source_fail(src, "has %zu channel%s, no channel %zu", native, native == 1 ? "" : "s",
                           widest);
    c->picks = malloc(n * sizeof *c->picks);
    if (!c->picks) return source_fail(src, "out of memory");
    for (size_t k = 0; k < n; k++) c->picks[k] = list[k] - 1;
    c->n = n;
    return true;
}

/* Of those that --columns names, or of all. */
static bool pick_one(source *src, size_t channel)
{
    chosen_channels *c = &src->chosen;
    if (!c->picks) return pick(src, &channel, 1);
    if (channel < 1 || channel > c->n)
        return source_fail(src, "--columns chooses %zu, so there is no channel %zu", c->n, channel);
    c->picks[0] = c->picks[channel - 1];
    c->n = 1;
    return true;
}

bool channels_choose(source *src)
{
    source_options *o = &src->options;
    chosen_channels *c = &src->chosen;
    const bool has_list = o->n_columns > 0 && !src->info.has_columns;
    c->n = src->native_channels;
    if (o->choice == CHANNEL_DEFAULT)
        o->choice = src->info.audio && !has_list ? CHANNEL_MIX : CHANNEL_EACH;
    if (has_list && !pick(src, o->columns, o->n_columns)) return false;
    if (o->choice == CHANNEL_ONE && !pick_one(src, o->channel)) return false;
    c->is_mean = o->choice == CHANNEL_MIX && c->n > 1;
    src->info.channels = c->is_mean ? 1 : c->n;
    return true;
}

/* A frame before the choice: one of both is NULL. */
typedef struct {
    const float *floats;
    const double *doubles;
} native_frame;

static double value_of(const chosen_channels *c, native_frame in, size_t k)
{
    const size_t at = c->picks ? c->picks[k] : k;
    return in.doubles ? in.doubles[at] : (double)in.floats[at];
}

/* Of float32 values, a float32 sum in the order of the channels, then one division: the same bits
 * on every machine. */
static float mean_of_floats(const chosen_channels *c, const float *frame)
{
    float sum = frame[c->picks ? c->picks[0] : 0];
    for (size_t k = 1; k < c->n; k++) sum += frame[c->picks ? c->picks[k] : k];
    return sum / (float)c->n;
}

static double mean(const source *src, native_frame in)
{
    const chosen_channels *c = &src->chosen;
    double sum = 0;
    if (in.floats) return (double)mean_of_floats(c, in.floats);
    for (size_t k = 0; k < c->n; k++)
        sum = src->info.is_wide || k == 0 ? sum + value_of(c, in, k)
                                          : (double)((float)sum + (float)value_of(c, in, k));
    return src->info.is_wide ? sum / (double)c->n : (double)((float)sum / (float)c->n);
}

void channels_take(const source *src, const float *floats, const double *doubles, size_t n,
                   channels_output out)
{
    const chosen_channels *c = &src->chosen;
    const size_t width = src->info.channels;
    native_frame in = {floats, doubles};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < width; k++) {
            const double value = c->is_mean ? mean(src, in) : value_of(c, in, k);
            if (out.narrow)
                *out.narrow++ = (float)value;
            else
                *out.wide++ = value;
        }
        if (floats) in.floats += src->native_channels;
        if (doubles) in.doubles += src->native_channels;
    }
}
