/*
 * search_setup.h - what templates and options make of the library's search, the same in each
 * program that searches for templates.
 *
 *     search_subject: templates, options, input --+
 *     sigrep_config: what the program adds -------+--> search_make --> sigrep
 *                                                      search_open, with messages
 */
#ifndef TOOLS_COMMON_TEMPLATES_SEARCH_SETUP_H
#define TOOLS_COMMON_TEMPLATES_SEARCH_SETUP_H

#include "tools/common/options/shared_options.h"
#include "tools/common/templates/template_set.h"

typedef struct spool spool; /* io/spool.h */

/* What is searched, and for what. Pointers are borrowed. */
typedef struct {
    const template_set *set;
    const shared_options *o;
    bool own_thresholds; /* those of bundles count */
    const char *name;    /* of the input; NULL: none is open yet */
    bool rate_known;     /* of the input; else 1 Hz is taken */
    double rate_hz;
} search_subject;

/* Make a search. The config begins with sigrep_config_init and what the program adds: device,
 * threads, callbacks, the number of the best. The subject gives the rest; store: of a best-of
 * search, or NULL. */
sigrep_status search_make(sigrep **search, sigrep_config *config, const search_subject *s,
                          spool *store, sigrep_error *error);

/* The same, but failures, remarks and a low rate are reported. NULL after a failure. */
sigrep *search_open(sigrep_config *config, const search_subject *s, spool *store);

/* The rate at which the input is compared; 0: its own. */
double search_common_rate(const search_subject *s);

/* Warn of an input, or templates, that lack frequencies at which they are compared. */
void search_warn_of_low_rate(const search_subject *s);

/* Does `resample` of the front end ask for more samples than this input of unknown rate has?
 * 1 Hz is taken then, so that seconds are samples. Reports so. */
bool search_raises_rate(const search_subject *s);

/* Report why search_make failed: a template, or the options, perhaps only at this rate. */
void search_report_failure(const search_subject *s, sigrep_status status,
                           const sigrep_error *error);

/* A status in words; of its store if that has failed. store: NULL if there is none. */
const char *search_failure(sigrep_status status, const spool *store);

#endif
