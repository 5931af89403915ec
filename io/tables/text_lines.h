/*
 * text_lines.h - the lines of a source of text, one at a time and with a NUL at the end. Whoever
 * has a text_lines begins it zeroed and calls text_lines_free.
 */
#ifndef IO_TABLES_TEXT_LINES_H
#define IO_TABLES_TEXT_LINES_H

#include "io/source_ops.h"

typedef enum { LINE_WHOLE, LINE_LONG, LINE_INCOMPLETE, LINE_END } line_kind;

typedef struct {
    char *line;      /* the current line, `length` bytes and a NUL; may be changed */
    size_t length;   /* without the end of the line, and without a byte order mark */
    uint64_t number; /* from 1 */
    size_t room;     /* bytes of `line` */
    size_t scanned;  /* buffered bytes that hold no newline */
    bool discarding; /* in the rest of a line that is too long */
    bool has_cr;     /* that line has a CR: perhaps lines end so */
} text_lines;

/* Read the next line. LINE_LONG: it is longer than ROW_LINE (row.h) and left out. LINE_INCOMPLETE,
 * only without `wait`: its end has not come. LINE_END: there is none, or reading failed. Bytes
 * after the last newline are a line, unless a wake ended the input: then they may be half a
 * number. */
line_kind text_lines_next(source *src, text_lines *l, bool wait);

/* Make a copy of `text`, `length` bytes, the current line. false after source_fail. */
bool text_lines_put(source *src, text_lines *l, const char *text, size_t length, uint64_t number);

void text_lines_free(text_lines *l);

#endif
