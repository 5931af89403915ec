/*
 * auto_threshold.h - the threshold `auto` (docs/SEMANTICS.md, "The threshold auto").
 * That of numbers rests on the cost of matching the template by chance, in a stream made of its own
 * frames. That of sounds rests on the template's level.
 */
#ifndef FILTER_SESSION_AUTO_THRESHOLD_H
#define FILTER_SESSION_AUTO_THRESHOLD_H

#include "filter/search/detector.h"
#include "kernels/kernel.h"

/* *level: the level of chance. It is the mean, over 16 orders of the template's blocks, of the
 * median score that the template has in them. 0 if these cost nothing, infinite beyond float32. It
 * takes at most about 10^6 cells. */
sigrep_status auto_level(double *level, const template *x, const kernel_ops *ops);

/* *threshold > 0: mean cost per frame, with three significant digits, the same for every kernel.
 * SIGREP_NO_THRESHOLD if a match by chance costs nothing, or more than float32 holds. */
sigrep_status auto_threshold(double *threshold, const template *x, const kernel_ops *ops);

/* The threshold of a template of sounds, with three significant digits. `level` is above 0,
 * `factor` is that of its front end. n >= 1 templates have its label: more have more false alarms.
 */
double auto_threshold_of_sound(double level, double factor, size_t n);

#endif
