/*
 * writer.h - matches as lines of text.
 *
 *     writer_add --> writer_ops.match --> text_buffer --writer_flush--> descriptor
 *                    text_out.c csv_out.c json_out.c
 *                    labels_out.c raven_out.c; for strings: bed_out.c gff_out.c sam_out.c
 *
 * Lines are composed in memory and written whole, so that a reader never sees half a match.
 * Numbers are printed as in the C locale.
 */
#ifndef IO_WRITERS_WRITER_H
#define IO_WRITERS_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text_buffer.h"
#include "io/time/time_format.h"
#include "sigrep.h"

/* Strings are borrowed. */
typedef struct {
    const char *file;
    const char *label;
    const char *group;               /* of rows of a table; NULL: all of them are searched */
    uint64_t start, end;             /* samples, [start, end) */
    exact_time start_time, end_time; /* with scale.from_column */
    exact_time origin; /* labels and raven count from here; of dates: the input's first time */
    double score;
    double threshold; /* not finite: none was given */
    double margin;    /* NaN: not known; json adds it */
    time_scale scale;
    bool live;               /* json adds the clock time */
    const sigrep_pair *path; /* json adds it; NULL: not wanted */
    size_t n_pairs;
    uint64_t number; /* among the matches of the input, from 1; for formats with has_numbers */
    size_t channel;  /* that was searched alone, from 1; 0: none was */
    double low_hz, high_hz; /* the band that the template's table gives; high_hz 0: none */

    /* Of strings. */
    const char *record;   /* of a text of records; NULL: it has none */
    char strand;          /* '+', '-'; '.': there are none */
    size_t before, after; /* letters of the pattern that hang over the text's start and end */
    const char *letters;  /* the pattern as it stands on the text; for formats with has_alignment */
    const char *cigar;    /* and how it stands there, as SAM has it */
    size_t edits;         /* of the letters that do not hang over */
} writer_match;

/* Options that hold for all matches. */
typedef struct {
    time_style times;
    bool with_file;     /* text: begin each line with FILE: */
    bool with_group;    /* text, csv, json: also the group */
    bool with_strand;   /* text, csv, json: also the strand and the record */
    bool with_overhang; /* json: also the letters that hang over */
} writer_style;

/* An output format. */
typedef struct {
    const char *name;      /* as -o takes it */
    const char *extension; /* of a file with matches of one input */
    bool has_path;         /* matches show their warping paths ... */
    bool has_margin;       /* ... and margins */
    bool has_clock;        /* the clock has a place of its own, beside seconds */
    bool has_one_input;    /* an output cannot hold the matches of several */
    bool has_numbers;      /* matches are numbered in the order of the output */
    bool has_alignment;    /* matches show their letters and how they stand */
    /* Once, before all matches; NULL: none. */
    void (*header)(text_buffer *out, const writer_style *style);
    void (*match)(text_buffer *out, const writer_style *style, const writer_match *match);
    void (*end)(text_buffer *out); /* once, after all matches; NULL: none */
} writer_ops;

extern const writer_ops writer_text, writer_json, writer_csv, writer_labels, writer_raven;

/* Formats of sequences, for strings alone. */
extern const writer_ops writer_bed, writer_gff, writer_sam;

/* The format of this name; NULL: there is none. The second knows those of sequences as well. */
const writer_ops *writer_find(const char *name);
const writer_ops *writer_find_sequence(const char *name);

typedef struct {
    const writer_ops *ops;
    writer_style style;
    int fd;
    text_buffer out;
} writer;

enum { WRITER_ROOM = 1 << 16 }; /* bytes */

/* A writer to `fd`, which stays the caller's, with memory for lines of WRITER_ROOM bytes in all.
 * writer_free frees it. false: out of memory. */
bool writer_init(writer *w, const writer_ops *ops, writer_style style, int fd);
void writer_free(writer *w);

/* Compose the header, a match, the end. false: out of memory; a match then adds nothing, and may be
 * added again after a flush, which makes room. */
void writer_begin(writer *w);
bool writer_add(writer *w, const writer_match *match);
void writer_end(writer *w);

/* Write all composed lines. Returns 0 or an errno; ENOMEM if composing the header or the end ran
 * out of memory. */
int writer_flush(writer *w);

/* For the formats: the start or end of a match as text. */
static inline void writer_start_text(char out[TIME_TEXT_SIZE], time_style style,
                                     const writer_match *match)
{
    const time_point point = {.sample = match->start, .time = match->start_time};
    time_format(out, style, &match->scale, point);
}

static inline void writer_end_text(char out[TIME_TEXT_SIZE], time_style style,
                                   const writer_match *match)
{
    const time_point point = {.sample = match->end, .time = match->end_time};
    time_format(out, style, &match->scale, point);
}

/* A sample of a match, of this time, in seconds since the beginning of the input. */
static inline void writer_offset_text(char out[TIME_TEXT_SIZE], const writer_match *match,
                                      uint64_t sample, exact_time at)
{
    const time_point point = {.sample = sample, .time = exact_time_since(match->origin, at)};
    time_format(out, TIME_SECONDS, &match->scale, point);
}

#endif
