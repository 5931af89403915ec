#include "tools/sigrep-plot/figure/figure.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/text_buffer.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/figure/panels.h"
#include "tools/sigrep-plot/recording.h"

static const double TITLE = 20, BETWEEN = 15, AXIS = 18, SCALE = 3 /* pixels a point */;
enum { MOST_CHANNELS = 8 };

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
    if (!timeline_make(&t, r)) return false;
    f->y += TITLE;
    drawing_text(f->to, 2, f->y - 5, 0, 10, INK, f->n++ == 0 && f->title[0] ? f->title : r->name);
    f->y -= 4;
    const bool good = draw_input(f, r, &t);
    timeline_free(&t);
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
