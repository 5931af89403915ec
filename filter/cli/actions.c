#include "filter/cli/actions.h"

#include <stdlib.h>

#include "filter/cli/hold.h"
#include "filter/cli/runner.h"

struct actions {
    hold *hold; /* NULL: not wanted */
};

bool actions_begin(runner *r)
{
    const options *o = r->o;
    if (o->hold_s == 0) return true;
    actions *a = r->input.actions = calloc(1, sizeof *a);
    return a && (a->hold = hold_create(o->hold_s, r->set.n));
}

void actions_end(runner *r)
{
    actions *a = r->input.actions;
    if (!a) return;
    hold_destroy(a->hold);
    free(a);
    r->input.actions = NULL;
}

bool actions_hold(runner *r, size_t label, const writer_match *match)
{
    actions *a = r->input.actions;
    if (!a || !a->hold || !hold_takes(a->hold, label, match)) return false;
    r->totals.held++;
    return true;
}
