/* place.h - a machine with x and y in its memory, for one algorithm. */
#ifndef PAPERS_MACHINE_PLACE_H
#define PAPERS_MACHINE_PLACE_H

#include "papers/machine/algorithms.h"

/* The next multiple of the width. */
size_t place_round(size_t n, size_t width);
size_t place_divide(size_t n, size_t by); /* rounded up */

/* Where y begins, after x, and where free words begin: each in an address group of its own. */
size_t place_y(const setup *s);
size_t place_free(const setup *s);
/* The memory of a DMM or a UMM. */
machine_memory place_memory(const setup *s);

/* A DMM or a UMM of one block of threads, with x, y and `words` more. NULL: out of memory. */
machine *place_machine(const setup *s, size_t threads, size_t words);

/* Run all, fill in *to, destroy the machine. `good`: all went well so far. */
bool place_finish(machine *on, bool good, size_t words, double result, outcome *to);

#endif
