/*
 * measured.h - the milliseconds that a GPU took, by m and by the number of blocks D. A file:
 *
 *     # a comment
 *     width 32        threads of a warp
 *     dmms 16         multiprocessors
 *     resident 8      blocks that a multiprocessor holds at most,
 *     threads 1536    and threads
 *     n 4194304       characters of y
 *     m 16 32 64      numbers of blocks
 *     32 178.2 89.23 44.92
 */
#ifndef PAPERS_MACHINE_MEASURED_H
#define PAPERS_MACHINE_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

enum { MEASURED_MOST = 16 };

typedef struct {
    size_t width, dmms, resident, threads, n;
    size_t n_blocks, n_rows;
    size_t blocks[MEASURED_MOST], m[MEASURED_MOST];
    double ms[MEASURED_MOST][MEASURED_MOST]; /* by row and number of blocks */
} measured;

/* false: the file cannot be read or is wrong, which is reported. */
bool measured_read(measured *to, const char *name);

#endif
