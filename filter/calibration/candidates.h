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

#endif
