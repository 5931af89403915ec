/*
 * template.h - a template as the search uses it: frames after the front end, the length
 * gate, the label. Checked when it is made.
 */
#ifndef FILTER_SESSION_TEMPLATE_H
#define FILTER_SESSION_TEMPLATE_H

#include "filter/features/front_end.h"
#include "filter/search/detector.h"

typedef struct template
{
    char *label;   /* never NULL */
    float *frames; /* length x dim, finite */
    size_t length; /* m >= 2 */
    size_t dim;
    double threshold; /* infinite in a best-of search, and while it is to be estimated */
    detector_gate gate;
}
template;

/* What is the same for all templates of a search. */
typedef struct {
    const char *front_end;
    frame_shape samples; /* shape of template and stream before the front end */
    double length_min, length_max;
    bool best; /* thresholds do not count */
} template_rules;

/* Run the front end over the whole of `given`, cut, check; frames that are given are only
 * checked. Samples outside the cut that are
 * not finite are gaps, as in a stream. Frames at either end that the front end calls digital
 * silence are left out. The caller frees it with template_free. SIGREP_BAD_TEMPLATE and others with
 * words in *error. */
sigrep_status template_create(template *x, const sigrep_template *given,
                              const template_rules *rules, sigrep_error *error);
void template_free(template *x);

/* Give it the threshold that was estimated. */
void template_set_threshold(template *x, double threshold);

#endif
