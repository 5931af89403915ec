/*
 * kept_lines.h - the lines of which a source of text made its frames, for whoever wants to write
 * them again: one line a frame, in the same order. An empty line stands for a frame that has none.
 * Begin with a zeroed one.
 */
#ifndef IO_KEPT_LINES_H
#define IO_KEPT_LINES_H

#include "io/text_buffer.h"

typedef struct kept_lines {
    text_buffer text;   /* lines with their newlines */
    size_t taken;       /* bytes of `text` */
    size_t last;        /* where the last line begins */
    text_buffer header; /* with its newline; empty: there is none */
} kept_lines;

void kept_lines_free(kept_lines *k);

/* Add a line of n bytes, without its newline. */
void kept_lines_add(kept_lines *k, const char *line, size_t n);

/* The line that was added last made no frame, or is the header. It has not been taken. */
void kept_lines_drop_last(kept_lines *k);
void kept_lines_make_header(kept_lines *k);

/* Move the next line of `from`, and its header, to *to. false: out of memory, now or before. */
bool kept_lines_pass(kept_lines *from, kept_lines *to);

/* Append the next n lines to *to. false: out of memory, now or before. */
bool kept_lines_take(kept_lines *k, size_t n, text_buffer *to);

#endif
