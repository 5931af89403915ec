/* calibrate.h - the command line, and what it asks for. Both functions report failures, and return
 * the exit status. */
#ifndef TOOLS_SIGREP_CALIBRATE_CALIBRATE_H
#define TOOLS_SIGREP_CALIBRATE_CALIBRATE_H

#include "tools/common/options/shared_options.h"

typedef struct {
    shared_options o;
    double per_hour; /* 0: not given */
    bool force, is_quiet;
    const char *bundle; /* NULL: there is a template */
    const char *output;
} calibrate_options;

/* Set the thresholds of the bundle by a background, and print a line for each label. */
int calibrate_bundle(const calibrate_options *c);

/* Print the threshold of a template by the gap in the scores of recordings, with the histogram of
 * scores unless is_quiet. 1: there is no clear gap. */
int calibrate_template(const calibrate_options *c);

#endif
