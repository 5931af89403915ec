/* places.h - the scores of all disjoint places of recordings at which a template could match. */
#ifndef TOOLS_SIGREP_CALIBRATE_PLACES_H
#define TOOLS_SIGREP_CALIBRATE_PLACES_H

#include "tools/common/options/shared_options.h"
#include "tools/common/templates/template_set.h"

typedef struct {
    double *scores; /* ascending */
    size_t n, capacity;
    const char *best_input; /* where the lowest score is; NULL without one */
    double best_s;          /* its start */
} place_list;

/* Search the inputs of the options for the set's one template, with any score accepted: its matches
 * are what `sigrep` finds at a threshold, if they score no more. SIGINT and SIGTERM end it early.
 * false after a failure, which is reported. places_free is due in any case. */
bool places_search(place_list *list, const template_set *set, const shared_options *o);

void places_free(place_list *list);

#endif
