/* mic_find.h - the microphone that a name means. */
#ifndef IO_LIVE_MIC_FIND_H
#define IO_LIVE_MIC_FIND_H

#include "io/live/mic_driver.h"

/*
 * Find the device for `name`. In this order: "" is the default device; the first device of exactly
 * this name; the only device whose name contains it, in any case of letters. On failure: false,
 * with the reason and the candidates in reason[size].
 */
bool mic_find(const mic_driver *driver, const char *name, size_t *index, char *reason, size_t size);

#endif
