#include "tools/sigrep-plot/figure/figure.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/text_buffer.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/figure/drawing.h"
#include "tools/sigrep-plot/levels.h"
#include "tools/sigrep-plot/recording.h"

static const double TITLE = 20, BETWEEN = 15, AXIS = 18, SCALE = 3 /* pixels a point */;
enum { MOST_CHANNELS = 8, MOST_BUCKETS = 1400 /* about three a point */ };

struct figure {
    cairo_surface_t *surface; /* all that was drawn, without a size */
    cairo_t *to;
    const char *title;
    double y; /* the bottom of what was drawn */
    size_t n;
};

figure *figure_create(const char *title)
{
    figure *f = calloc(1, sizeof *f);
    if (!f) {
        report_no_memory(NULL);
        return NULL;
    }
    f->surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    f->to = cairo_create(f->surface);
    f->title = title;
    f->y = 4;
    cairo_select_font_face(f->to, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    return f;
}

void figure_destroy(figure *f)
{
    if (!f) return;
    cairo_destroy(f->to);
    cairo_surface_destroy(f->surface);
    free(f);
}

/* ---- Panels: each draws into its box; false after a failure, which is reported ------------ */

static level level_of(uint64_t n)
{
    return (level){0, n, level_bucket(n, MOST_BUCKETS)};
}

/* A line through the values of a level; `stride` values a bucket. NaN breaks it, and so does a gap.
 */
static void trace(const panel *p, const timeline *t, level l, double samples_each,
                  const float *values, size_t stride)
{
    bool is_down = false;
    double last_s = 0;
    for (size_t i = 0; i < level_buckets(l); i++) {
        const double v = (double)values[i * stride];
        const double sample = ((double)i + 0.5) * (double)l.bucket * samples_each;
        const double time_s = timeline_at(t, (uint64_t)sample);
        const bool is_gap = time_s - last_s > 3 * (double)l.bucket * samples_each * t->step_s;
        if (!isfinite(v)) {
            is_down = false;
            continue;
        }
        (is_down && !is_gap ? cairo_line_to : cairo_move_to)(p->to, panel_x(p, time_s),
                                                             panel_y(p, v < p->most ? v : p->most));
        is_down = true;
        last_s = time_s;
    }
    cairo_stroke(p->to);
}

/* Bars from the least to the highest value of each bucket; neighbours touch. */
static void bars(const panel *p, const timeline *t, level l, const float *ranges, size_t stride)
{
    const float *before = NULL;
    for (size_t i = 0; i < level_buckets(l); i++) {
        const float *range = ranges + i * stride;
        const double x = panel_x(p, timeline_at(t, i * l.bucket));
        float low = range[0], high = range[1];
        if (before && before[1] < low) low = before[1];
        if (before && before[0] > high) high = before[0];
        before = isfinite(range[0]) ? range : NULL;
        if (!before) continue;
        const double top = panel_y(p, (double)high), bottom = panel_y(p, (double)low);
        cairo_rectangle(p->to, x, top - 0.2, p->width / MOST_BUCKETS + 0.1, bottom - top + 0.4);
    }
    cairo_fill(p->to);
}

static bool panel_of_signal(panel *p, const recording *r, const timeline *t, size_t channel)
{
    const level l = level_of(r->n);
    const value_range range = r->ranges[channel];
    const bool has_values = range.most >= range.least;
    const double spread = has_values ? (double)range.most - (double)range.least : 0;
    const double margin = spread > 0 ? 0.05 * spread : 1;
    float *ranges = malloc(level_buckets(l) * r->channels * 2 * sizeof *ranges);
    const bool good = ranges ? level_samples(r, l, ranges) : report_no_memory(r->name);
    p->is_whole = range.is_whole;
    p->least = (has_values ? (double)range.least : 0) - margin;
    p->most = (has_values ? (double)range.most : 0) + margin;
    drawing_use(p->to, SIGNAL);
    cairo_set_line_width(p->to, 0.6);
    if (good && l.bucket > 1) bars(p, t, l, ranges + 2 * channel, 2 * r->channels);
    if (good && l.bucket == 1) trace(p, t, l, 1, ranges + 2 * channel, 2 * r->channels);
    free(ranges);
    panel_axis(p);
    panel_frame(p, r->names[channel]);
    return good;
}

static double mel_of(double hz)
{
    return 2595 * log10(1 + hz / 700);
}

static void frequency_axis(panel *p, const spectrogram *s)
{
    static const double ticks[] = {250, 500, 1000, 2000, 4000, 8000, 16000};
    const double top_hz = s->rate_hz / 2, step = mel_of(top_hz) / (double)(s->bands + 1);
    p->least = 0.5 * step;
    p->most = ((double)s->bands + 0.5) * step;
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks && ticks[i] < 0.95 * top_hz; i++) {
        char text[TICK_TEXT_SIZE];
        const double y = panel_y(p, mel_of(ticks[i]));
        snprintf(text, sizeof text, ticks[i] < 1000 ? "%g" : "%gk",
                 ticks[i] < 1000 ? ticks[i] : ticks[i] / 1000);
        drawing_text(p->to, p->x - 4, y + 2.5, 1, 7, QUIET, text);
    }
}

/* The levels between which colours lie: most of what is quiet, nearly all that is loud. */
static void find_contrast(const unsigned char *levels, size_t n, int *low, int *high)
{
    size_t counts[256] = {0}, all = 0, sum = 0;
    for (size_t i = 0; i < n; i++) counts[levels[i]]++;
    for (int i = 1; i < 256; i++) all += counts[i];
    *low = *high = 255;
    for (int i = 1; i < 256; i++) {
        sum += counts[i];
        if (*low == 255 && sum >= 3 * all / 10) *low = i;
        if (*high == 255 && (double)sum >= 0.998 * (double)all) *high = i;
    }
    if (*low > *high - 50) *low = *high - 50;
}

/* The levels as a picture, a column a bucket. NULL without memory. */
static cairo_surface_t *image_of(const unsigned char *levels, size_t columns, size_t bands)
{
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)columns, (int)bands);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    if (!pixels) return image;
    const size_t stride = (size_t)cairo_image_surface_get_stride(image);
    int low, high;
    find_contrast(levels, columns * bands, &low, &high);
    for (size_t i = 0; i < columns * bands; i++) {
        const colour c = drawing_loudness((double)(levels[i] - low) / (high - low));
        const uint32_t pixel =
            (uint32_t)(255 * c.r) << 16 | (uint32_t)(255 * c.g) << 8 | (uint32_t)(255 * c.b);
        uint32_t *row = (uint32_t *)(void *)(pixels + (bands - 1 - i % bands) * stride);
        row[i / bands] = pixel;
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static bool panel_of_spectrogram(panel *p, const recording *r, const timeline *t,
                                 const spectrogram *s)
{
    const level l = level_of(spectrogram_columns(s, r->n));
    const size_t columns = level_buckets(l);
    unsigned char *levels = calloc(columns, s->bands);
    const bool good = levels ? level_columns(r, s, l, levels) : report_no_memory(r->name);
    if (good) {
        cairo_surface_t *image = image_of(levels, columns, s->bands);
        const double end_s = t->step_s * (double)(columns * l.bucket * s->hop);
        cairo_save(p->to);
        cairo_rectangle(p->to, p->x, p->y, p->width, p->height);
        cairo_clip(p->to);
        cairo_translate(p->to, p->x, p->y);
        cairo_scale(p->to, (panel_x(p, end_s) - p->x) / (double)columns,
                    p->height / (double)s->bands);
        cairo_set_source_surface(p->to, image, 0, 0);
        cairo_paint(p->to);
        cairo_restore(p->to);
        cairo_surface_destroy(image);
    }
    free(levels);
    frequency_axis(p, s);
    panel_frame(p, "spectrogram, Hz");
    return good;
}

/* Do all curves have one unit, so that values are scores? Else they are in thresholds. */
static bool has_one_unit(const recording *r)
{
    for (size_t c = 0; c < r->n_curves; c++) {
        const double threshold = r->curves[c].threshold;
        if (isnan(threshold) || threshold != r->curves[0].threshold) return false;
    }
    return true;
}

static void draw_threshold(const panel *p, double threshold, bool in_thresholds)
{
    char text[TICK_TEXT_SIZE], value[SCORE_TEXT];
    const double y = panel_y(p, threshold), dashes[] = {3, 2};
    if (!(threshold <= p->most)) return;
    drawing_use(p->to, THRESHOLD);
    cairo_set_line_width(p->to, 0.7);
    cairo_set_dash(p->to, dashes, 2, 0);
    cairo_move_to(p->to, p->x, y);
    cairo_line_to(p->to, p->x + p->width, y);
    cairo_stroke(p->to);
    cairo_set_dash(p->to, NULL, 0, 0);
    snprintf(text, sizeof text, "- - threshold%s%s", in_thresholds ? "" : " ",
             in_thresholds ? "" : score_short_text(value, threshold));
    drawing_text(p->to, p->x + p->width, p->y - 3, 1, 7, THRESHOLD, text);
}

static size_t label_of(const recording *r, size_t template_index)
{
    size_t i = 0;
    const size_t first = r->set->items[template_index].first_of_label;
    for (size_t k = 0; k < first; k++) i += r->set->items[k].first_of_label == k;
    return i;
}

static bool panel_of_scores(panel *p, const recording *r, const timeline *t)
{
    const level l = level_of(r->n_frames);
    const bool has_scores = has_one_unit(r);
    float *scores = malloc((level_buckets(l) * r->n_curves + 1) * sizeof *scores);
    const bool good = scores ? level_scores(r, l, scores) : report_no_memory(r->name);
    double least = INFINITY;
    p->most = 0;
    for (size_t c = 0; c < r->n_curves; c++) {
        const double threshold = r->curves[c].threshold;
        const double unit = has_scores || isnan(threshold) ? 1 : threshold;
        p->most = fmax(p->most, level_top(&r->curves[c]) / unit);
        least = fmin(least, isinf(threshold) ? (double)r->curves[c].least : 0);
        for (size_t i = 0; good && i < level_buckets(l); i++)
            scores[i * r->n_curves + c] /= (float)unit;
    }
    p->least = isfinite(least) ? fmax(0, 2 * least - p->most) : 0;
    cairo_set_line_width(p->to, 0.8);
    for (size_t c = 0; good && c < r->n_curves; c++) {
        drawing_use(p->to, drawing_label(label_of(r, r->curves[c].first_template)));
        trace(p, t, l, (double)r->n / (double)r->n_frames, scores + c, r->n_curves);
    }
    free(scores);
    panel_axis(p);
    draw_threshold(p, has_scores ? r->curves[0].threshold : 1, !has_scores);
    panel_frame(p, has_scores ? "score of a match ending here"
                              : "score of a match ending here, in thresholds");
    return good;
}

/* Its left edge, and its width, at least a point. */
static double box_of(const panel *p, const timeline *t, const plot_match *m, double *width)
{
    const double x = panel_x(p, timeline_at(t, m->start));
    *width = fmax(1, panel_x(p, timeline_at(t, m->end - 1) + t->step_s) - x);
    return x;
}

static void panel_shade_matches(const panel *p, const recording *r, const timeline *t,
                                double bottom)
{
    for (size_t i = 0; i < r->n_matches; i++) {
        const plot_match *m = &r->matches[i];
        const colour c = drawing_label(label_of(r, m->template_index));
        double width;
        const double x = box_of(p, t, m, &width);
        cairo_set_source_rgba(p->to, c.r, c.g, c.b, 0.13);
        cairo_rectangle(p->to, x, p->y, width, bottom - p->y);
        cairo_fill(p->to);
    }
}

static void panel_of_matches(panel *p, const recording *r, const timeline *t)
{
    drawing_text(p->to, p->x, p->y - 3, 0, 7.5, INK, r->n_matches ? "matches" : "no matches");
    for (size_t i = 0; i < r->n_matches; i++) {
        const plot_match *m = &r->matches[i];
        const char *label = r->set->items[m->template_index].label;
        double width;
        const double x = box_of(p, t, m, &width);
        drawing_use(p->to, drawing_label(label_of(r, m->template_index)));
        cairo_rectangle(p->to, x, p->y, width, p->height);
        cairo_fill(p->to);
        if (drawing_text_width(p->to, 7, label) + 4 < width)
            drawing_text(p->to, x + width / 2, p->y + p->height - 3, 0.5, 7, (colour){1, 1, 1},
                         label);
    }
}

/* ---- An input --------------------------------------------------------------------------- */

/* The panel below the last one. */
static panel next_panel(figure *f, const timeline *t, const recording *r, double height)
{
    f->y += BETWEEN;
    const panel p = {.to = f->to,
                     .x = DRAWING_LEFT,
                     .y = f->y,
                     .width = DRAWING_WIDTH - DRAWING_LEFT - DRAWING_RIGHT,
                     .height = height,
                     .until_s = timeline_at(t, r->n - 1) + t->step_s};
    f->y += height;
    return p;
}

static void draw_gaps(const panel *p, const timeline *t, double bottom)
{
    for (size_t i = 1; i < t->n; i++) {
        const time_piece *before = &t->pieces[i - 1], *at = &t->pieces[i];
        const double end_s = before->time_s + (double)(at->first - before->first) * t->step_s;
        if (at->time_s - end_s < 2 * t->step_s) continue;
        drawing_use(p->to, GAP);
        cairo_rectangle(p->to, panel_x(p, end_s), p->y, panel_x(p, at->time_s) - panel_x(p, end_s),
                        bottom - p->y);
        cairo_fill(p->to);
    }
}

/* The heights of all panels, so that gaps and matches can be drawn behind them. */
static double height_of(const recording *r, const spectrogram *s, size_t channels, double signal)
{
    double height = (double)channels * (signal + BETWEEN) - BETWEEN;
    if (s->bands) height += BETWEEN + 90;
    if (r->n_curves) height += BETWEEN + 62;
    return height;
}

static bool draw_input(figure *f, const recording *r, const timeline *t)
{
    const size_t channels = r->channels < MOST_CHANNELS ? r->channels : MOST_CHANNELS;
    const spectrogram s = r->info.audio ? spectrogram_of(r->info.rate_hz) : (spectrogram){0};
    const double signal = s.bands ? 36 : channels > 1 ? 46 : 80;
    const double top = f->y + BETWEEN, bottom = top + height_of(r, &s, channels, signal);
    panel behind = next_panel(f, t, r, signal);
    f->y = top - BETWEEN;
    draw_gaps(&behind, t, bottom);
    if (!s.bands) panel_shade_matches(&behind, r, t, bottom);
    bool good = true;
    for (size_t k = 0; good && k < channels; k++) {
        panel p = next_panel(f, t, r, signal);
        good = panel_of_signal(&p, r, t, k);
    }
    if (good && s.bands) {
        panel p = next_panel(f, t, r, 90);
        good = panel_of_spectrogram(&p, r, t, &s);
        panel_shade_matches(&behind, r, t, bottom);
    }
    if (good && r->n_curves && r->n_frames) {
        panel p = next_panel(f, t, r, 62);
        good = panel_of_scores(&p, r, t);
    }
    panel p = next_panel(f, t, r, 11);
    panel_of_matches(&p, r, t);
    panel_time_axis(&p, t);
    f->y += AXIS;
    return good;
}

bool figure_add(figure *f, const recording *r)
{
    timeline t;
    timeline_make(&t, r);
    f->y += TITLE;
    drawing_text(f->to, 2, f->y - 5, 0, 10, INK, f->n++ == 0 && f->title[0] ? f->title : r->name);
    f->y -= 4;
    const bool good = draw_input(f, r, &t);
    const cairo_status_t status = cairo_status(f->to);
    if (status) report_of(r->name, "%s", cairo_status_to_string(status));
    return good && !status;
}

static cairo_status_t take_bytes(void *user, const unsigned char *bytes, unsigned n)
{
    text_buffer *text = user;
    text_add(text, (const char *)bytes, n);
    return text->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static void replay(const figure *f, cairo_surface_t *target)
{
    cairo_t *to = cairo_create(target);
    cairo_set_source_rgb(to, 1, 1, 1);
    cairo_paint(to);
    cairo_set_source_surface(to, f->surface, 0, 0);
    cairo_paint(to);
    cairo_destroy(to);
}

bool figure_write(const figure *f, const char *path, bool as_svg)
{
    text_buffer text = {0};
    cairo_surface_t *target =
        as_svg ? cairo_svg_surface_create_for_stream(take_bytes, &text, DRAWING_WIDTH, f->y)
               : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(SCALE * DRAWING_WIDTH),
                                            (int)ceil(SCALE * f->y));
    if (!as_svg) cairo_surface_set_device_scale(target, SCALE, SCALE);
    replay(f, target);
    if (as_svg) cairo_surface_finish(target);
    cairo_status_t status = cairo_surface_status(target);
    if (!as_svg && !status) status = cairo_surface_write_to_png_stream(target, take_bytes, &text);
    cairo_surface_destroy(target);
    if (!status && text.failed) status = CAIRO_STATUS_NO_MEMORY;
    if (status) report_of(path, "%s", cairo_status_to_string(status));
    const bool good = !status && file_replace(path, "picture", false, text.data, text.length);
    free(text.data);
    return good;
}
