/* result.h - a label's new threshold: warnings, and its line of standard output. */
#ifndef TOOLS_SIGREP_CALIBRATE_RESULT_H
#define TOOLS_SIGREP_CALIBRATE_RESULT_H

#include "io/text_buffer.h"
#include "sigrep.h"

typedef struct {
    const sigrep_bundle *bundle;
    const sigrep_calibration *calibration;
    const char *const *inputs; /* the recordings, by index */
    size_t i;                  /* of the label */
    sigrep_bundle_label label; /* as calibrated */
    sigrep_calibration_result rates;
} calibrated_label;

/* Warn if the background seems to hold the label, if the threshold is extrapolated, and if takes
 * would not find one another at it. */
void result_warn(const calibrated_label *c);

/* Are more than half of the takes missed that another one could find? */
bool result_misses_most(const calibrated_label *c);

/* The median score of takes in one another: at this threshold half of them are found. Negative: not
 * known. */
double result_usual_score(const calibrated_label *c);

/* Append the names of the columns. */
void result_print_header(text_buffer *out);

/* Append its line. */
void result_print(const calibrated_label *c, text_buffer *out);

#endif
