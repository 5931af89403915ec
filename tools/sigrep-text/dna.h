/*
 * dna.h - the letters of DNA: IUPAC codes (Cornish-Bowden 1985), in either case. U is T.
 *
 *     A C G T    R AG   Y CT   S CG   W AT   K GT   M AC    B CGT   D AGT   H ACT   V ACG    N ACGT
 */
#ifndef TOOLS_SIGREP_TEXT_DNA_H
#define TOOLS_SIGREP_TEXT_DNA_H

#include <stdbool.h>
#include <stddef.h>

/* Is the letter a code? */
bool dna_is_code(unsigned char letter);

/* Is each base that y stands for one that x stands for? */
bool dna_same(unsigned char x, unsigned char y);

/* Write the reverse complement of x[0..n) into out[0..n). Returns whether it is x, but for case. */
bool dna_reverse_complement(const char *x, size_t n, char *out);

#endif
