/*
 * matches.h - the matches of an input, with their warping paths.
 *
 * A path is two bytes for each pair after the first, and two for that one:
 *
 *     step   bit 0: the template's frame goes on by one; bit 1: the match's frame does
 *     cost   of the pair, 0 to 255 of the path's highest cost
 */
#ifndef TOOLS_SIGREP_PLOT_MATCHES_H
#define TOOLS_SIGREP_PLOT_MATCHES_H

#include "io/text_buffer.h"
#include "sigrep.h"

typedef struct {
    uint64_t start, end; /* samples, [start, end) */
    double score, threshold;
    size_t template_index;
    size_t path, n_pairs; /* its first byte in `paths`; 0 pairs: no path is kept */
    size_t template_frames, match_frames;
} plot_match;

typedef struct {
    plot_match *items;
    size_t n;
    text_buffer paths; /* bytes */
} match_list;

/* Add a match, and the path that the search gives in its on_match. false without memory. */
bool matches_add(match_list *list, const sigrep_match *m, const sigrep_pair *pairs, size_t n);
void matches_free(match_list *list);

/* Is there room for the path of another match? If not, none needs to be made. */
bool matches_want_path(const match_list *list);

#endif
