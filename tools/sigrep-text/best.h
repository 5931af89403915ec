/*
 * best.h - the N best matches of each pattern: their lines, until the input ends.
 *
 *     match, as a line --> best_offer --> N of the pattern --> best_take: in order, best first
 */
#ifndef TOOLS_SIGREP_TEXT_BEST_H
#define TOOLS_SIGREP_TEXT_BEST_H

#include <stdint.h>

#include "io/text_buffer.h"

typedef struct {
    size_t distance;
    uint64_t order; /* among equally good ones the first is better */
    char *line;
    size_t length;
} best_line;

/* Begin with a zeroed one. */
typedef struct {
    size_t most; /* of each pattern; the caller sets it */
    struct best_of_pattern *patterns;
    size_t n_patterns;
    uint64_t offered;
} best_list;

/* Keep the line, a copy of it, if it is one of the best of its pattern. false: out of memory. */
bool best_offer(best_list *list, size_t pattern, size_t distance, const char *line, size_t length);

/* Move all lines to `out`, best first. out->failed: out of memory. */
void best_take(best_list *list, text_buffer *out);

void best_free(best_list *list);

#endif
