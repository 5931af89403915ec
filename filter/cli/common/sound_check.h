/* sound_check.h - is a template of audio fit to be searched for? */
#ifndef FILTER_CLI_COMMON_SOUND_CHECK_H
#define FILTER_CLI_COMMON_SOUND_CHECK_H

#include "filter/cli/common/template_set.h"

/* false after it said that the part that is kept is silent; of one that is clipped it warns.
 * Numbers may be as they like. */
bool sound_is_fit(const loaded_template *t);

#endif
