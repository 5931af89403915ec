/*
 * figure.h - recordings as a picture for print, drawn by cairo: for each input its spectrogram or
 * its signal, its scores with their thresholds, and its matches.
 */
#ifndef TOOLS_SIGREP_PLOT_FIGURE_FIGURE_H
#define TOOLS_SIGREP_PLOT_FIGURE_FIGURE_H

#include <stdbool.h>

typedef struct recording recording; /* recording.h */

typedef struct figure figure;

/* The title is borrowed. NULL without memory, which is reported. */
figure *figure_create(const char *title);
void figure_destroy(figure *f); /* NULL is allowed */

/* Draw the next input below the others. false after a failure, which is reported. */
bool figure_add(figure *f, const recording *r);

/* Write all of it, as SVG or PNG. Likewise. */
bool figure_write(const figure *f, const char *path, bool as_svg);

#endif
