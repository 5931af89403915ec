#include "tools/sigrep/output/hold.h"

#include <stdlib.h>

struct hold {
    double seconds;
    writer_match *last; /* of each label; an `end` of 0: none yet */
};

hold *hold_create(double seconds, size_t n_labels)
{
    hold *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->seconds = seconds;
    h->last = calloc(n_labels, sizeof *h->last);
    if (h->last) return h;
    free(h);
    return NULL;
}

void hold_destroy(hold *h)
{
    if (!h) return;
    free(h->last);
    free(h);
}

/* Does the match start within the hold of the last one? */
static bool is_within(double seconds, const writer_match *last, const writer_match *match)
{
    const exact_time begun = last->start_time, over = last->end_time, now = match->start_time;
    if (!match->scale.from_column)
        return (double)(match->start - last->end) < seconds * match->scale.rate_hz;
    if (!exact_time_is_known(begun) || !exact_time_is_known(over) || !exact_time_is_known(now))
        return false;
    return !exact_time_is_before(now, begun) && exact_time_ns_between(over, now) < seconds * 1e9;
}

bool hold_takes(hold *h, size_t label, const writer_match *match)
{
    writer_match *last = &h->last[label];
    if (last->end > 0 && is_within(h->seconds, last, match)) return true;
    *last = *match;
    return false;
}
