/* run_sound.h - is a template of audio fit to be searched for? */
#ifndef FILTER_RUN_SOUND_H
#define FILTER_RUN_SOUND_H

#include "filter/run_template_set.h"

/* false after it said that the part that is kept is silent; of one that is clipped it warns.
 * Numbers may be as they like. */
bool sound_is_fit(const loaded_template *t);

#endif
