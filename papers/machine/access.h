/* access.h - section 3 of Nakano: access to n words by p threads. Results are those of y's words:
 * their sum. */
#ifndef PAPERS_MACHINE_ACCESS_H
#define PAPERS_MACHINE_ACCESS_H

#include "papers/machine/algorithms.h"

/* T(i) reads a[p t + i] in round t. */
bool access_contiguous(const setup *s, outcome *to);
/* T(i) reads a[b[p t + i]], where b[i] mod w = i mod w. Here b turns the order of rows of w words
 * around, each bank by another number of rows. */
bool access_banks(const setup *s, outcome *to);

#endif
