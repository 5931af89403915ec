/* fill_from_file.h - plain samples of a file straight into the search (sigrep_read). */
#ifndef TOOLS_SIGREP_FILL_FROM_FILE_H
#define TOOLS_SIGREP_FILL_FROM_FILE_H

#include "io/source.h"
#include "sigrep.h"

/* Search the next samples of src, at most `most`; *got is their number. *got is 0 if src cannot be
 * read this way (source_frames_left), at its end, and if it failed: then source_read goes on. */
sigrep_status fill_from_file(sigrep *search, source *src, size_t most, size_t *got);

#endif
