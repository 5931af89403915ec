/*
 * writer.h - matches as lines of text. One small vtable (writer_ops), one format a file.
 *
 * Lines are composed in memory and leave whole, by writer_flush, so that a reader never
 * sees half a match that we could have completed. Numbers are printed as in the C locale.
 */
#ifndef IO_WRITER_H
#define IO_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text_buffer.h"
#include "io/time_format.h"

typedef struct {
    const char *file;
    const char *label;
    uint64_t start, end;   /* samples, [start, end) */
    double start_s, end_s; /* where scale.from_column */
    double score;
    double threshold; /* not finite: there was none */
    time_scale scale;
    bool live; /* json: also by the clock */
} writer_match;

/* How all matches are written. */
typedef struct {
    time_style times;
    bool with_file; /* text: precede each line by FILE: */
} writer_style;

typedef struct {
    const char *name;
    void (*header)(text_buffer *out); /* once, before all; NULL: none */
    void (*match)(text_buffer *out, const writer_style *style, const writer_match *match);
    void (*end)(text_buffer *out); /* once, after all; NULL: none */
} writer_ops;

extern const writer_ops writer_text, writer_json, writer_csv, writer_labels;

/* By the name that -o takes; NULL if there is no such format. */
const writer_ops *writer_find(const char *name);

typedef struct {
    const writer_ops *ops;
    writer_style style;
    int fd;
    text_buffer out;
} writer;

/* A writer to `fd`, which stays the caller's, who frees the writer's memory with writer_free. */
void writer_init(writer *w, const writer_ops *ops, writer_style style, int fd);
void writer_free(writer *w);

/* Compose what comes before all matches, a match, what comes after all. */
void writer_begin(writer *w);
void writer_add(writer *w, const writer_match *match);
void writer_end(writer *w);

/* Write all that was added. 0, or the errno of what failed; ENOMEM where composing did. */
int writer_flush(writer *w);

/* A match's start or end as text, in `style`. */
static inline void writer_start_text(char out[TIME_TEXT_SIZE], time_style style,
                                     const writer_match *match)
{
    const time_point point = {.sample = match->start, .seconds = match->start_s};
    time_format(out, style, &match->scale, point);
}

static inline void writer_end_text(char out[TIME_TEXT_SIZE], time_style style,
                                   const writer_match *match)
{
    const time_point point = {.sample = match->end, .seconds = match->end_s};
    time_format(out, style, &match->scale, point);
}

#endif
