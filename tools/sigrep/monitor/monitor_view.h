/*
 * monitor_view.h - what --monitor shows, as text.
 *
 *     mic:  12.3 s  level -23.4 dB, peak -3.1 dB  2 matches
 *     hello    6.21 [========================================]  7
 *     world   12.40 [=======================>                ]  7
 *       3.210  3.840  6.21  hello
 *
 * A bar is as full as the threshold is a part of the score, so it is full at a match.
 */
#ifndef TOOLS_SIGREP_MONITOR_MONITOR_VIEW_H
#define TOOLS_SIGREP_MONITOR_MONITOR_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "io/text_buffer.h"

/* The best score of a label lately. */
typedef struct {
    const char *label;
    double score;     /* infinite: none yet */
    double threshold; /* infinite: there is none */
} monitor_row;

enum { MONITOR_MATCHES = 3, MONITOR_LINES = 16 };

/* Of some values, of all channels. */
typedef struct {
    uint64_t n;
    double sum_squares, low, high;
} monitor_level;

typedef struct {
    const char *name; /* of the input */
    bool rate_known;  /* else samples are shown, not seconds */
    bool is_audio;    /* the level is shown in dB of full scale, else the least and largest value */
    double rate_hz;
    uint64_t samples, matches;
    uint64_t lost, gaps;     /* samples that are missing or not finite, in so many places */
    monitor_level level;     /* lately */
    const monitor_row *rows; /* in the order of the labels */
    size_t n_rows;
    const char *recent[MONITOR_MATCHES]; /* the last matches, the newest first; NULL: none */
} monitor_view;

/* In dB of full scale; minus infinity if all values are 0. */
double monitor_level_db(const monitor_level *level);
double monitor_peak_db(const monitor_level *level);

/* Choose the `most` rows that are nearest to their thresholds, of equal ones the first. Puts their
 * numbers into `chosen`, in the order of the rows, and returns how many there are. */
size_t monitor_nearest(const monitor_view *view, size_t *chosen, size_t most);

/* Add at most MONITOR_LINES lines for a terminal of this size, separated by \r\n. No line fills the
 * last column. Of many labels, those nearest to their thresholds are shown. */
void monitor_draw(text_buffer *out, const monitor_view *view, size_t columns, size_t lines);

/* Add all of it, but for the last matches, as one line with a newline, of at most `most` bytes:
 * further labels are left out. Its form is described in man/sigrep.1. */
void monitor_line(text_buffer *out, const monitor_view *view, size_t most);

#endif
