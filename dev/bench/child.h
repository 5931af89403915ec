/* child.h - the whole program as a contestant: run `sigrep`, and take its time. */
#ifndef DEV_BENCH_CHILD_H
#define DEV_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "dev/bench/race.h"

typedef struct {
    const char *program;
    char *const *argv;  /* ends with NULL */
    const float *piped; /* fed to its standard input by another process; NULL: nothing */
    size_t n_piped;
} child;

/* From its start to its end. CPU time is the child's alone, without the process that feeds it.
 * False: it did not run, or ended with another status than 0 or 1. */
bool child_run(const child *c, lap *spent);

#endif
