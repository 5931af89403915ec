/* version.c - the version of the library, whatever header a program was compiled with. */
#include "sigrep.h"

const char *sigrep_version(void)
{
    return SIGREP_VERSION;
}
