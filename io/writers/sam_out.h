/* sam_out.h - the names and lengths of sequences, which come before the matches in SAM. */
#ifndef IO_WRITERS_SAM_OUT_H
#define IO_WRITERS_SAM_OUT_H

#include <stdint.h>

#include "io/text_buffer.h"

/* Add a name as SAM allows it: each byte that it does not becomes _. */
void sam_add_name(text_buffer *out, const char *name);

/* Add the line of a sequence. */
void sam_add_sequence(text_buffer *out, const char *name, uint64_t letters);

#endif
