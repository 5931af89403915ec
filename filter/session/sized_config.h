/*
 * sized_config.h - structs from programs that were compiled with another version of sigrep.h.
 *
 *     an older program     size |-- given --|              fields beyond it get defaults
 *     this library              |-- known ---------|
 *     a newer program      size |-- given ------------|    the rest must be zero
 */
#ifndef FILTER_SESSION_SIZED_CONFIG_H
#define FILTER_SESSION_SIZED_CONFIG_H

#include "sigrep.h"

/* Copy *given into *config, and its templates into new memory, config->templates. The caller frees
 * that memory, also after an error. SIGREP_BAD_CONFIG, with the reason in *error: a size that
 * cannot be right, or a field that this version does not know. SIGREP_NO_MEMORY. */
sigrep_status sized_config(sigrep_config *config, const sigrep_config *given, sigrep_error *error);

#endif
