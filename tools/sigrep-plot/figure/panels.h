/* panels.h - the panels of a picture (figure.h). */
#ifndef TOOLS_SIGREP_PLOT_FIGURE_PANELS_H
#define TOOLS_SIGREP_PLOT_FIGURE_PANELS_H

#include "tools/sigrep-plot/figure/drawing.h"
#include "tools/sigrep-plot/levels.h"

/* Each draws into the box of *p, and returns false after a failure, which is reported. */
bool panel_of_signal(panel *p, const recording *r, const timeline *t, size_t channel);
bool panel_of_spectrogram(panel *p, const recording *r, const timeline *t, const spectrogram *s);
bool panel_of_scores(panel *p, const recording *r, const timeline *t);
void panel_of_matches(panel *p, const recording *r, const timeline *t);

/* Matches as shades behind the other panels, down to `bottom`. */
void panel_shade_matches(const panel *p, const recording *r, const timeline *t, double bottom);

#endif
