/* takes.h - the takes of a bundle: made into frames, held against each other. */
#ifndef TOOLS_SIGREP_TRAIN_TAKES_H
#define TOOLS_SIGREP_TRAIN_TAKES_H

#include "filter/bundle/bundle.h"
#include "filter/cli/common/template_set.h"

/* Every recording through the bundle's front end, and into it. false after a failure was said. */
bool takes_add(bundle *b, const template_set *set);

/* The leave-one-out score of every take that is not alone. false without memory. */
bool takes_compare(bundle *b);

/* Warn of what is odd about a take, by its name: much shorter or longer than the others, or too
 * different from them. Needs takes_compare. */
void takes_warn(const bundle *b);

/* One line for each: label, name, frames, leave-one-out score ("-": it is alone), with tabs. false
 * if standard output failed. */
bool takes_print(const bundle *b);

/* Put their average in the place of each label's takes. false without memory. */
bool takes_average(bundle *b);

#endif
