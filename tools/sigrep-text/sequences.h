/*
 * sequences.h - SAM's beginning: the sequences that have matches, with their lengths. A length is
 * known when its record ends. So the lines of matches wait in a spool until all inputs have ended.
 *
 *     matches --> sequences_hold -------------- spool --+
 *     end of a record --> sequences_add --> @SQ lines --+--> sequences_end --> `fd`
 */
#ifndef TOOLS_SIGREP_TEXT_SEQUENCES_H
#define TOOLS_SIGREP_TEXT_SEQUENCES_H

#include "io/spool.h"
#include "io/text_buffer.h"

/* Begin with a zeroed one. */
typedef struct {
    spool *held;
    text_buffer lines; /* of @SQ */
    void *names;       /* a tree of tsearch */
} sequences;

/* Hold back lines. NULL, or why that cannot be. */
const char *sequences_hold(sequences *s, const text_buffer *lines);

/* A sequence with matches has ended. NULL, or why it cannot be named. */
const char *sequences_add(sequences *s, const char *name, uint64_t letters);

/* Write `head`, the sequences, and all lines held back. Returns 0 or an errno. */
int sequences_end(sequences *s, const text_buffer *head, int fd);

void sequences_free(sequences *s);

#endif
