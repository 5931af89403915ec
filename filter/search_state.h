/* search_state.h - what search.c and search_follow.c share: small steps of a search, in
 * search_state.c, and the call from the one to the other. */
#ifndef FILTER_SEARCH_STATE_H
#define FILTER_SEARCH_STATE_H

#include "filter/search.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The highest D that still matters. */
float search_bound(const search *se);

/* The first frame at which a path from the origin can have the least length. */
uint64_t search_first_end(const search *se);

/* The end of the block of frame `at`, or `limit` if that is earlier. */
uint64_t search_end_of_block(uint64_t at, uint64_t limit);

/* May a path from the origin end as a candidate in frames [from, to)? It began length_max
 * before one of them at most; what it costs at least is soon told. */
bool search_may_end(const search *se, const sweep_step *in, uint64_t from, uint64_t to);

/* Rule 1, or for the lowest of all: overlap does not matter, equals go to the earlier. Is this
 * the best now? */
bool search_take(search *se, const trace_end *end);

/* Tell the pending match, which `now` frames made final (0: that is late). Its times are those of
 * the match alone yet. */
sigrep_status search_tell(search *se, uint64_t now, found_list *out);

/* When were those that are late final? */
sigrep_status search_find_late(search *se, const sweep_step *in, found_list *out);

/* The columns [from, to), both kept ones, through which the sweep carried starts: with nothing
 * pending at first. At the end the trace is at `to`, or before, where a doubt came up. */
sigrep_status search_follow(search *se, const sweep_step *in, uint64_t from, uint64_t to,
                            found_list *out);

#endif
