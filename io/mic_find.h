/* mic_find.h - which microphone a name means. */
#ifndef IO_MIC_FIND_H
#define IO_MIC_FIND_H

#include "io/mic_driver.h"

/*
 * The device that `name` means: "" the default one; else the first with exactly this name;
 * else the only one whose name contains it, letters of any case. false with the reason and
 * the candidates in reason[size].
 */
bool mic_find(const mic_driver *driver, const char *name, size_t *found, char *reason, size_t size);

#endif
