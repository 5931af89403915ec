/* sound_check.h - can a template of audio be searched for? */
#ifndef TOOLS_COMMON_TEMPLATES_SOUND_CHECK_H
#define TOOLS_COMMON_TEMPLATES_SOUND_CHECK_H

#include "tools/common/templates/template_set.h"

/* Reports silence in the part that is kept, and returns false. Warns of clipping. Numbers always
 * pass. */
bool sound_is_fit(const loaded_template *t);

#endif
