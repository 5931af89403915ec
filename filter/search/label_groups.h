/*
 * label_groups.h - label groups, the templates of one label (docs/SEMANTICS.md, "Several
 * templates"). Of matches that overlap, the one with the lowest score/threshold is kept, if
 * min_matches templates of the label agree on it.
 *
 *     template a   |-----|                  one group of overlapping matches
 *     template b      |------|
 *                            |-- length_max - 1 --> it closes, unless a match is pending
 *
 * When is a group of overlapping matches complete? A match that overlaps it ends at most
 * length_max - 1 frames after the group's end. So the group closes at the first frame from there on
 * at which no template of the label has a pending match, or at the end of its span. That frame
 * depends on the stream alone, so the order of matches does not depend on how the stream was cut. A
 * label of one template need not wait.
 */
#ifndef FILTER_SEARCH_LABEL_GROUPS_H
#define FILTER_SEARCH_LABEL_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct match_list match_list; /* filter/search/match_list.h */

typedef struct {
    const char *label;   /* borrowed during create */
    size_t length;       /* m, frames */
    uint64_t length_max; /* of the length gate */
    double threshold;
} label_group_member;

typedef struct label_groups label_groups;

/* One member a template. The caller destroys it; NULL is allowed there. */
sigrep_status label_groups_create(label_groups **out, const label_group_member *members, size_t n,
                                  size_t min_matches);
void label_groups_destroy(label_groups *groups);

/* Give the label of template `index` a min_matches of its own, the largest that its templates ask
 * for. 0 asks for nothing. To be called before the first update. */
void label_groups_require(label_groups *groups, size_t index, size_t min_matches);

/* The place in the stream. */
typedef struct {
    uint64_t now;         /* frames consumed; UINT64_MAX: the stream has ended */
    uint64_t end;         /* frames of the stream, if it has ended */
    const uint64_t *gaps; /* the gaps since the last update, ascending */
    size_t n_gaps;
    const uint64_t *pending_since; /* search_pending_since of each template */
} label_groups_progress;

/* Take the new matches, and add those that are kept to *decided. Their `final` is the frame at
 * which that was decided. */
sigrep_status label_groups_update(label_groups *groups, const match_list *matches,
                                  const label_groups_progress *at, match_list *decided);

/* The index of the first template with the label of template `index`. */
size_t label_groups_of(const label_groups *groups, size_t index);

void label_groups_reset(label_groups *groups);

#endif
