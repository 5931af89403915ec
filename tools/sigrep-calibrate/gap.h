/*
 * gap.h - the gap between the scores of matches and those of all other places.
 *
 *     places
 *      ^      matches                          other places
 *      |       ##                                ######
 *      |     ######                           ############
 *      |   ##########                   ##  ################
 *      +---|-------|---------|----------|-------|-----------> score
 *          | below |        gap         | above |
 *                        threshold
 *
 * Of n places below a gap and k above it, m = min(n, k) on either side say how far scores lie apart
 * by chance. A gap is as wide as this one, the larger the clearer:
 *
 *     clearness = sqrt(m - 2) width / (below + above)
 *
 * `below` is the range of the m scores next below the gap, without the best score of all, which may
 * be the template itself. `above` is the range of the m scores next above it, and of at least 20.
 * Scores of whole numbers have steps, so equal scores count once, and a range of fewer than m is
 * scaled up. One in a hundred of m places may lie in the gap. docs/lab/calibration.md measures the
 * limit 1.5.
 */
#ifndef TOOLS_SIGREP_CALIBRATE_GAP_H
#define TOOLS_SIGREP_CALIBRATE_GAP_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer places on a side of a gap say nothing. */
enum { GAP_LEAST_BELOW = 3, GAP_LEAST_ABOVE = 10 };

/* Gaps of this clearness are clear. */
#define GAP_CLEAR 1.5

typedef struct {
    double low, high; /* the scores beside the gap */
    double clearness;
    double threshold; /* its middle, in as few digits as it has room for, but three */
    size_t n_below;   /* places with scores up to `low` */
    size_t n_matches; /* ... up to the threshold */
    /* One or two best places lie as far from the others as matches of a clear gap do: their number,
     * which is too small for a gap. 0: they do not. */
    size_t few;
} score_gap;

typedef enum { GAP_FOUND, GAP_TOO_FEW_PLACES, GAP_NO_MEMORY } gap_status;

/* Find the clearest gap of n ascending scores, >= 0. */
gap_status gap_find(score_gap *gap, const double *scores, size_t n);

#endif
