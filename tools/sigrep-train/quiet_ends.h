/*
 * quiet_ends.h - warns of takes that were not cut: a pause before or after the sound.
 *
 *     blocks of 10 ms    . . . . . . # # # # . # # # # . . . . . .      # loud
 *                        |<-before-->|                 |<-after-->|
 *
 * A pause is part of the template then, and matches pauses and other sounds beside them.
 */
#ifndef TOOLS_SIGREP_TRAIN_QUIET_ENDS_H
#define TOOLS_SIGREP_TRAIN_QUIET_ENDS_H

#include "tools/common/templates/template_set.h"

/* Warn of the take with the longest quiet end, with the number of others that have one. Each is
 * judged alone, and only sound of a known rate. */
void quiet_ends_warn(const template_set *takes);

#endif
