/* sound_check.h - can a template of audio be searched for? */
#ifndef FILTER_CLI_COMMON_SOUND_CHECK_H
#define FILTER_CLI_COMMON_SOUND_CHECK_H

#include "filter/cli/common/template_set.h"

/* Reports silence in the part that is kept, and returns false. Warns of clipping. Numbers always
 * pass. */
bool sound_is_fit(const loaded_template *t);

#endif
