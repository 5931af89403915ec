/* monitor_json.h - what --monitor-page shows, as JSON. Its members are described in man/sigrep.1.
 */
#ifndef TOOLS_SIGREP_MONITOR_MONITOR_JSON_H
#define TOOLS_SIGREP_MONITOR_MONITOR_JSON_H

#include "io/text_buffer.h"
#include "io/time/time_format.h"
#include "tools/sigrep/monitor/monitor_view.h"

enum { PAGE_LABELS = 100, PAGE_MATCHES = 20 };

/* A match on the page. Names are borrowed. */
typedef struct {
    const char *input, *label;
    char start[TIME_TEXT_SIZE], end[TIME_TEXT_SIZE];
    double score;
} shown_match;

typedef struct {
    monitor_view view;                 /* its name is NULL before the first input */
    shown_match matches[PAGE_MATCHES]; /* the last ones of the run, the newest first */
    size_t n_matches;
} monitor_snapshot;

/* Add it as one object, with at most PAGE_LABELS labels, those nearest to their thresholds. */
void monitor_json(text_buffer *out, const monitor_snapshot *snapshot);

#endif
