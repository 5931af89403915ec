#include "tools/sigrep-plot/page_templates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/options/template_spec.h"
#include "tools/sigrep-plot/spectrogram.h"

enum { MOST_CURVES = 6, MOST_POINTS = 4000 /* of a curve; more would not show */ };

/* Each row by its own range; of an image, all rows by one. */
static void fill_levels(template_picture *p, const float *values, size_t n)
{
    for (size_t k = 0; k < p->rows; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < n * p->rows; i++) {
            if (!p->is_image && i % p->rows != k) continue;
            least = fmin(least, (double)values[i]);
            most = fmax(most, (double)values[i]);
        }
        for (size_t i = 0; i < p->n; i++) {
            const double v = (double)values[i * n / p->n * p->rows + k];
            const double part = most > least ? (v - least) / (most - least) : 0.5;
            p->levels[i * p->rows + k] = (unsigned char)(isfinite(v) ? 1 + 254 * part : 0);
        }
    }
}

static bool make_of_values(template_picture *p, const float *values, size_t n, size_t rows)
{
    p->is_image = rows > MOST_CURVES;
    p->n = n < MOST_POINTS ? n : MOST_POINTS;
    p->rows = rows;
    p->levels = malloc(p->n * rows);
    if (p->levels) fill_levels(p, values, n);
    return p->levels != NULL;
}

static bool make_of_sound(template_picture *p, const float *samples, size_t n, size_t channels,
                          double rate_hz)
{
    const spectrogram s = spectrogram_of(rate_hz);
    float *mono = malloc(n * sizeof *mono);
    p->is_image = true;
    p->rows = s.bands;
    p->n = (size_t)spectrogram_columns(&s, n);
    p->levels = calloc(p->n * s.bands + 1, 1);
    for (size_t i = 0; mono && i < n; i++) {
        mono[i] = 0;
        for (size_t k = 0; k < channels; k++)
            mono[i] += samples[i * channels + k] / (float)channels;
    }
    const bool good = mono && p->levels && (p->n == 0 || spectrogram_make(&s, mono, n, p->levels));
    free(mono);
    return good;
}

bool template_picture_make(template_picture *p, const loaded_template *t, size_t channels)
{
    *p = (template_picture){0};
    if (t->own.frame_dim) return make_of_values(p, t->samples, (size_t)t->length, t->own.frame_dim);
    const size_t n = (size_t)template_kept(t);
    const float *samples = t->samples + (t->end ? t->begin : 0) * channels;
    return t->info.audio ? make_of_sound(p, samples, n, channels, t->info.rate_hz)
                         : make_of_values(p, samples, n, channels);
}

/* *left: bytes that are free. */
static bool add_picture(text_buffer *json, blob *bytes, const loaded_template *t, size_t channels,
                        double *left)
{
    template_picture p;
    bool good = template_picture_make(&p, t, channels);
    const size_t size = p.n * p.rows;
    if (good && size > 0 && (double)size <= *left) {
        text_add_format(json, ",\"n\":%zu,\"rows\":%zu,\"isImage\":%s,\"at\":%zu", p.n, p.rows,
                        p.is_image ? "true" : "false", bytes->n);
        unsigned char *to = blob_reserve(bytes, size);
        good = to != NULL;
        if (good) memcpy(to, p.levels, size);
        *left -= (double)size;
    }
    free(p.levels);
    return good;
}

bool page_templates_add(text_buffer *json, blob *bytes, const template_set *set,
                        const bool *is_needed, double most)
{
    bool good = true;
    double left = most;
    text_add_string(json, ",\n\"templates\":[");
    for (size_t i = 0; i < set->n && good; i++) {
        const loaded_template *t = &set->items[i];
        text_add_string(json, i ? ",\n{\"label\":" : "{\"label\":");
        json_add_string(json, t->label);
        text_add_string(json, ",\"name\":");
        json_add_string(json, t->take ? t->take : template_base_name(t->path));
        text_add_string(json, t->own.frame_dim ? ",\"ofBundle\":true" : ",\"ofBundle\":false");
        if (is_needed[i]) good = add_picture(json, bytes, t, set->channels, &left);
        text_add_string(json, "}");
    }
    text_add_string(json, "]");
    return good && !json->failed;
}
