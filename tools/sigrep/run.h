/* run.h - the order of work: templates, then each input: open, read, push, print, finish. */
#ifndef TOOLS_SIGREP_RUN_H
#define TOOLS_SIGREP_RUN_H

#include "tools/sigrep/options/options.h"

enum { EXIT_MATCH = 0, EXIT_NO_MATCH = 1 }; /* and EXIT_ERROR */

/* Do what the options ask for. Failures are reported. Returns the exit status. */
int run(const options *o);

#endif
