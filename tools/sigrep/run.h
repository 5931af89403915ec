/* run.h - what the program does, as its options ask. Failures are reported; each function returns
 * the exit status. */
#ifndef TOOLS_SIGREP_RUN_H
#define TOOLS_SIGREP_RUN_H

#include "tools/sigrep/options/options.h"

enum { EXIT_MATCH = 0, EXIT_NO_MATCH = 1 }; /* and EXIT_ERROR */

/* Search all inputs: templates, then each input: open, read, push, print, finish. */
int run(const options *o);

/* On standard output, what is in a bundle (--show). */
int list_bundle(const char *path);

/* On standard output the microphones, one a line: the name as INPUT, channels, rate, "default". */
int list_microphones(void);

#endif
