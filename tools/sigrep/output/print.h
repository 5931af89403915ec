/*
 * print.h - matches, scores and counts on their way to standard output, to files of --output-dir,
 * and to the --scores file.
 *
 *     sigrep_push -> print_match  -> writer -> print_flush -> turn.h -> standard output
 *                                                          -> the input's file
 *                    print_scores ----------------------------------> --scores FILE
 */
#ifndef TOOLS_SIGREP_OUTPUT_PRINT_H
#define TOOLS_SIGREP_OUTPUT_PRINT_H

#include <stdbool.h>
#include <time.h>

#include "io/source.h"
#include "sigrep.h"

typedef struct runner runner;             /* tools/sigrep/runner.h */
typedef struct listed_input listed_input; /* tools/sigrep/inputs.h */

/* Prepare r->out for this output format. false: out of memory, which is reported. print_end always
 * follows. */
bool print_begin(runner *r);
void print_end(runner *r);

/* The lines before all matches and after all of them, on standard output. */
void print_header(runner *r);
void print_footer(runner *r);

/* Decide how times of the current input are printed, which was opened at this time. NULL, or why
 * they cannot be printed as the options want. */
const char *print_begin_times(runner *r, const source_info *info, struct timespec opened);

/* The same around the matches of an input, if it has a file of its own. false: there can be no such
 * file, which is reported. */
bool print_open_file(runner *r, const listed_input *input);
void print_close_file(runner *r);

/* The library's callbacks; `user` is the runner. */
sigrep_match_fn print_match;
sigrep_scores_fn print_scores;

/* Print the line that -c, -l or -L gives the current input. */
void print_summary(runner *r);

/* Write the matches so far, or hold them until it is the input's turn. A failure is reported once;
 * of standard output, it ends the run. */
void print_flush(runner *r);

/* An error after which nothing more can be done: end the run, in the turn of the current input. */
void print_end_run(runner *r);

/* Let messages wait for the turn of the current input, or no longer. */
void print_hold_messages(runner *r, bool held);

/* Write what waits, before the process ends in any thread. Allocates nothing. */
void print_last(runner *r);

#endif
