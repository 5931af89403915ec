/* ticks.h - round values for axes, and their texts. */
#ifndef TOOLS_SIGREP_PLOT_TICKS_H
#define TOOLS_SIGREP_PLOT_TICKS_H

#include "io/source.h"
#include "tools/sigrep-plot/timeline.h"

enum { TICK_TEXT_SIZE = 48 };

/* The least round step (1, 2 or 5 times a power of ten) that `most` ticks or fewer fill. */
double tick_step(double span, double most);

/* The same of seconds: also 15 s, 30 s, minutes, hours, days. */
double tick_time_step(double span_s, double most);

/* A value at a tick. */
void tick_text(char text[TICK_TEXT_SIZE], double value, double step);

/* A time of the timeline at a tick: seconds, m:ss if the input is longer than two minutes, or the
 * time of the day. */
void tick_time_text(char text[TICK_TEXT_SIZE], const timeline *t, const source_info *info,
                    double time_s, double step);

/* What is added to times so that ticks are at round ones. */
double tick_shift(const timeline *t, const source_info *info);

#endif
