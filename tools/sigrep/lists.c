#include "tools/sigrep/run.h"

#include <inttypes.h>

#include "io/live/mic.h"
#include "sigrep.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/arguments.h"
#include "tools/common/templates/bundle_file.h"

static void add_frames(text_buffer *out, const sigrep_bundle_info *info)
{
    text_add_format(out, "front end\t%s\n", info->front_end);
    if (info->rate_hz > 0) text_add_format(out, "rate\t%.9g Hz\n", info->rate_hz);
    text_add_format(out, "channels\t%zu\n", info->channels);
    text_add_format(out, "values a frame\t%zu\n", info->frame_dim);
}

static void add_label(text_buffer *out, const sigrep_bundle_label *label)
{
    text_add_escaped(out, label->name);
    text_add_format(out, "\t%zu\t", label->n_takes);
    if (label->has_threshold)
        text_add_score(out, label->threshold);
    else
        text_add_string(out, "auto");
    text_add_format(out, "\t%.9g,%.9g\t%zu\t", label->length_min, label->length_max,
                    label->min_matches);
    if (label->hours > 0)
        text_add_format(out, "%.4g hours, %.3g an hour wanted, interval %.4g to %.4g%s",
                        label->hours, label->per_hour, label->low, label->high,
                        label->is_extrapolated ? ", extrapolated" : "");
    else
        text_add_string(out, "no");
    text_add_string(out, "\t");
    if (label->ceiling > 0)
        text_add_score(out, label->ceiling);
    else
        text_add_string(out, "-");
    text_add_string(out, "\n");
}

static void add_take(text_buffer *out, const sigrep_bundle_info *info,
                     const sigrep_bundle_take *take)
{
    text_add_escaped(out, take->frames->label);
    text_add_string(out, "\t");
    text_add_escaped(out, take->name);
    text_add_format(out, "\t%" PRIu64 "\t", take->frames->length);
    if (info->rate_hz > 0)
        text_add_format(out, "%.3f\t", (double)(take->frames->length * info->hop) / info->rate_hz);
    else
        text_add_string(out, "-\t");
    if (take->peer_score >= 0)
        text_add_score(out, take->peer_score);
    else
        text_add_string(out, "-");
    text_add_string(out, "\t");
    if (take->level > 0)
        text_add_format(out, "%.4g\n", take->level);
    else
        text_add_string(out, "-\n");
}

int list_bundle(const char *path)
{
    sigrep_bundle *b = bundle_load(path);
    if (!b) return EXIT_ERROR;
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_label label = {.size = sizeof label};
    sigrep_bundle_take take = {.size = sizeof take};
    text_buffer out = {0};
    sigrep_bundle_get_info(b, &info);
    add_frames(&out, &info);
    text_add_string(&out, "\nlabel\ttakes\tthreshold\tlength\tmin matches\tcalibrated\tat most\n");
    for (size_t i = 0; !sigrep_bundle_get_label(b, i, &label); i++) add_label(&out, &label);
    text_add_string(&out, "\nlabel\ttake\tframes\tseconds\tscore in another take\tlevel\n");
    for (size_t i = 0; !sigrep_bundle_get_take(b, i, &take); i++) add_take(&out, &info, &take);
    sigrep_bundle_destroy(b);
    return print_text(&out) ? 0 : EXIT_ERROR;
}

/* A microphone is a line. */
static void add_microphone(void *user, const char *name, size_t channels, double rate_hz,
                           bool is_default)
{
    text_buffer *out = user;
    text_add_string(out, MIC_PREFIX);
    text_add_escaped(out, name);
    text_add_format(out, "\t%zu channel%s\t%.9g Hz%s\n", channels, channels == 1 ? "" : "s",
                    rate_hz, is_default ? "\tdefault" : "");
}

int list_microphones(void)
{
    char reason[256];
    text_buffer out = {0};
    const int n = mic_list(add_microphone, &out, input_mic_is_slow, reason, sizeof reason);
    if (n <= 0) report("%s", n < 0 ? reason : "no capture devices");
    return print_text(&out) && n > 0 ? 0 : EXIT_ERROR;
}
