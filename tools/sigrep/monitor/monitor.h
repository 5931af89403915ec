/*
 * monitor.h - what is shown of the current input while it is searched: how far it is (--progress);
 * or level, best scores and last matches (--monitor, --monitor-page).
 *
 *     samples --> monitor_samples --+
 *     scores ---> monitor_scores ---+--> monitor_show --> monitor_view --> terminal: in place
 *     matches --> monitor_match ----+    15 times, or once a second  --> else: a line each
 *                                        after each push --> monitor_page --> browsers
 *
 * A monitor never waits: on a terminal or pipe without room, nothing is shown this time. Without
 * these options there is no monitor, and NULL does nothing in all calls.
 */
#ifndef TOOLS_SIGREP_MONITOR_MONITOR_H
#define TOOLS_SIGREP_MONITOR_MONITOR_H

#include "io/writers/writer.h"
#include "tools/common/templates/template_set.h"

/* Seconds of a clock that never goes back. */
double monotonic_s(void);

/* ---- --progress: a line, a few times a second ---- */

typedef struct {
    bool shown;
    uint64_t total; /* frames of the input, 0: unknown */
    double rate_hz; /* 0: unknown */
    double began_s, shown_s;
    double pause_s;
    size_t number, n_inputs; /* this input, from 1, of so many */
} progress;

void progress_begin(progress *p, bool shown, uint64_t total, double rate_hz, size_t number,
                    size_t n_inputs);
/* Print the line if the last one is old enough. part: of the input's bytes, if `total` is unknown;
 * negative: unknown, too. */
void progress_show(progress *p, uint64_t frames, double part, uint64_t matches);

/* ---- --monitor, --monitor-page ---- */

typedef struct monitor monitor;           /* of one input */
typedef struct monitor_page monitor_page; /* tools/sigrep/monitor/monitor_page.h */

/* An input begins, and has its search. It is shown on the page; NULL: on standard error. All is
 * borrowed, name and set as long as the page. NULL: out of memory. */
monitor *monitor_create(const char *name, const source_info *info, const template_set *set,
                        const sigrep *search, monitor_page *page);

/* The input is over, after so many samples and matches: print the last line, or wipe the display
 * off the terminal. The page keeps it. Frees m. */
void monitor_finish(monitor *m, uint64_t samples, uint64_t matches);

/* n samples were searched. */
void monitor_samples(monitor *m, const float *samples, size_t n);

/* n samples are missing here. */
void monitor_gap(monitor *m, uint64_t n);

/* Scores as a sigrep_scores_fn gets them. */
void monitor_scores(monitor *m, const float *scores, size_t n_frames);

/* A match that counts, of this template. */
void monitor_match(monitor *m, size_t template_index, time_style times, const writer_match *match);

/* Show it all, if the last time is long enough ago. */
void monitor_show(monitor *m, uint64_t samples, uint64_t matches);

#endif
