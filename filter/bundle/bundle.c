#include "filter/bundle/bundle.h"

#include <stdlib.h>
#include <string.h>

static bool depends_on_rate(const bundle *b, sigrep_error *error)
{
    bundle_print other;
    if (bundle_probe(b->front_end, 7, b->channels, &other, error)) return true;
    const bool same = other.memory == b->print.memory && other.hop == b->print.hop &&
                      bundle_prints_agree(&other, &b->print);
    free(other.frames);
    return !same;
}

sigrep_status bundle_create(bundle **out, const char *front_end, double rate_hz, size_t channels,
                            sigrep_error *error)
{
    *out = NULL;
    bundle *b = calloc(1, sizeof *b);
    if (!b) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    *b = (bundle){.front_end = strdup(front_end), .rate_hz = rate_hz, .channels = channels};
    sigrep_status status = b->front_end ? SIGREP_OK : SIGREP_NO_MEMORY;
    if (!status)
        status = bundle_probe(front_end, rate_hz > 0 ? rate_hz : 1, channels, &b->print, error);
    b->dim = b->print.dim;
    if (!status && !(rate_hz > 0) && depends_on_rate(b, error))
        status =
            status_fail(error, SIGREP_BAD_FRONT_END, "it depends on the rate, and none is known");
    if (status)
        sigrep_bundle_destroy(b);
    else
        *out = b;
    return status;
}

bool bundle_is_name(const char *text)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127) return false;
    return n > 0 && n <= BUNDLE_MAX_NAME;
}

static void free_label(bundle_label *label)
{
    for (size_t i = 0; i < label->n_takes; i++) {
        free(label->takes[i].name);
        free(label->takes[i].frames);
    }
    free(label->takes);
    free(label->name);
}

void sigrep_bundle_destroy(bundle *b)
{
    if (!b) return;
    for (size_t i = 0; i < b->n_labels; i++) free_label(&b->labels[i]);
    free(b->labels);
    free(b->templates);
    free(b->print.frames);
    free(b->front_end);
    free(b);
}

bundle_label *bundle_label_of(bundle *b, const char *name)
{
    for (size_t i = 0; i < b->n_labels; i++)
        if (strcmp(b->labels[i].name, name) == 0) return &b->labels[i];
    bundle_label *labels = realloc(b->labels, (b->n_labels + 1) * sizeof *labels);
    if (!labels) return NULL;
    b->labels = labels;
    bundle_label *label = &labels[b->n_labels];
    *label =
        (bundle_label){.name = strdup(name), .length_min = 0.5, .length_max = 2, .min_matches = 1};
    if (!label->name) return NULL;
    b->n_labels++;
    return label;
}

sigrep_status bundle_add_take(bundle *b, bundle_label *label, const char *name, const float *frames,
                              size_t length)
{
    bundle_take *takes = realloc(label->takes, (label->n_takes + 1) * sizeof *takes);
    if (!takes) return SIGREP_NO_MEMORY;
    label->takes = takes;
    const size_t size = length * b->dim * sizeof *frames;
    bundle_take take = {.name = strdup(name), .length = length, .weight = 1, .others = -1};
    take.frames = malloc(size);
    if (!take.name || !take.frames) {
        free(take.name);
        free(take.frames);
        return SIGREP_NO_MEMORY;
    }
    memcpy(take.frames, frames, size);
    takes[label->n_takes++] = take;
    return SIGREP_OK;
}

sigrep_status bundle_list_templates(bundle *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_labels; i++) n += b->labels[i].n_takes;
    sigrep_template *templates = calloc(n ? n : 1, sizeof *templates);
    if (!templates) return SIGREP_NO_MEMORY;
    free(b->templates);
    b->templates = templates;
    b->n_templates = n;
    for (size_t i = 0; i < b->n_labels; i++) {
        const bundle_label *label = &b->labels[i];
        for (size_t k = 0; k < label->n_takes; k++) {
            const bundle_take *take = &label->takes[k];
            *templates++ = (sigrep_template){.label = label->name,
                                             .samples = take->frames,
                                             .length = take->length,
                                             .threshold = label->threshold * take->weight,
                                             .auto_threshold = !label->has_threshold,
                                             .frame_dim = b->dim,
                                             .length_min = label->length_min,
                                             .length_max = label->length_max,
                                             .min_matches = label->min_matches};
        }
    }
    return SIGREP_OK;
}

void sigrep_bundle_configure(const bundle *b, sigrep_config *config)
{
    config->front_end = b->front_end;
    config->channels = b->channels;
    config->template_rate_hz = b->rate_hz;
    config->templates = b->templates;
    config->n_templates = b->n_templates;
}
