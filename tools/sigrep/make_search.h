/*
 * make_search.h - the library's search (sigrep.h) that fits templates, options and the current
 * input. One search serves all inputs of one rate.
 */
#ifndef TOOLS_SIGREP_MAKE_SEARCH_H
#define TOOLS_SIGREP_MAKE_SEARCH_H

#include "io/source.h"
#include "io/spool.h"

typedef struct worker worker; /* tools/sigrep/worker.h */

/* A worker's search. */
typedef struct {
    sigrep *search;     /* NULL until the first is needed */
    double rate_hz;     /* that it fits */
    spool *store;       /* of a best-of search, or NULL */
    double *thresholds; /* of its templates, for messages */
    size_t threads;
    const char *device;
} search_slot;

/* Make the search before any input is opened, so that bad templates and front ends are reported
 * early. false after a failure, which is reported: no input can be searched. */
bool make_first_search(worker *w);

/* Make the search fit the input, or keep it if it does. false after a failure, which is reported.
 */
bool make_search(worker *w, const source_info *info);

void free_search(worker *w);

/* Does the search run on this device, "cpu" or "cuda"? false if there is none yet. */
bool search_is_on(const worker *w, const char *device);

/* Report a remark of the library on the search, once a run. */
void report_remark(worker *w);

#endif
