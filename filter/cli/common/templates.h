/* templates.h - templates read from their files, each checked by itself. */
#ifndef FILTER_CLI_COMMON_TEMPLATES_H
#define FILTER_CLI_COMMON_TEMPLATES_H

#include "filter/cli/common/shared_options.h"
#include "filter/cli/common/template_set.h"

/* Load all templates of the options. false after it said what was wrong; templates_free is due in
 * any case. */
bool templates_load(template_set *set, const shared_options *o);

/* Say, once each, which labels have too few templates to agree as the options want it: they are
 * searched in vain. */
void templates_warn_of_labels(const template_set *set, const shared_options *o);

#endif
