#include "tools/common/templates/bundle_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/file_read.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/template_spec.h"

/* A bundle is no larger (docs/FORMAT.md). */
static const size_t MAX_SIZE = (size_t)1 << 30;

bool bundle_is_named(const char *path)
{
    const size_t length = strlen(path);
    return length > 7 && strcmp(path + length - 7, ".sigrep") == 0;
}

/* Why a file could not be read. */
static const char *reason_of(int failure)
{
    return failure == ENOMEM  ? "out of memory"
           : failure == EFBIG ? "larger than any bundle"
                              : strerror(failure);
}

sigrep_bundle *bundle_load(const char *path)
{
    text_buffer bytes = {0};
    sigrep_error error = {.text = ""};
    sigrep_bundle *b = NULL;
    const int failure = file_read(path, MAX_SIZE, &bytes);
    const char *reason = failure ? reason_of(failure) : NULL;
    if (!reason && sigrep_bundle_read(&b, bytes.data, bytes.length, &error)) reason = error.text;
    if (reason) report_of(path, "%s", reason);
    free(bytes.data);
    return b;
}

bool bundle_save(sigrep_bundle *bundle, const char *path, bool may_be_read_only)
{
    const void *bytes;
    size_t size;
    sigrep_error error;
    if (!sigrep_bundle_write(bundle, &bytes, &size, &error))
        return file_replace(path, "bundle", may_be_read_only, bytes, size);
    report_of(path, "%s", error.text);
    return false;
}

/* Bundles must agree on what frames are. */
static bool agree_on_frames(template_set *set, const shared_options *o, const sigrep_bundle_info *b,
                            const char *path)
{
    if (o->front_end && strcmp(o->front_end, b->front_end) != 0) {
        report_of(path, "made with front end '%s', but --front-end '%s' is given; leave it out",
                  b->front_end, o->front_end);
        return false;
    }
    if (set->bundle && strcmp(set->bundle_front_end, b->front_end) != 0) {
        report_of(path, "made with front end '%s', but %s with '%s'; search for one at a time",
                  b->front_end, set->bundle, set->bundle_front_end);
        return false;
    }
    if (set->bundle && b->rate_hz != set->bundle_rate_hz) {
        report_of(path, "made for %.9g Hz, but %s for %.9g Hz; search for one at a time",
                  b->rate_hz, set->bundle, set->bundle_rate_hz);
        return false;
    }
    return true;
}

static bool add_take(template_set *set, const sigrep_bundle_info *b, const char *path,
                     const sigrep_bundle_take *take, const char *label)
{
    const sigrep_template *own = take->frames;
    const size_t size = (size_t)own->length * b->frame_dim * sizeof(float);
    loaded_template t = {.path = strdup(path),
                         .take = strdup(take->name),
                         .label = strdup(label ? label : own->label),
                         .samples = malloc(size),
                         .length = own->length,
                         .own = *own,
                         .hop = b->hop,
                         .info = {.rate_hz = b->rate_hz > 0 ? b->rate_hz : 1,
                                  .rate_known = b->rate_hz > 0,
                                  .channels = b->channels,
                                  .format = "bundle",
                                  .audio = b->is_audio}};
    t.own.samples = NULL;
    t.own.label = NULL;
    if (!t.path || !t.take || !t.label || !t.samples) {
        loaded_template_free(&t);
        return report_no_memory(path);
    }
    memcpy(t.samples, own->samples, size);
    return templates_add(set, &t);
}

static bool add_takes(template_set *set, const sigrep_bundle *b, const sigrep_bundle_info *info,
                      const template_spec *spec, const char *path)
{
    sigrep_bundle_take take = {.size = sizeof take};
    sigrep_bundle_label label = {.size = sizeof label};
    if (spec->label && info->n_labels > 1) {
        report_of(path, "has %zu labels of its own; leave out '%s='", info->n_labels, spec->label);
        return false;
    }
    for (size_t i = 0; !sigrep_bundle_get_take(b, i, &take); i++) {
        if (!add_take(set, info, path, &take, spec->label)) return false;
        (void)sigrep_bundle_get_label(b, take.label, &label); /* there is one */
        set->items[set->n - 1].ceiling = label.ceiling;
    }
    if (set->bundle) return true;
    set->bundle_front_end = strdup(info->front_end);
    if (!set->bundle_front_end) return report_no_memory(path);
    set->bundle = set->items[set->n - 1].path;
    set->bundle_rate_hz = info->rate_hz;
    return true;
}

/* How each threshold was calibrated. */
static void describe_thresholds(const sigrep_bundle *b, const char *path)
{
    char threshold[SCORE_TEXT];
    sigrep_bundle_label label = {.size = sizeof label};
    for (size_t i = 0; !sigrep_bundle_get_label(b, i, &label); i++)
        if (label.hours > 0)
            report_of(path,
                      "'%s': threshold %s, calibrated on %.4g hours for %.3g false alarms an hour, "
                      "95 %% interval %.4g to %.4g%s",
                      label.name, score_text(threshold, label.threshold), label.hours,
                      label.per_hour, label.low, label.high,
                      label.is_extrapolated ? ", extrapolated" : "");
}

bool bundle_takes_load(template_set *set, const shared_options *o, const template_spec *spec,
                       const char *path)
{
    if (spec->has_range) {
        report_of(path, "no part can be cut out of a bundle; leave out @START-END");
        return false;
    }
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle *b = bundle_load(path);
    if (b) sigrep_bundle_get_info(b, &info);
    const bool good =
        b && agree_on_frames(set, o, &info, path) && add_takes(set, b, &info, spec, path);
    if (good && o->verbose) describe_thresholds(b, path);
    sigrep_bundle_destroy(b);
    return good;
}
