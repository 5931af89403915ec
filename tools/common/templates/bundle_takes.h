/* bundle_takes.h - the takes of a bundle as templates of the program. */
#ifndef TOOLS_COMMON_TEMPLATES_BUNDLE_TAKES_H
#define TOOLS_COMMON_TEMPLATES_BUNDLE_TAKES_H

#include "tools/common/options/shared_options.h"
#include "tools/common/templates/template_set.h"

/* Add all takes of the file. false after a failure, which is reported: the file is bad, or options
 * or other bundles ask for other frames. */
bool bundle_takes_load(template_set *set, const shared_options *o, const template_spec *spec,
                       const char *path);

#endif
