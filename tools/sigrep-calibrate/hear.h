/* hear.h - the places of a background at which a bundle's words come nearest. */
#ifndef TOOLS_SIGREP_CALIBRATE_HEAR_H
#define TOOLS_SIGREP_CALIBRATE_HEAR_H

#include "filter/bundle/bundle.h"
#include "filter/cli/common/shared_options.h"

/* A local minimum of a label's score: what would be a match, were the threshold high enough. */
typedef struct {
    double score;          /* divided by the take's weight: compares with the label's threshold */
    double start_s, end_s; /* in its input */
    const char *input;
    size_t n_input; /* of the inputs, from 0 */
    size_t take;    /* of the label's */
} place;

typedef struct {
    place *places; /* of one label, in no order */
    size_t n, capacity;
} place_list;

typedef struct {
    place_list *labels; /* one for each label of the bundle; agree.h has been at work there */
    size_t n_labels;
    double hours; /* heard, gaps left out */
} hearing;

/* Search the inputs of the options for the whole bundle, accepting every score. Ends early, in good
 * order, at SIGINT or SIGTERM. false after a failure was said; the caller frees *h in any case. */
bool hear(hearing *h, const bundle *b, const shared_options *o);
void hearing_free(hearing *h);

#endif
