/*
 * output_place.h - how far standard output was written, if it is a file.
 *
 *     file   | printed before the save | printed after it, again by this run |
 *                                      ^ cut off here
 */
#ifndef TOOLS_SIGREP_STATE_OUTPUT_PLACE_H
#define TOOLS_SIGREP_STATE_OUTPUT_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    bool is_file;
    uint64_t device, inode; /* of the file */
    uint64_t at;            /* bytes */
    uint64_t end;           /* where the run before ended the file, `at` or later ... */
    bool is_end_known;      /* ... if it was not killed */
} output_place;

/* Where standard output stands. */
output_place output_place_now(void);

/* Can a run go on whose output was at this place? It can in the same file, in a new one, which is
 * empty, and in anything that is no file. NULL, or why not. */
const char *output_place_refuses(const output_place *before);

/* Cut off what was printed after this place. false: nothing was cut, since standard output is no
 * file, or another one, or others have written after the end. *failure becomes 0 or an errno. */
bool output_place_return(const output_place *before, int *failure);

/* Store what was written. Returns 0 or an errno. */
int output_place_store(const output_place *now);

#endif
