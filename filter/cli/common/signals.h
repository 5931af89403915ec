/* signals.h - SIGINT and SIGTERM end the stream in good order, by way of a pipe. */
#ifndef FILTER_CLI_COMMON_SIGNALS_H
#define FILTER_CLI_COMMON_SIGNALS_H

#include <stdbool.h>

/* Catch both, once: the next of the same kind kills as usual. A signal that is ignored stays so.
 * Returns a descriptor that becomes readable with the first, or -1 after a failure, which is
 * reported. */
int signals_catch(void);

/* Has there been one? */
bool signals_caught(void);

#endif
