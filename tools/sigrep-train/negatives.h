/*
 * negatives.h - recordings that are not the word: words that sound like it, false alarms.
 *
 *     score   takes of the word   v ceiling       negatives
 *       ------#####-#--#----------|---------------o-----o--o---->
 *                                 2 % below the best of them, in three digits
 */
#ifndef TOOLS_SIGREP_TRAIN_NEGATIVES_H
#define TOOLS_SIGREP_TRAIN_NEGATIVES_H

#include "tools/common/templates/template_set.h"

/* Set the ceiling of each label 2 % below the best score that its takes have in the negatives, and
 * lower its threshold to that. negatives: how they are read, and their files as templates, with the
 * label "" if they are of all labels. takes: those of the bundle, as they were recorded. Reports
 * each ceiling. false after a failure, which is reported. */
bool negatives_apply(sigrep_bundle *b, const shared_options *negatives, const template_set *takes);

#endif
