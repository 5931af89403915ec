/*
 * template.h - makes a template as the search uses it (filter/search/detector.h): its frames after
 * the front end, its length gate and its label, all checked.
 */
#ifndef FILTER_SESSION_TEMPLATE_H
#define FILTER_SESSION_TEMPLATE_H

#include "filter/features/front_end.h"
#include "filter/search/detector.h"

/* The rules that all templates of a search share. */
typedef struct {
    const char *front_end;
    frame_shape samples;  /* before the front end */
    const double *origin; /* see front_end_set_origin; NULL: none */
    double length_min, length_max;
    bool best;                   /* a best-of search: thresholds do not count */
    sigrep_stop_fn *should_stop; /* NULL: never */
    void *user;
} template_rules;

/* Keep the frames of the part [begin, end) of `given`: those that the front end makes of all
 * samples. It reads only the samples that they depend on. Values outside the part may be gaps, as
 * in a stream. Frames of digital silence at either end are left out. If `given` holds frames, they
 * are copied. The caller frees *x with template_free. Errors: SIGREP_BAD_TEMPLATE,
 * SIGREP_BAD_CONFIG, SIGREP_BAD_FRONT_END, SIGREP_NO_MEMORY and SIGREP_STOPPED; *error says what is
 * wrong. */
sigrep_status template_create(template *x, const sigrep_template *given,
                              const template_rules *rules, sigrep_error *error);
void template_free(template *x);

/* For candidates that are normalised one by one: normalise the template as well, whose length is
 * the only one that its gate then allows. SIGREP_BAD_TEMPLATE, SIGREP_BAD_CONFIG. */
sigrep_status template_normalise(template *x, sigrep_error *error);

/* Set the threshold that was estimated. */
void template_set_threshold(template *x, double threshold);

#endif
