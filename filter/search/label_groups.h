/*
 * label_groups.h - templates that share a label answer together (docs/SEMANTICS.md, "Several
 * templates"): of matches that overlap the one with the lowest score/threshold is kept,
 * and with min_matches only where so many templates of the class agree.
 *
 * When is a group of overlapping matches complete? No match that overlaps it can end
 * later than length_max - 1 frames after the group's end. So a group closes at the first
 * frame from there on after which no template of the class has a pending match, or at the
 * end of its span. This is a property of the stream alone, so the order of events does
 * not depend on how it was cut. Classes of one template have nothing to wait for.
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
void label_groups_destroy(label_groups *cl);

/* Let the class of template `index` have a min_matches of its own, the largest that is asked of it.
 * 0 asks for nothing. Before the first step. */
void label_groups_require(label_groups *cl, size_t index, size_t min_matches);

/* How far the stream has come. */
typedef struct {
    uint64_t now;         /* frames consumed; UINT64_MAX: the stream has ended ... */
    uint64_t end;         /* ... after so many frames */
    const uint64_t *gaps; /* the gaps since the last step, ascending */
    size_t n_gaps;
    const uint64_t *pending_since; /* of each template, see search.h */
} label_groups_progress;

/* Take the new matches, and add those that are decided to *events, with `final` set to
 * when that was. */
sigrep_status label_groups_update(label_groups *cl, const match_list *matches,
                                  const label_groups_progress *at, match_list *events);

/* The class of a template: the index of the first template with its label. */
size_t label_groups_of(const label_groups *cl, size_t index);

void label_groups_reset(label_groups *cl);

#endif
