/*
 * actions.h - what the program does about the matches of an input beside printing them.
 *
 *     samples ------> actions_read ---------------------------+
 *                                                             v
 *     print_match --> actions_hold --> counted, printed, actions_take
 *                     --hold                             --save, then --exec
 */
#ifndef TOOLS_SIGREP_OUTPUT_ACTIONS_H
#define TOOLS_SIGREP_OUTPUT_ACTIONS_H

#include "io/source.h"
#include "io/writers/writer.h"

typedef struct runner runner;   /* tools/sigrep/runner.h */
typedef struct actions actions; /* of one input: current_input.actions */

/* The current input begins: set its `actions`, unless no option asks for any. horizon: see save.h.
 * false after a failure, which is reported. actions_end follows in any case. */
bool actions_begin(runner *r, source *src, uint64_t horizon);
void actions_end(runner *r);

/* Must all samples come by actions_read? */
bool actions_need_samples(const runner *r);

/* n samples were read from src into the runner's buffer, or are missing. They are not searched yet.
 */
void actions_read(runner *r, source *src, size_t n);
void actions_gap(runner *r, uint64_t n);

/* If the search has stopped, how many more samples are wanted for what comes after its matches? */
uint64_t actions_want(const runner *r);

/* Is this match of the label left out? label: the index of the label's first template. */
bool actions_hold(runner *r, size_t label, const writer_match *match);

/* The match counts. */
void actions_take(runner *r, size_t label, const writer_match *match);

#endif
