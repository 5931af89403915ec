/* mic_none.c - in place of mic_portaudio.c: in sigrep-text, and in all programs by make MIC=0. */
#include <stdio.h>

#include "io/live/mic_driver.h"

static bool begin(const mic_patience *patience, char *reason, size_t size)
{
    (void)patience;
    snprintf(reason, size, "built without microphones");
    return false;
}

const mic_driver mic_portaudio = {.begin = begin};
