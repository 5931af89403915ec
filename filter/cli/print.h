/*
 * print.h - matches, scores and counts on their way to standard output and the --scores file.
 *
 *     sigrep_push -> print_match  -> writer -> print_flush -> standard output
 *                    print_scores ---------------------------> --scores FILE
 */
#ifndef FILTER_CLI_PRINT_H
#define FILTER_CLI_PRINT_H

#include <stdbool.h>

#include "sigrep.h"

typedef struct runner runner; /* filter/cli/runner.h */

/* Prepare r->out for this output format. false: out of memory. print_end always follows. */
bool print_begin(runner *r);
void print_end(runner *r);

/* The library's callbacks; `user` is the runner. */
sigrep_match_fn print_match;
sigrep_scores_fn print_scores;

/* Print the line that -c or -l gives the current input. */
void print_summary(runner *r);

/* Write the matches so far to standard output. A failure is reported once and ends the run. */
void print_flush(runner *r);

#endif
