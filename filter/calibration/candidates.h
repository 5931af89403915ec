/* candidates.h - minima of a label's score in a background; matches, if the threshold were higher.
 */
#ifndef FILTER_CALIBRATION_CANDIDATES_H
#define FILTER_CALIBRATION_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double score;          /* divided by the take's weight: compares with the label's threshold */
    double start_s, end_s; /* in its recording */
    size_t recording;      /* index */
    size_t take;           /* of the label's */
} candidate;

typedef struct {
    candidate *items;
    size_t n, capacity;
} candidate_list;

/* false without memory. */
bool candidates_add(candidate_list *list, candidate at);
bool candidates_copy(candidate_list *to, const candidate_list *from);

/* Free the items, not the struct. */
void candidates_free(candidate_list *list);

/*
 * Agreement: candidates of a label whose takes must agree (min_matches > 1).
 *
 * At threshold x, a match with score s stays if s <= x and if N takes agree: N takes of the label
 * have a match that overlaps it and scores <= x (docs/SEMANTICS.md, "Several templates"). So it
 * stays from the larger of two scores on: its own, and the N-th lowest of the best scores that the
 * takes have there.
 *
 *     take a   |---s = 3---|                       N = 2: both takes match from 5 on,
 *     take b        |---s = 5---|                  so one candidate of score 5 is left
 *
 * Of candidates that overlap, the one with the lowest such score is left. A search keeps the one
 * with the lowest s. So in a chain of overlaps it may find one match more or fewer.
 */

/* From all matches of each take to the candidates that min_matches > 1 takes agree on. Their scores
 * become those from which on they stay. The others leave the list. false without memory. */
bool candidates_agree(candidate_list *list, size_t min_matches);

#endif
