/* file_read.h - all bytes of a file. */
#ifndef TOOLS_COMMON_FILE_READ_H
#define TOOLS_COMMON_FILE_READ_H

#include "io/text_buffer.h"

/* Add them to *bytes, which the caller frees. Returns 0, EFBIG if they are more than `most`, or
 * another errno. */
int file_read(const char *path, size_t most, text_buffer *bytes);

#endif
