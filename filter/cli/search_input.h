/* search_input.h - one input from its opening to its last match. */
#ifndef FILTER_CLI_SEARCH_INPUT_H
#define FILTER_CLI_SEARCH_INPUT_H

typedef struct runner runner; /* filter/cli/runner.h */

/* Search the input named `path`; sets failed, matched and over. */
void search_input(runner *r, const char *path);

/* Free the read buffers. */
void search_input_free(runner *r);

#endif
