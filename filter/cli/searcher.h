/*
 * searcher.h - the library's search (sigrep.h) that fits templates, options and the input at hand.
 * One search serves all inputs of one rate.
 */
#ifndef FILTER_CLI_SEARCHER_H
#define FILTER_CLI_SEARCHER_H

#include "filter/cli/runner.h"

/* Make r->search fit samples of this rate, or keep it if it does. Reports a failure and returns the
 * status of sigrep_create. */
sigrep_status searcher_ensure(runner *r, double rate_hz);

/* Make a search before any input is opened, so that bad templates and front ends are reported
 * early. false: no input can be searched. */
bool searcher_try(runner *r);

void searcher_free(runner *r);

/* Report a remark of the library, once a run. NULL and "": there is none. */
void searcher_note(runner *r, const char *remark);

#endif
