/*
 * plain.h - are letters plain, so that whole lines of them can be taken at once?
 */
#ifndef TOOLS_SIGREP_TEXT_PLAIN_H
#define TOOLS_SIGREP_TEXT_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/* Is none of n bytes white space or a control character? `dna`: is each one of A, C, G, T and N, in
 * either case? */
bool plain_letters(const unsigned char *letters, size_t n, bool dna);

#endif
