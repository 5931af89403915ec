/*
 * prior.h - what is known of a label's false alarms before any background: those in foreign speech.
 *
 * A level is a take's usual lowest score in a minute of foreign speech
 * (filter/background/background.h). In hours of other foreign voices, a label of n takes whose mean
 * level is L has about these false alarms an hour at threshold x:
 *
 *     rate(x) = C n^p exp(s (x / (f L) - 1))        f: stage_ops, auto_factor
 *
 * docs/lab/calibration.md measures C, p and s, and how many hours of background this is worth.
 */
#ifndef FILTER_CALIBRATION_PRIOR_H
#define FILTER_CALIBRATION_PRIOR_H

#include "filter/bundle/bundle.h"
#include "filter/calibration/tail.h"

/* The law of a label of this bundle, as a fit to so many hours. False, and *prior stays, if nothing
 * is known: if a take has no level, or if takes must agree. */
bool prior_find(tail_fit *prior, const bundle *b, const bundle_label *label);

#endif
