#include "tools/sigrep-plot/page/page_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/time/time_format.h"
#include "tools/common/input/column_times.h"
#include "tools/common/options/template_spec.h"

enum { MOST_CURVES = 6, MOST_POINTS = 4000 /* of a curve; more would not show */ };

/* Each adds what stands before a value, and the value. */
static void add_string(text_buffer *out, const char *before, const char *value)
{
    text_add_string(out, before);
    json_add_string(out, value);
}

static void add_bool(text_buffer *out, const char *before, bool value)
{
    text_add_format(out, "%s%s", before, value ? "true" : "false");
}

/* null if it is not finite */
static void add_number(text_buffer *out, const char *before, double value)
{
    text_add_string(out, before);
    if (isfinite(value))
        text_add_format(out, "%.9g", value);
    else
        text_add_string(out, "null");
}

static void add_score(text_buffer *out, const char *before, double value)
{
    text_add_string(out, before);
    if (isfinite(value))
        text_add_score(out, value);
    else
        text_add_string(out, "null");
}

/* ---- Templates --------------------------------------------------------------------------- */

/* A template as a picture: n x rows bytes, 1 to 255, 0: none. */
typedef struct {
    size_t n, rows;
    bool is_image;
} picture;

/* Each row by its own range; of an image, all rows by one. */
static void fill_of_values(picture p, const float *values, size_t n, unsigned char *to)
{
    for (size_t k = 0; k < p.rows; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < n * p.rows; i++) {
            if (!p.is_image && i % p.rows != k) continue;
            least = fmin(least, (double)values[i]);
            most = fmax(most, (double)values[i]);
        }
        for (size_t i = 0; i < p.n; i++) {
            const double v = (double)values[i * n / p.n * p.rows + k];
            const double part = most > least ? (v - least) / (most - least) : 0.5;
            to[i * p.rows + k] = (unsigned char)(isfinite(v) ? 1 + 254 * part : 0);
        }
    }
}

static bool fill_of_sound(const spectrogram *s, const float *samples, size_t n, size_t channels,
                          unsigned char *to)
{
    float *mono = calloc(n, sizeof *mono);
    for (size_t i = 0; mono && i < n * channels; i++)
        mono[i / channels] += samples[i] / (float)channels;
    const bool good = mono && spectrogram_make(s, mono, n, to);
    free(mono);
    return good;
}

/* If there is one, and room. *left: bytes that are free. */
static bool add_picture(text_buffer *out, text_buffer *pictures, const loaded_template *t,
                        size_t channels, double *left)
{
    const size_t dim = t->own.frame_dim; /* 0: not of a bundle */
    const bool is_sound = !dim && t->info.audio;
    const size_t n = (size_t)(dim ? t->length : template_kept(t)), width = dim ? dim : channels;
    const float *values = t->samples + (!dim && t->end ? t->begin * channels : 0);
    const spectrogram s = is_sound ? spectrogram_of(t->info.rate_hz) : (spectrogram){0};
    const picture p =
        is_sound ? (picture){(size_t)spectrogram_columns(&s, n), s.bands, true}
                 : (picture){n < MOST_POINTS ? n : MOST_POINTS, width, width > MOST_CURVES};
    const size_t size = p.n * p.rows;
    if (size == 0 || (double)size > *left) return true;
    if (!text_reserve(pictures, size)) return false;
    text_add_format(out, ",\"n\":%zu,\"rows\":%zu", p.n, p.rows);
    add_bool(out, ",\"isImage\":", p.is_image);
    text_add_format(out, ",\"at\":%zu", pictures->length);
    unsigned char *to = memset(pictures->data + pictures->length, 0, size);
    pictures->length += size;
    *left -= (double)size;
    if (is_sound) return fill_of_sound(&s, values, n, width, to);
    fill_of_values(p, values, n, to);
    return true;
}

bool page_json_begin(text_buffer *out, text_buffer *pictures, const char *title,
                     const template_set *set, const bool *is_needed, double most)
{
    bool good = true;
    double left = most;
    add_string(out, "{\"version\":\"" SIGREP_VERSION "\",\"title\":", title);
    add_string(out, ",\"frontEnd\":", set->front_end);
    text_add_string(out, ",\n\"templates\":[");
    for (size_t i = 0; i < set->n && good; i++) {
        const loaded_template *t = &set->items[i];
        add_string(out, i ? ",\n{\"label\":" : "{\"label\":", t->label);
        add_string(out, ",\"name\":", t->take ? t->take : template_base_name(t->path));
        add_bool(out, ",\"ofBundle\":", t->own.frame_dim != 0);
        if (is_needed[i]) good = add_picture(out, pictures, t, set->channels, &left);
        text_add_string(out, "}");
    }
    text_add_string(out, "],\"inputs\":[\n");
    return good && !out->failed && !pictures->failed;
}

/* ---- Inputs ------------------------------------------------------------------------------ */

static void add_times(text_buffer *out, const recording *r, const timeline *t)
{
    char origin[TIME_TEXT_SIZE];
    text_add_format(out, ",\"times\":{\"step\":%.17g", t->counts ? 1 : t->step_s);
    if (t->has_dates) {
        const time_scale scale = {
            .rate_hz = r->info.rate_hz, .from_column = true, .says_utc = true};
        time_format(origin, TIME_CLOCK, &scale, (time_point){.time = t->origin});
        if (!t->counts) text_add_format(out, ",\"origin\":\"%s\"", origin);
    } else if (exact_time_is_known(t->origin)) {
        text_add_format(out, ",\"first\":%.17g", exact_time_as_double(t->origin));
    }
    add_bool(out, ",\"counts\":", t->counts);
    text_add_string(out, ",\"pieces\":[");
    for (size_t i = 0; i < t->n; i++)
        text_add_format(out, "%s[%" PRIu64 ",%.12g]", i ? "," : "", t->pieces[i].first,
                        t->pieces[i].time_s);
    text_add_string(out, "]}");
}

static void add_channels(text_buffer *out, const recording *r)
{
    text_add_string(out, ",\"channels\":[");
    for (size_t k = 0; k < r->channels; k++) {
        add_string(out, k ? ",{\"name\":" : "{\"name\":", r->names[k]);
        add_number(out, ",\"least\":", (double)r->ranges[k].least);
        add_number(out, ",\"most\":", (double)r->ranges[k].most);
        text_add_string(out, r->ranges[k].is_whole ? ",\"isWhole\":true}" : "}");
    }
    text_add_string(out, "]");
}

static void add_curves(text_buffer *out, const recording *r)
{
    text_add_format(out, ",\"frames\":%" PRIu64 ",\"curves\":[", r->n_frames);
    for (size_t c = 0; c < r->n_curves; c++) {
        const score_curve *curve = &r->curves[c];
        const bool is_ratio = isnan(curve->threshold);
        const char *label = r->set->items[curve->first_template].label;
        add_string(out, c ? ",{\"label\":" : "{\"label\":", label);
        add_bool(out, ",\"isRatio\":", is_ratio);
        add_score(out, ",\"threshold\":", is_ratio ? 1 : curve->threshold);
        add_number(out, ",\"top\":", level_top(curve));
        add_number(out, ",\"least\":", isfinite(curve->least) ? (double)curve->least : 0);
        text_add_string(out, "}");
    }
    text_add_string(out, "]");
}

static void add_segments(text_buffer *out, const segment_list lists[SEGMENT_KINDS])
{
    static const char *const names[SEGMENT_KINDS] = {"ranges", "samples", "columns", "scores"};
    text_add_string(out, ",\n\"segments\":{");
    for (size_t k = 0; k < SEGMENT_KINDS; k++) {
        text_add_format(out, "%s\"%s\":[", k ? "," : "", names[k]);
        for (size_t i = 0; i < lists[k].n; i++) {
            const segment *s = &lists[k].items[i];
            text_add_format(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%zu]", i ? "," : "",
                            s->level.first, s->level.n, s->level.bucket, s->offset);
        }
        text_add_string(out, "]");
    }
    text_add_string(out, "}");
}

/* When a match starts and ends, as sigrep prints it. */
static void add_match_times(text_buffer *out, const recording *r, const plot_match *m)
{
    char text[2][TIME_TEXT_SIZE];
    const time_scale scale = {.rate_hz = r->info.rate_hz, .from_column = r->times != NULL};
    const time_style style = r->info.times == SOURCE_ISO ? TIME_CLOCK : TIME_SECONDS;
    time_point start = {.sample = m->start}, end = {.sample = m->end};
    if (r->times) {
        start.time = column_times_at(r->times, m->start);
        end.time = column_times_end(r->times, m->end);
        start.time.decimals = end.time.decimals;
    }
    time_format(text[0], style, &scale, start);
    time_format(text[1], style, &scale, end);
    text_add_format(out, ",\"%s\",\"%s\"", text[0], text[1]);
}

/* As an array: page.js names its items. */
static void add_match(text_buffer *out, const recording *r, const shown_match *shown)
{
    const plot_match *m = shown->match;
    text_add_format(out, "[%zu,%" PRIu64 ",%" PRIu64, m->template_index, m->start, m->end);
    add_score(out, ",", m->score);
    add_score(out, ",", m->threshold);
    add_match_times(out, r, m);
    if (shown->has_path)
        text_add_format(out, ",%zu,%zu,%zu,%zu", shown->path_at, m->n_pairs, m->template_frames,
                        m->match_frames);
    text_add_string(out, "]");
}

/* The unit of times as text. */
static const char *unit_of_times(const recording *r)
{
    if (r->info.times != SOURCE_ISO) return recording_unit(r);
    return column_times_first(r->times).is_local ? "no zone" : "UTC";
}

void page_json_add_input(text_buffer *out, const reduction *d)
{
    const recording *r = d->r;
    const spectrogram *s = &d->spectrogram;
    add_string(out, "{\"name\":", r->name);
    add_string(out, ",\"format\":", r->info.format);
    add_bool(out, ",\"isAudio\":", r->info.audio || r->info.microphone);
    add_bool(out, ",\"rateKnown\":", r->info.rate_known);
    text_add_format(out, ",\"rate\":%.17g,\"samples\":%" PRIu64 ",\"unit\":\"%s\"", r->info.rate_hz,
                    r->n, unit_of_times(r));
    if (s->bands)
        text_add_format(out,
                        ",\n\"spectrogram\":{\"bands\":%zu,\"hop\":%" PRIu64
                        ",\"top\":%.9g,\"floor\":%g,\"step\":%g}",
                        s->bands, s->hop, s->rate_hz / 2, SPECTROGRAM_FLOOR_DB,
                        SPECTROGRAM_STEP_DB);
    add_times(out, r, &d->times);
    add_channels(out, r);
    add_curves(out, r);
    add_segments(out, d->lists);
    text_add_string(out, ",\n\"remarks\":[");
    text_add(out, d->remarks.data, d->remarks.length);
    text_add_format(out, "],\"allMatches\":%zu,\n\"matches\":[", r->n_matches);
    for (size_t i = 0; i < d->n_matches; i++) {
        text_add_string(out, i ? ",\n" : "");
        add_match(out, r, &d->matches[i]);
    }
    text_add_string(out, "]}");
}
