/*
 * text_start.h - what a text is, by its first line.
 *
 *     BOM, blank lines, lines of ;    passed over
 *     >NAME                           FASTA
 *     @NAME                           FASTQ
 *     ACGT                            lines of DNA
 *     anything else                   refused, with a cure
 *
 * Only --fasta and --alphabet dna ask: a text of bytes is all of its bytes.
 */
#ifndef TOOLS_SIGREP_TEXT_TEXT_START_H
#define TOOLS_SIGREP_TEXT_TEXT_START_H

#include "io/input.h"

typedef enum { TEXT_BYTES, TEXT_LINES, TEXT_FASTA, TEXT_FASTQ, TEXT_REFUSED } text_kind;

/* Judge the text, and consume what comes before its first line. `fasta`: it must have records;
 * `dna`: it may have. TEXT_REFUSED: reason[size] has why. */
text_kind text_start(input *in, bool fasta, bool dna, char *reason, size_t size);

/* Judge a file of patterns, and consume an order mark: records if they may be and its first letter
 * is > or @, else lines, which are TEXT_BYTES. */
text_kind text_start_patterns(input *in, bool may_have_records);

#endif
