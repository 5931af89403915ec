/* read_size.h - how many samples of an input are read at once. */
#ifndef FILTER_CLI_COMMON_READ_SIZE_H
#define FILTER_CLI_COMMON_READ_SIZE_H

#include <stddef.h>

/* For a searcher whose steps take so many samples (sigrep_push_size) of so many channels: whole
 * steps, since what was read is evaluated before more is; fewer where that would be much memory. */
size_t read_size(size_t step, size_t channels);

#endif
