/*
 * make_search.h - the library's search (sigrep.h) that fits templates, options and the current
 * input. One search serves all inputs of one rate.
 */
#ifndef TOOLS_SIGREP_MAKE_SEARCH_H
#define TOOLS_SIGREP_MAKE_SEARCH_H

#include <stdbool.h>

typedef struct runner runner; /* tools/sigrep/runner.h */

/* Make r->search before any input is opened, so that bad templates and front ends are reported
 * early. false after a failure, which is reported: no input can be searched. */
bool make_first_search(runner *r);

/* Make r->search fit samples of this rate, or keep it if it does. false after a failure, which is
 * reported. */
bool make_search(runner *r, double rate_hz);

void free_search(runner *r);

/* Does r->search run on this device, "cpu" or "cuda"? false if there is none yet. */
bool search_is_on(const runner *r, const char *device);

/* Report a remark of the library, once a run. NULL and "": there is none. */
void report_remark(runner *r, const char *remark);

#endif
