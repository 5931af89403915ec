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

/* Write all of it. Likewise. */
bool figure_write_svg(figure *f, const char *path);
bool figure_write_png(figure *f, const char *path);

#endif
