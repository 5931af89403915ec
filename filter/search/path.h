/*
 * path.h - the warping path of a match: which frames of the template and of the stream it pairs.
 *
 *     row  ^      middle
 *          |        :      o B
 *          |        :  o o
 *          |      o o
 *          |  A o   :
 *          +------------------> column
 *
 * Columns are computed from A to B. From the middle on, each cell carries the row at which its path
 * left the middle column. So B knows a third cell of the path, and its D. Then A to middle and
 * middle to B are solved likewise.
 *
 * That is Hirschberg's divide and conquer (CACM 18, 1975), but forwards only. So costs are added in
 * the order of the path, and every D has the bits of the search. Paths that avoid a cell of the
 * chosen path may be left out: that raises some D, but none on the chosen path. So its cells choose
 * the same neighbours, ties included.
 *
 * The two parts have half as many cells as the whole. So a path takes twice the cells of its match
 * at most, and memory for a few columns. Cells above the D of the last pair are not computed.
 */
#ifndef FILTER_SEARCH_PATH_H
#define FILTER_SEARCH_PATH_H

#include "filter/status.h"
#include "sigrep.h"

/* Frames of `dim` values, borrowed. */
typedef struct path_problem {
    const float *x; /* the template: m frames */
    size_t m;
    const float *y; /* the match: n frames from its start to its end */
    size_t n;
    size_t dim;
    float d;       /* D(m,n): no cell of the path is higher */
    bool has_band; /* the path has no cell with |i - t| > band */
    size_t band;
    const stopping *stop;
} path_problem;

/* Find the path of docs/SEMANTICS.md from the first frames to the last ones. Sets template_frame,
 * match_frame and cost of each pair. `pairs` has room for m + n - 1 of them; *n_pairs is their
 * number. SIGREP_NO_MEMORY. SIGREP_STOPPED: a question of `stop` was answered so. SIGREP_BAD_STATE:
 * no path has this D. */
sigrep_status path_find(const path_problem *p, sigrep_pair *pairs, size_t *n_pairs);

#endif
