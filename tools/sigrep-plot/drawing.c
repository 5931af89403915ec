#include "tools/sigrep-plot/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/text_buffer.h"
#include "io/time/time_format.h"
#include "io/escape.h"

static const double NAME_SIZE = 7.5, TICK_SIZE = 7;

static colour of_rgb(unsigned rgb)
{
    return (colour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

colour drawing_label(size_t i)
{
    static const unsigned labels[] = {0xc44e00, 0x00805f, 0xa8518a, 0x8a6d00,
                                      0x0072b2, 0x3a7fae, 0x6b4fa0, 0x5a6775};
    return of_rgb(labels[i % (sizeof labels / sizeof *labels)]);
}

colour drawing_loudness(double part)
{
    static const unsigned ramp[] = {0xffffff, 0xd7e6f2, 0x8fbbdc, 0x3c83bd, 0x12508c, 0x051f45};
    const double at = 5 * (part < 0 ? 0 : part > 1 ? 1 : part);
    const int i = at < 5 ? (int)at : 4;
    const colour a = of_rgb(ramp[i]), b = of_rgb(ramp[i + 1]);
    const double k = at - i;
    return (colour){a.r + k * (b.r - a.r), a.g + k * (b.g - a.g), a.b + k * (b.b - a.b)};
}

double panel_x(const panel *p, double time_s)
{
    return p->x + (time_s - p->from_s) / (p->until_s - p->from_s) * p->width;
}

double panel_y(const panel *p, double value)
{
    return p->y + p->height - (value - p->least) / (p->most - p->least) * p->height;
}

void drawing_use(cairo_t *to, colour c)
{
    cairo_set_source_rgb(to, c.r, c.g, c.b);
}

/* After a byte that is no UTF-8, cairo would draw nothing more: each becomes U+FFFD. The caller
 * frees it; NULL without memory. */
static char *as_utf8(const char *text)
{
    text_buffer shown = {0};
    while (*text) {
        const size_t n = utf8_first(text);
        text_add(&shown, n ? text : "\xef\xbf\xbd", n ? n : 3);
        text += n ? n : 1;
    }
    text_add(&shown, "", 1);
    if (!shown.failed) return shown.data;
    free(shown.data);
    return NULL;
}

double drawing_text_width(cairo_t *to, double size, const char *text)
{
    cairo_text_extents_t extents = {0};
    char *shown = as_utf8(text);
    cairo_set_font_size(to, size);
    if (shown) cairo_text_extents(to, shown, &extents);
    free(shown);
    return extents.x_advance;
}

void drawing_text(cairo_t *to, double x, double y, double align, double size, colour c,
                  const char *text)
{
    const double width = drawing_text_width(to, size, text);
    char *shown = as_utf8(text);
    drawing_use(to, c);
    cairo_move_to(to, x - align * width, y);
    if (shown) cairo_show_text(to, shown);
    free(shown);
}

void panel_frame(const panel *p, const char *name)
{
    drawing_use(p->to, LINE);
    cairo_set_line_width(p->to, 0.5);
    cairo_rectangle(p->to, p->x, p->y, p->width, p->height);
    cairo_stroke(p->to);
    drawing_text(p->to, p->x, p->y - 3, 0, NAME_SIZE, INK, name);
}

static void tick_mark(const panel *p, double x, double y, double dx, double dy)
{
    drawing_use(p->to, LINE);
    cairo_set_line_width(p->to, 0.5);
    cairo_move_to(p->to, x, y);
    cairo_line_to(p->to, x + dx, y + dy);
    cairo_stroke(p->to);
}

void panel_axis(const panel *p)
{
    const double step = tick_step(p->most - p->least, fmax(3, floor(p->height / 12)));
    for (double i = ceil(p->least / step - 1e-9); i * step <= p->most + 1e-9 * step; i++) {
        char text[TICK_TEXT_SIZE];
        const double y = panel_y(p, i * step);
        tick_text(text, i * step, step);
        tick_mark(p, p->x, y, -2.5, 0);
        drawing_text(p->to, p->x - 4, y + 2.5, 1, TICK_SIZE, QUIET, text);
    }
}

void panel_time_axis(const panel *p, const timeline *t, const source_info *info)
{
    const double shift = t->counts ? 0 : tick_shift(t, info), span = p->until_s - p->from_s;
    const double step = t->counts ? fmax(1, tick_step(span, 8)) : tick_time_step(span, 8);
    const double bottom = p->y + p->height;
    const bool has_date = info->times == SOURCE_ISO || info->times == SOURCE_EPOCH;
    for (double i = ceil((p->from_s + shift) / step - 1e-9); i * step - shift <= p->until_s; i++) {
        char text[TICK_TEXT_SIZE];
        const double x = panel_x(p, i * step - shift);
        tick_time_text(text, t, info, i * step, step);
        tick_mark(p, x, bottom, 0, 2.5);
        if (has_date && x < p->x + 18) continue;
        drawing_text(p->to, x, bottom + 10, 0.5, TICK_SIZE, QUIET, text);
    }
    const char *unit = t->counts ? "samples" : step < 15 && shift == 0 ? "s" : "";
    if (has_date) {
        char date[TIME_TEXT_SIZE];
        const time_scale scale = {.rate_hz = 1, .from_column = true};
        time_format(date, TIME_CLOCK, &scale, (time_point){.time = t->origin});
        date[strcspn(date, "T")] = '\0';
        drawing_text(p->to, p->x - DRAWING_LEFT + 2, bottom + 10, 0, TICK_SIZE, QUIET, date);
    } else {
        drawing_text(p->to, p->x - DRAWING_LEFT + 2, bottom + 10, 0, TICK_SIZE, QUIET, unit);
    }
}
