/*
 * actions.h - what the program does about the matches of an input beside printing them.
 *
 *     samples -----------------------------> save_add ---------+
 *                                                               v
 *     print_match --> hold_takes --> counted, actions_take --> --save, then --exec
 *                     --hold         and printed
 */
#ifndef TOOLS_SIGREP_OUTPUT_ACTIONS_H
#define TOOLS_SIGREP_OUTPUT_ACTIONS_H

#include "io/source.h"
#include "io/writers/writer.h"

typedef struct output output; /* tools/sigrep/output/print.h */

/* An input begins: set out->last and out->save if options ask for them. horizon: see save.h. false
 * after a failure, which is reported. actions_end follows in any case. */
bool actions_begin(output *out, source *src, uint64_t horizon);
void actions_end(output *out);

/* The match counts. label: the index of the label's first template. */
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

/* Is this match held, `seconds` after the last of its label that was not? If not, it becomes *last,
 * which begins as zeros. The matches of a label come in order and do not overlap. Seconds are those
 * of the time column (match->scale.from_column), else samples / rate. If the times of the column go
 * back, the hold is over. */
bool hold_takes(double seconds, writer_match *last, const writer_match *match);

#endif
