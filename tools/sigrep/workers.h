/*
 * workers.h - several inputs at once: each worker takes the next one, and prints in its turn.
 *
 *     worker 1   input 1 ------- input 3 --- input 4 ...
 *     worker 2   input 2 ----------------------- input 5 ...
 *
 * An input that is no file waits for its turn before it is opened, so standard input, pipes and
 * microphones are read one at a time, and printed at once.
 */
#ifndef TOOLS_SIGREP_WORKERS_H
#define TOOLS_SIGREP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct worker worker; /* tools/sigrep/worker.h, all three */
typedef struct search_run search_run;
typedef struct run_tally run_tally;

typedef struct {
    worker *items;
    size_t n;
} workers;

/* Make as many workers as threads are wanted and inputs are there. If there is one worker, all
 * threads are its search's; so it is with --scores and with a GPU. Makes the first search. false
 * after a failure, which is reported: no input can be searched. workers_free is due in any case. */
bool workers_create(workers *w, search_run *run);

/* Search all inputs. */
void workers_search(workers *w);

/* Free the searches, and sum up what came of them in *sum. */
void workers_sum(workers *w, run_tally *sum);
void workers_free(workers *w);

#endif
