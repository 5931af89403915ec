/*
 * log_file.h - --log FILE: what would be printed is appended to a file, which is standard output
 * then. So nothing else need know of it.
 *
 *     FILE    | lines |--- renamed ---> FILE.1  | lines | more |   SIGHUP
 *                                                              `--> FILE  | lines ...
 *
 * Lines are written whole, and no file is changed for another meanwhile. So none is torn.
 */
#ifndef TOOLS_SIGREP_OUTPUT_LOG_FILE_H
#define TOOLS_SIGREP_OUTPUT_LOG_FILE_H

#include <stdbool.h>

#include "tools/sigrep/output/print.h"

/* Open the file at `path`, which is made if there is none. false after a failure, which is
 * reported. */
bool log_file_open(const char *path);

/* Open it anew, by its name. Any thread may call this. A new file begins with the lines before all
 * matches. After a failure, which is reported, the old file goes on. */
void log_file_reopen(run_outputs *run);

/* Is nothing in the file? */
bool log_file_is_empty(void);

#endif
