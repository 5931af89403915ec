/*
 * groups.h - with --group-by, each group of a table is an input of its own: its rows, as if they
 * stood alone. The table is read once. Its rows are dealt out, many at a time or as they come, and
 * each group has a worker, a search and a thread, which sleeps while it has no rows.
 *
 *     table --> first lines -----> all groups        wake those with rows     turns_merge
 *          \--> rows, by group --> rows that wait --> worker_search --------> standard output
 *                                                     up to -j at a time      in order of rows
 */
#ifndef TOOLS_SIGREP_GROUPS_H
#define TOOLS_SIGREP_GROUPS_H

typedef struct listed_input listed_input; /* tools/sigrep/options/inputs.h */
typedef struct worker worker;             /* tools/sigrep/worker.h */

enum { GROUPS_MOST = 4096 /* of an input */ };

/* Search the groups of this input, whose turn it is. */
void groups_search(worker *w, const listed_input *listed);

#endif
