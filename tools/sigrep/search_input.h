/* search_input.h - one input from its opening to its last match. */
#ifndef TOOLS_SIGREP_SEARCH_INPUT_H
#define TOOLS_SIGREP_SEARCH_INPUT_H

typedef struct runner runner;             /* tools/sigrep/runner.h */
typedef struct listed_input listed_input; /* tools/sigrep/inputs.h */

/* Search this input; sets failed, matched and over. */
void search_input(runner *r, const listed_input *listed);

/* Free the read buffers. */
void search_input_free(runner *r);

#endif
