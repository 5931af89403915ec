/*
 * groups.h - with --group-by, each group of a table is an input of its own: its rows, as if they
 * stood alone.
 *
 *     log.csv --> all rows, once --> log.csv: pump1, log.csv: pump2 ...    as they first come
 *                                    each reads the file again
 */
#ifndef TOOLS_SIGREP_GROUPS_H
#define TOOLS_SIGREP_GROUPS_H

#include "tools/sigrep/options/inputs.h"

enum { GROUPS_MOST = 4096 /* of a file */ };

/* Replace each input by its groups. One that is no table, or cannot be opened, stays: the search
 * reports it. One whose groups cannot be listed is dropped, which is reported: list->failed. */
void groups_list(input_list *list, const options *o);

#endif
