/*
 * label_groups.h - label groups, the templates of one label (docs/SEMANTICS.md, "Several
 * templates"). Of matches that overlap, the one with the lowest score/threshold is kept, if
 * min_matches templates of the label agree on it.
 *
 *     template a   |-----|                  one group of overlapping matches
 *     template b      |------|
 *                            e           e + L - 1             e + 2L - 1
 *                            |---------------|---------------------|
 *                               it is open     it closes as soon     at the latest
 *                                              as no match of the
 *                                              label is pending
 *
 * L is the longest length_max of the label, e the frame after the group. Times are frames consumed.
 * When are all matches known that overlap the group?
 *
 * - Such a match starts before e, so it ends by e + L - 1.
 * - A rival of a match needs a start within it and at most L frames. So a match is final at most L
 *   frames after its end. So are the matches before it, which ended earlier, and it is not known
 *   before they are final. So all are known at e + 2L - 1.
 * - A match is pending from its first candidate on, or from the finality of the one before it. If
 *   none is pending at a time from e + L - 1 on, those that became final by then are all.
 *
 * A gap or the end of the stream makes all matches before it final, and closes the group. So the
 * close depends on the stream alone. A label of one template need not wait.
 *
 * A group's last start is at most 8L after its first start s, so e <= s + 9L. So a match waits
 * until s + 11L - 1 at the latest.
 *
 * Memory: matches of one template are disjoint and at least length_min >= 1 frames long. Those that
 * are stored end after s. So after an update over C frames a template of T has at most
 * N = (11 L + C) / length_min + 2 of them. Lists move to the front when half is over, so it stores
 * 2 N of them, N in the open group and 2 N times. The scratch for a group has room for 2 N more.
 * These lists alone grow, by doubling: they take less than 500 N bytes a template.
 *
 * Time: a match costs O(T), and O(log) for sorting the matches of an update and of a group.
 */
#ifndef FILTER_SEARCH_LABEL_GROUPS_H
#define FILTER_SEARCH_LABEL_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */
typedef struct match_list match_list;   /* filter/search/match_list.h */
typedef struct template template;       /* filter/search/detector.h */

typedef struct label_groups label_groups;

/* The templates are borrowed during create. The caller destroys it; NULL is allowed there. */
sigrep_status label_groups_create(label_groups **out, const template *templates, size_t n,
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

/* Take the new matches, those of each template in order, and add those that are kept to *decided.
 * Their `final` is the frame at which that was decided. */
sigrep_status label_groups_update(label_groups *groups, const match_list *matches,
                                  const label_groups_progress *at, match_list *decided);

/* The index of the first template with the label of template `index`. */
size_t label_groups_of(const label_groups *groups, size_t index);

/* How many templates of its label must agree. */
size_t label_groups_min_matches(const label_groups *groups, size_t index);

/* The number of matches and times that are stored. */
size_t label_groups_stored(const label_groups *groups);

/* The first frame of the matches that are stored, or `at` if that is earlier. */
uint64_t label_groups_oldest(const label_groups *groups, uint64_t at);

/* Pass over the groups after an update at frame `now`. SIGREP_NO_MEMORY. */
sigrep_status label_groups_pass_state(label_groups *groups, state_bytes *st, uint64_t now);

/* Two searches find the same matches from these times on, at which both were updated. Are those
 * before, so far as they matter, the same, so that the same are kept from there on? */
bool label_groups_agree(const label_groups *groups, uint64_t now, const label_groups *other,
                        uint64_t other_now);

void label_groups_reset(label_groups *groups);

#endif
