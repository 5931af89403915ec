/* run.h - the order of work: templates, then each input: open, read, push, print, finish. */
#ifndef FILTER_CLI_RUN_H
#define FILTER_CLI_RUN_H

#include "filter/cli/options.h"

enum { EXIT_MATCH = 0, EXIT_NO_MATCH = 1, EXIT_ERROR = 2 };

/* Do what the options ask for and say on standard error what went wrong. The status to
 * exit with. */
int run(const options *o);

/* Print the microphones, one a line: what to write as INPUT, channels, rate, "default". */
int run_list_devices(void);

#endif
