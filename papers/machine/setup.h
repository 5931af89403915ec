/*
 * setup.h - what one algorithm is given and gives back, and where its words lie:
 *
 *     memory    | x | y | free words |     each begins an address group of w words
 */
#ifndef PAPERS_MACHINE_SETUP_H
#define PAPERS_MACHINE_SETUP_H

#include "papers/machine/machine.h"
#include "papers/machine/task.h"

typedef enum { ON_DMM = 1, ON_UMM = 2, ON_HMM = 4 } machine_kind;

typedef struct {
    machine_kind kind;
    size_t width, latency, global_latency; /* w, l, L; L: of the HMM alone */
    size_t dmms, blocks, resident;         /* d, D, blocks that a DMM holds at once: of the HMM */
    size_t threads; /* p, of all blocks; algorithm_threads if none is given */
    bool watched;   /* count hazards */
    task task;
} setup;

typedef struct {
    machine_count count;
    size_t threads, words; /* p; words beside x and y, in all memories */
    double result;         /* NAN: the algorithm computes none */
} outcome;

size_t setup_divide(size_t n, size_t by); /* rounded up */
/* The next multiple of the width. */
size_t setup_round(size_t n, size_t width);

/* Segments of 3m characters in y, which begin m apart. */
size_t setup_segments(const setup *s);
/* Characters of each of the HMM's D substrings: S + 2m. */
size_t setup_substring(const setup *s);

/* Where y and the free words begin. */
size_t setup_y(const setup *s);
size_t setup_free(const setup *s);
/* The memory of a DMM or a UMM. */
machine_memory setup_memory(const setup *s);

/* Copy x and y to where they lie. */
void setup_fill(const setup *s, machine *on, machine_memory where);

/* A DMM or a UMM of one block of threads, with x, y and `words` more. NULL: out of memory. */
machine *setup_machine(const setup *s, size_t threads, size_t words);

/* Run all, fill in *to, destroy the machine. `good`: all went well so far. */
bool setup_finish(machine *on, bool good, size_t words, double result, outcome *to);

#endif
