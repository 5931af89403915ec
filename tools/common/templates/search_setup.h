/*
 * search_setup.h - what templates and options make of the library's configuration, the same in each
 * program that searches.
 *
 *     template_set, shared_options, rate of the input --> search_setup --> sigrep_config
 *                                                         search_warn_of_low_rate
 *                                                         search_report_failure
 */
#ifndef TOOLS_COMMON_TEMPLATES_SEARCH_SETUP_H
#define TOOLS_COMMON_TEMPLATES_SEARCH_SETUP_H

#include "tools/common/options/shared_options.h"
#include "tools/common/templates/template_set.h"

/* Fill in the defaults, then all that templates and options say of a search at this rate.
 * own_thresholds: those of bundles count. Returns config->templates, which the caller frees after
 * sigrep_create; NULL without memory. */
sigrep_template *search_setup(sigrep_config *config, const template_set *set,
                              const shared_options *o, bool own_thresholds, double rate_hz);

/* The rate at which an input of this rate is compared; 0: its own. */
double search_common_rate(const template_set *set, const shared_options *o, double rate_hz);

/* Warn of an input that lacks frequencies at which its templates are compared. */
void search_warn_of_low_rate(const char *name, const template_set *set, const shared_options *o,
                             double rate_hz);

/* Does `resample` of the front end ask for more samples than this input of unknown rate has?
 * 1 Hz is taken then, so that seconds are samples. Reports so. */
bool search_raises_rate(const char *name, const template_set *set, const shared_options *o);

/* Report why sigrep_create failed: a template, or the options, perhaps only at the rate of this
 * input. name: NULL if no input is open yet. */
void search_report_failure(const char *name, bool rate_known, const template_set *set,
                           const shared_options *o, sigrep_status status,
                           const sigrep_error *error);

#endif
