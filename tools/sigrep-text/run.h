/*
 * run.h - search all inputs, and print matches.
 *
 *     letters.h --> buffer: [history | chunk] --> a search.h for each pattern --> sorted --> writer
 */
#ifndef TOOLS_SIGREP_TEXT_RUN_H
#define TOOLS_SIGREP_TEXT_RUN_H

#include "tools/sigrep-text/options.h"

/* Returns the exit status. */
int run_search(const text_options *o);

#endif
