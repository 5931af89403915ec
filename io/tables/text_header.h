/*
 * text_header.h - the header row of a table: it names columns, and may come again where files were
 * joined. Begin with a zeroed one.
 */
#ifndef IO_TABLES_TEXT_HEADER_H
#define IO_TABLES_TEXT_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "io/source_ops.h"
#include "io/tables/row.h"

typedef struct {
    char *line;    /* the row as it is in the file; NULL: there was none */
    size_t length; /* bytes, without blanks after it */
    size_t n;      /* columns */
    char comment;  /* begins comments */
    bool may_repeat;
    bool has_comment; /* the last column, which rows may lack */
} text_header;

/* Is the row a header: words, and neither a number nor a time? */
bool text_header_is(const row *r);

/* Is the last name LabVIEW's "Comment", after a tab? Only rows with a comment have that field. */
bool text_header_has_comment(const row *r);

/* Keep the header: `r` as cut from the first `length` bytes of `line`. It may come again if it has
 * several names, which differ, and no number: then it can be no row. false: out of memory. */
bool text_header_keep(text_header *h, const row *r, const char *line, size_t length);
void text_header_free(text_header *h);

/* Is this line, of `length` bytes and a NUL, the header again? */
bool text_header_repeats(const text_header *h, const char *line, size_t length);

/* The number of the first column with this name, from 1. 0: none has it. */
size_t text_header_find(const row *header, const char *name);

/* The option that names this column of *o. */
const char *text_header_option(const source_options *o, const char *name);

/* Write the names into out[size], long ones cut off: "t, x, y". Not escaped. */
void text_header_list(const row *header, char *out, size_t size);

/* The column of this name; that two have it is an error. header: the first row of the input; NULL:
 * that is in `line` and has no names. 0: a template may lack it (text.c). false after source_fail.
 */
bool text_header_choose(source *src, const row *header, uint64_t line, const char *name,
                        size_t *column);

#endif
