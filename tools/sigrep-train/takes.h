/* takes.h - recorded takes: into a bundle, warnings, and the lines of standard output. */
#ifndef TOOLS_SIGREP_TRAIN_TAKES_H
#define TOOLS_SIGREP_TRAIN_TAKES_H

#include "tools/common/templates/template_set.h"

/* Add every recording to the bundle. false after a failure, which is reported. */
bool takes_add(sigrep_bundle *b, const template_set *set);

/* Warn of a take that is much shorter or longer than the others of its label, too different from
 * them, or too well fitted by any speech. */
void takes_warn(const sigrep_bundle *b);

/* Print a line for each take: label, name, frames, and the best score of another take in it ("-":
 * it is alone), separated by tabs. false after a failure, which is reported. */
bool takes_print(const sigrep_bundle *b);

#endif
