/*
 * actions.h - what the program does about the matches of an input beside printing them.
 *
 *     print_match --> actions_hold --> counted, printed, actions_take
 *                     --hold                             --exec
 */
#ifndef FILTER_CLI_ACTIONS_H
#define FILTER_CLI_ACTIONS_H

#include "io/writer.h"

typedef struct runner runner;   /* filter/cli/runner.h */
typedef struct actions actions; /* of one input: current_input.actions */

/* The current input begins: set its `actions`, unless no option asks for any. false: out of memory.
 * actions_end follows in any case. */
bool actions_begin(runner *r);
void actions_end(runner *r);

/* Is this match of the label left out? label: the index of the label's first template. */
bool actions_hold(runner *r, size_t label, const writer_match *match);

/* The match counts. */
void actions_take(runner *r, size_t label, const writer_match *match);

/* To be called now and then: reports what failed meanwhile. */
void actions_look(runner *r);

#endif
