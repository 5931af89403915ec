/*
 * agreement.h - candidates of a label whose takes must agree (min_matches > 1).
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
#ifndef FILTER_CALIBRATION_AGREEMENT_H
#define FILTER_CALIBRATION_AGREEMENT_H

#include "filter/calibration/candidates.h"

/* From all matches of each take to the candidates that min_matches > 1 takes agree on. Their scores
 * become those from which on they stay. The others leave the list. false without memory. */
bool candidates_agree(candidate_list *list, size_t min_matches);

#endif
