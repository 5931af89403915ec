/* templates.h - reads templates from their files, and checks each by itself. */
#ifndef TOOLS_COMMON_TEMPLATES_TEMPLATES_H
#define TOOLS_COMMON_TEMPLATES_TEMPLATES_H

#include "tools/common/options/shared_options.h"
#include "tools/common/templates/template_set.h"

/* Load all templates of the options. false after a failure, which is reported; templates_free is
 * due in any case. */
bool templates_load(template_set *set, const shared_options *o);

/* Warn of each label with fewer templates than --min-matches: it cannot match. */
void templates_warn_of_labels(const template_set *set, const shared_options *o);

/* Can there be the front end of these templates, at one rate at least? If not, no rate mends it. */
bool templates_fit_some_rate(const template_set *set);

#endif
