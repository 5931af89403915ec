/*
 * output.h - what is printed of matches.
 *
 *     output_match --> a line --+--> standard output
 *                               +--> best.h, until the input ends
 *                               +--> sequences.h (SAM), until all inputs end
 */
#ifndef TOOLS_SIGREP_TEXT_OUTPUT_H
#define TOOLS_SIGREP_TEXT_OUTPUT_H

#include "tools/sigrep-text/best.h"
#include "tools/sigrep-text/options.h"
#include "tools/sigrep-text/sequences.h"

typedef struct {
    const text_options *o;
    const pattern_list *patterns;
    const unsigned char *same; /* patterns_same */
    writer out;
    writer line; /* of a match that may be one of the best */
    text_buffer cigar;
    best_list best;
    sequences sequences;
    bool is_lost; /* standard output, or a line: reported */
} match_output;

/* Where a match is. */
typedef struct {
    const char *file;
    const char *record;           /* NULL: the text has no records */
    const unsigned char *letters; /* of the text; only those of the match are read */
    uint64_t first;               /* letters[0] is letter `first`; others lie before it */
} match_text;

/* false: out of memory, which is reported. output_free frees it in any case. */
bool output_init(match_output *p, const text_options *o, const pattern_list *patterns);
void output_free(match_output *p);

/* What comes before all matches. */
void output_begin(match_output *p);
void output_match(match_output *p, const match_text *text, const sigrep_text_match *match);

/* A text with matches has ended after so many letters. */
void output_end_text(match_output *p, const match_text *text, uint64_t letters);

/* An input has ended. */
void output_end_input(match_output *p);

/* What comes after all matches. */
void output_end(match_output *p);

/* Write, or hold back, what is composed. */
void output_flush(match_output *p);

#endif
