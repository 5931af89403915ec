/*
 * saved.h - what a file of --state holds, as a struct and as bytes.
 *
 *     | "sigstate" | version | fields: whole numbers of 8 bytes, bytes, lists | checksum |
 *
 * The least byte comes first. The checksum is the CRC-32 of all before it.
 */
#ifndef TOOLS_SIGREP_STATE_SAVED_H
#define TOOLS_SIGREP_STATE_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text_buffer.h"
#include "io/time/exact_time.h"
#include "tools/sigrep/state/stream_mark.h"

/* A match that began a --hold: what hold_takes looks at. */
typedef struct {
    uint64_t end; /* sample; 0: there was none */
    exact_time start_time, end_time;
} saved_hold;

/* A match that was printed because the input ended. */
typedef struct {
    uint64_t template_index, start, end, score; /* the score's bits */
} saved_match;

/* Bytes that are borrowed. */
typedef struct {
    const unsigned char *bytes;
    size_t n;
} saved_bytes;

/* A place in the input, from which another run can go on. Lists are owned. */
typedef struct {
    uint64_t samples; /* given to the search, gaps included */
    uint64_t matches, held;
    uint64_t output;   /* bytes of standard output so far, if it is a file */
    uint64_t decimals; /* of the times of the column ... */
    exact_time first;  /* ... the first that is known ... */
    exact_time *times; /* ... and the last ones, if the input cannot be read again */
    size_t n_times;
    uint64_t *label_matches; /* by template, as in output */
    size_t n_label_matches;
    saved_hold *holds; /* likewise; none without --hold */
    size_t n_holds;
    saved_bytes search; /* of sigrep_save */
} saved_place;

typedef struct {
    saved_bytes options;       /* text, see options_text.h */
    saved_bytes input;         /* its name */
    int64_t epoch_s, epoch_ns; /* when sample 0 was read, see time_scale */
    bool has_begun; /* something was searched, or the lines before all matches were printed */
    bool is_over;   /* -m has been reached */
    bool has_ended; /* the input: `end` counts */
    bool output_is_file;
    uint64_t output_device, output_inode, output_end; /* see output_place.h */
    bool output_end_is_known;
    /* The stream that is read now, which begins at sample `base`: not 0 if it follows another. */
    uint64_t base, base_decimals;
    exact_time base_first;
    stream_mark mark;
    saved_place here;     /* goes on with the same stream */
    saved_place end;      /* goes on with another one: all is decided */
    saved_match *printed; /* between `here` and `end`; owned */
    size_t n_printed;
} saved;

/* Write it. false: out of memory. The caller frees the text. */
bool saved_write(saved *s, text_buffer *out);

/* Read it from all bytes of a file, which it borrows. NULL, or what is wrong. The caller frees *s
 * in any case. */
const char *saved_read(saved *s, const unsigned char *bytes, size_t n);

void saved_place_free(saved_place *place);
void saved_free(saved *s);

#endif
