/* search_input.h - one input from its opening to its last match. */
#ifndef FILTER_CLI_SEARCH_INPUT_H
#define FILTER_CLI_SEARCH_INPUT_H

typedef struct runner runner;             /* filter/cli/runner.h */
typedef struct listed_input listed_input; /* filter/cli/inputs.h */

/* Search this input; sets failed, matched and over. */
void search_input(runner *r, const listed_input *listed);

/* Free the read buffers. */
void search_input_free(runner *r);

#endif
