/* read_size.h - how many samples of an input to read at once. */
#ifndef TOOLS_SIGREP_READ_SIZE_H
#define TOOLS_SIGREP_READ_SIZE_H

#include <stddef.h>

/* push_size: of the search (sigrep_push_size). A read is a multiple of it, since all samples are
 * searched before more are read; fewer if that would be much memory. */
size_t read_size(size_t push_size, size_t channels);

#endif
