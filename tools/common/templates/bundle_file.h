/* bundle_file.h - bundles as files, and their takes as templates. Errors are reported. */
#ifndef TOOLS_COMMON_TEMPLATES_BUNDLE_FILE_H
#define TOOLS_COMMON_TEMPLATES_BUNDLE_FILE_H

#include "tools/common/options/shared_options.h"
#include "tools/common/templates/template_set.h"

/* Does the name end in ".sigrep", with something before it? */
bool bundle_is_named(const char *path);

/* Read a bundle; the caller destroys it. NULL after a failure, which is reported. */
sigrep_bundle *bundle_load(const char *path);

/* Write it whole or not at all: a new file beside the old one replaces it, with its owner and mode
 * as far as the user may. A link stays, and its target is replaced. A pipe or a device is refused,
 * and so is a file that its owner may not write, unless it may be read-only. false after a failure,
 * which is reported. */
bool bundle_save(sigrep_bundle *bundle, const char *path, bool may_be_read_only);

/* Add all takes of the file to the templates. false after a failure, which is reported: the file is
 * bad, or options or other bundles ask for other frames. */
bool bundle_takes_load(template_set *set, const shared_options *o, const template_spec *spec,
                       const char *path);

#endif
