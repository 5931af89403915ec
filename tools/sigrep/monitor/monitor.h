/*
 * monitor.h - level, best scores and last matches of the current input, on standard error while it
 * is searched (--monitor).
 *
 *     samples --> monitor_samples --+
 *     scores ---> monitor_scores ---+--> monitor_show --> monitor_view --> terminal: in place
 *     matches --> monitor_match ----+    15 times, or once a second  --> else: a line each
 *
 * It never waits: on a terminal or pipe without room, nothing is shown this time. The runner's
 * current_input holds the monitor; without --monitor there is none, and all calls do nothing.
 */
#ifndef TOOLS_SIGREP_MONITOR_MONITOR_H
#define TOOLS_SIGREP_MONITOR_MONITOR_H

#include "io/source.h"
#include "io/writers/writer.h"

typedef struct runner runner;   /* tools/sigrep/runner.h */
typedef struct monitor monitor; /* of one input: current_input.monitor */

/* The current input begins, and has its search: set its `monitor`. false: out of memory.
 * monitor_end follows in any case. */
bool monitor_begin(runner *r, const source_info *info);

/* The input is over: print the last line, or wipe the display off the terminal. */
void monitor_end(runner *r);

/* n samples are about to be searched. */
void monitor_samples(runner *r, const float *samples, size_t n);

/* Scores as a sigrep_scores_fn gets them. */
void monitor_scores(runner *r, const float *scores, size_t n_frames);

/* A match that counts. */
void monitor_match(runner *r, const writer_match *match);

/* Show it all, if the last time is long enough ago. */
void monitor_show(runner *r);

#endif
