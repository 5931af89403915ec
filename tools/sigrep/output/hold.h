/*
 * hold.h - after a match, none of its label for a while (--hold).
 *
 *     matches of a label   |---|   |--|        |---|      |--|
 *                              <---- hold ---->               <---- hold ---->
 *                          goes on  held       held       goes on
 *
 * The hold begins with the end of a match that goes on. A match is held if it starts before the
 * hold is over. A held match begins no hold. So a bell that rings on is reported again and again.
 */
#ifndef TOOLS_SIGREP_OUTPUT_HOLD_H
#define TOOLS_SIGREP_OUTPUT_HOLD_H

#include "io/writers/writer.h"

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
