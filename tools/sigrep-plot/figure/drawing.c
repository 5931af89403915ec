#include "tools/sigrep-plot/figure/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/escape.h"
#include "io/text_buffer.h"
#include "io/time/time_format.h"

static const double NAME_SIZE = 7.5, TICK_SIZE = 7;
enum { DAY_S = 86400, LONG_S = 120 };

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

/* ---- Ticks ------------------------------------------------------------------------------ */

/* The least round step (1, 2 or 5 times a power of ten) that `most` ticks or fewer fill. */
static double tick_step(double span, double most)
{
    const double wanted = span / most, power = pow(10, floor(log10(wanted)));
    static const double steps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= wanted) return steps[i] * power;
    return 10 * power;
}

/* The same of seconds: also 15 s, 30 s, minutes, hours, days. */
static double tick_time_step(double span_s, double most)
{
    static const double steps[] = {2,   5,    10,   15,   30,    60,    120,   300,  600,
                                   900, 1800, 3600, 7200, 10800, 21600, 43200, DAY_S};
    if (span_s / most <= 1) return tick_step(span_s, most);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] >= span_s / most) return steps[i];
    return DAY_S * tick_step(span_s / DAY_S, most);
}

static int decimals_of(double step)
{
    const double decimals = -floor(log10(step * 1.0001));
    return decimals > 0 ? decimals < 9 ? (int)decimals : 9 : 0;
}

/* A value at a tick. */
static void tick_text(char text[TICK_TEXT_SIZE], double value, double step)
{
    if (fabs(value) < step / 2) value = 0;
    if (fabs(value) >= 1e6 || step < 1e-6)
        snprintf(text, TICK_TEXT_SIZE, "%.3g", value);
    else
        snprintf(text, TICK_TEXT_SIZE, "%.*f", decimals_of(step), value);
}

/* What is added to times so that ticks are at round ones. */
static double tick_shift(const timeline *t)
{
    if (!exact_time_is_known(t->origin)) return 0;
    if (!t->has_dates) return exact_time_as_double(t->origin);
    const int64_t days = t->origin.seconds / DAY_S - (t->origin.seconds % DAY_S < 0);
    return (double)(t->origin.seconds - days * DAY_S) + (double)t->origin.ns / 1e9;
}

/* A time of the timeline at a tick: seconds, m:ss if the input is longer than two minutes, or the
 * time of the day. */
static void tick_time_text(char text[TICK_TEXT_SIZE], const timeline *t, double time_s, double step)
{
    const int decimals = decimals_of(step);
    const double rounded = round(time_s / step) * step + 0.0; /* -0 */
    const double day_s = t->has_dates ? fmod(rounded, DAY_S) : rounded;
    const int hours = (int)(day_s / 3600), minutes = (int)(day_s / 60) % 60;
    const double seconds = day_s - 3600.0 * hours - 60.0 * minutes;
    const int width = decimals ? decimals + 3 : 2;
    if (t->counts)
        snprintf(text, TICK_TEXT_SIZE, "%.0f", rounded);
    else if (t->has_dates && !(step < DAY_S))
        snprintf(text, TICK_TEXT_SIZE, "%.0f d", rounded / DAY_S);
    else if (t->has_dates)
        snprintf(text, TICK_TEXT_SIZE, "%02d:%02d:%0*.*f", hours, minutes, width, decimals,
                 seconds);
    else if (rounded < 0 || step * 8 < 1 || rounded > 1e7)
        tick_text(text, rounded, step);
    else if (hours)
        snprintf(text, TICK_TEXT_SIZE, "%d:%02d:%0*.*f", hours, minutes, width, decimals, seconds);
    else if (step >= LONG_S / 8)
        snprintf(text, TICK_TEXT_SIZE, "%d:%0*.*f", minutes, width, decimals, seconds);
    else
        tick_text(text, rounded, step);
}

void panel_axis(const panel *p)
{
    const double most = fmax(3, floor(p->height / 12));
    const double step = fmax(p->is_whole ? 1 : 0, tick_step(p->most - p->least, most));
    for (double i = ceil(p->least / step - 1e-9); i * step <= p->most + 1e-9 * step; i++) {
        char text[TICK_TEXT_SIZE];
        const double y = panel_y(p, i * step);
        tick_text(text, i * step, step);
        tick_mark(p, p->x, y, -2.5, 0);
        drawing_text(p->to, p->x - 4, y + 2.5, 1, TICK_SIZE, QUIET, text);
    }
}

void panel_time_axis(const panel *p, const timeline *t)
{
    const double shift = t->counts ? 0 : tick_shift(t), span = p->until_s - p->from_s;
    const double step = t->counts ? fmax(1, tick_step(span, 8)) : tick_time_step(span, 8);
    const double bottom = p->y + p->height;
    char text[TIME_TEXT_SIZE + TICK_TEXT_SIZE] = "";
    for (double i = ceil((p->from_s + shift) / step - 1e-9); i * step - shift <= p->until_s; i++) {
        const double x = panel_x(p, i * step - shift);
        tick_time_text(text, t, i * step, step);
        tick_mark(p, x, bottom, 0, 2.5);
        if (t->has_dates && x < p->x + 18) continue;
        drawing_text(p->to, x, bottom + 10, 0.5, TICK_SIZE, QUIET, text);
    }
    const char *unit = t->counts ? "samples" : step < 15 && shift == 0 ? "s" : "";
    if (t->has_dates) {
        const time_scale scale = {.rate_hz = 1, .from_column = true};
        time_format(text, TIME_CLOCK, &scale, (time_point){.time = t->origin});
        text[strcspn(text, "T")] = '\0';
        unit = text;
    }
    drawing_text(p->to, p->x - DRAWING_LEFT + 2, bottom + 10, 0, TICK_SIZE, QUIET, unit);
}
