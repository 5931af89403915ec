/* merge.h - the results of all shards as one output. */
#ifndef TOOLS_SIGREP_SHARDS_MERGE_H
#define TOOLS_SIGREP_SHARDS_MERGE_H

#include <stdbool.h>
#include <stddef.h>

/* Join the results in these files on standard output. The exit status: 0 there is a match, 1 there
 * is none, 2 after a failure or a refusal, which is reported; then nothing was written, unless
 * writing itself failed. */
int merge(char **files, size_t n);

#endif
