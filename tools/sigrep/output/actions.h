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

typedef struct output output; /* tools/sigrep/output/print.h */

/* An input begins: set out->actions, unless no option asks for any. horizon: see save.h. limit: of
 * the input's samples. false after a failure, which is reported. actions_end follows in any case.
 */
bool actions_begin(output *out, source *src, uint64_t horizon, uint64_t limit);
void actions_end(output *out);

/* Must all samples come by actions_read? */
bool actions_need_samples(const output *out);

/* n samples were read from the source, or are missing. They are not searched yet. */
void actions_read(output *out, const float *frames, const exact_time *times, size_t n);
void actions_gap(output *out, uint64_t n);

/* If the search has stopped, how many more samples are wanted for what comes after its matches? */
uint64_t actions_want(const output *out);

/* Is this match of the label left out? label: the index of the label's first template. */
bool actions_hold(output *out, size_t label, const writer_match *match);

/* The match counts. */
void actions_take(output *out, size_t label, const writer_match *match);

/*
 * After a match, none of its label for a while (--hold).
 *
 *     matches of a label   |---|   |--|        |---|      |--|
 *                              <---- hold ---->               <---- hold ---->
 *                          goes on  held       held       goes on
 *
 * The hold begins with the end of a match that goes on. A match is held if it starts before the
 * hold is over. A held match begins no hold. So a bell that rings on is reported again and again.
 */
typedef struct hold hold;

/* For one input: a hold of `seconds` after each match of each of n_labels labels. NULL: out of
 * memory. */
hold *hold_create(double seconds, size_t n_labels);
void hold_destroy(hold *h); /* NULL is allowed */

/* Is this match held? If not, its own hold begins. The matches of a label come in order and do not
 * overlap. Seconds are those of the time column (match->scale.from_column), else samples / rate. If
 * the times of the column go back, the hold is over. */
bool hold_takes(hold *h, size_t label, const writer_match *match);

#endif
