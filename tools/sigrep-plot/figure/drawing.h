/* drawing.h - what the panels of a picture share: colours, frames, axes, text, by cairo. */
#ifndef TOOLS_SIGREP_PLOT_FIGURE_DRAWING_H
#define TOOLS_SIGREP_PLOT_FIGURE_DRAWING_H

#include <stdbool.h>

#include <cairo.h>

#include "tools/sigrep-plot/timeline.h"

enum { TICK_TEXT_SIZE = 48 };

/* Points of 1/72 inch: two columns of a paper. */
static const double DRAWING_WIDTH = 510, DRAWING_LEFT = 42, DRAWING_RIGHT = 8;

typedef struct {
    double r, g, b;
} colour;

static const colour INK = {0.10, 0.15, 0.20}, QUIET = {0.35, 0.40, 0.46}, LINE = {0.75, 0.78, 0.81},
                    SIGNAL = {0.24, 0.35, 0.45}, THRESHOLD = {0.70, 0.15, 0.12},
                    GAP = {0.91, 0.93, 0.95};

/* The i-th label's, as the page has it. */
colour drawing_label(size_t i);

/* 0 (quiet) to 1 (loud). */
colour drawing_loudness(double part);

/* A panel: its box, and the times from left to right. */
typedef struct {
    cairo_t *to;
    double x, y, width, height;
    double from_s, until_s;
    double least, most; /* values from its bottom to its top */
    bool is_whole;      /* ticks are whole numbers */
} panel;

double panel_x(const panel *p, double time_s);
double panel_y(const panel *p, double value);

void drawing_use(cairo_t *to, colour c);

/* Of text in this size, in points. */
double drawing_text_width(cairo_t *to, double size, const char *text);

/* Text whose left end (align 0), middle (0.5) or right end (1) is at x. */
void drawing_text(cairo_t *to, double x, double y, double align, double size, colour c,
                  const char *text);

/* Its name above it, its frame, and an axis of values at its left. */
void panel_frame(const panel *p, const char *name);
void panel_axis(const panel *p);

/* The axis of times below all panels. */
void panel_time_axis(const panel *p, const timeline *t);

#endif
