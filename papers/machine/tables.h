/* tables.h - what sigrep-machine prints. */
#ifndef PAPERS_MACHINE_TABLES_H
#define PAPERS_MACHINE_TABLES_H

#include "io/text_buffer.h"
#include "papers/machine/algorithms.h"
#include "papers/machine/fit.h"

void table_begin(text_buffer *out, const setup *s);
/* false: out of memory. */
bool table_add(text_buffer *out, const setup *s, const algorithm *a, const outcome *o);

/* Both fits, then for each m the best D: measured, and predicted by fits to all other m. */
void table_fit(text_buffer *out, const measured *times);

#endif
