/*
 * agree.h - where takes must agree (--min-matches): at which threshold would a place be reported?
 *
 * A match of one take with score s is kept at threshold x if s <= x and at least N takes of the
 * label have a match that overlaps it and scores <= x (docs/SEMANTICS.md, "Several templates"). The
 * matches at x are those of all scores that score <= x, as a match only gives way to better ones.
 * So it is kept from the larger of s and the N-th lowest score on, each take by its best match
 * there; of places that overlap, the one that comes first. The program keeps the one with the
 * lowest s: where places overlap in chains it may report one more or fewer.
 */
#ifndef TOOLS_SIGREP_CALIBRATE_AGREE_H
#define TOOLS_SIGREP_CALIBRATE_AGREE_H

#include "tools/sigrep-calibrate/hear.h"

/* From all matches of each take to the places that min_matches > 1 takes agree on, with the score
 * from which on each is one; the rest goes. false without memory. */
bool agree(place_list *list, size_t min_matches);

#endif
