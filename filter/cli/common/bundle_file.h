/* run_bundle.h - bundles as files. What goes wrong is said on standard error. */
#ifndef FILTER_CLI_COMMON_BUNDLE_FILE_H
#define FILTER_CLI_COMMON_BUNDLE_FILE_H

#include "filter/bundle/bundle.h"

/* Does the name end as a bundle's does? */
bool bundle_is_named(const char *path);

/* Read a bundle; the caller destroys it. NULL after a failure was said. */
bundle *bundle_load(const char *path);

/* Write it whole or not at all: into a new file beside it, which then takes its name. false after
 * a failure was said. */
bool bundle_save(const bundle *b, const char *path);

#endif
