/*
 * cigar.h - how a pattern stands on a text, as SAM writes it.
 *
 *     pattern   A C G - T T        2=1X1D1=1S: = equal, X replaced, I only in the pattern,
 *     text      A C C A T |end     D only in the text, S hangs over
 */
#ifndef TOOLS_SIGREP_TEXT_CIGAR_H
#define TOOLS_SIGREP_TEXT_CIGAR_H

#include "io/text_buffer.h"
#include "sigrep_text.h"

/* Add the alignment of the match, whose letters of the text are y[0, end - start), and set *edits
 * to the edits of the letters that do not hang over. `same` as in sigrep_text_config; `diagonal`:
 * letters are only replaced. false: out of memory. */
bool cigar_add(text_buffer *out, const sigrep_text_pattern *x, const unsigned char *y,
               const sigrep_text_match *match, const unsigned char *same, bool diagonal,
               size_t *edits);

#endif
