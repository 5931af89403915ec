/*
 * retry.h - --retry SECONDS: a microphone that was lost, or a pipe whose writer has gone, is opened
 * again.
 *
 *     samples ===========| lost, reported                    | is there again, reported
 *                        |--- a gap: by the clock, or one sample ---|=========== samples
 *
 * It has one sample at least. Of a microphone, and with clock times, it grows while it lasts, so
 * that matches before it need not wait.
 */
#ifndef TOOLS_SIGREP_RETRY_H
#define TOOLS_SIGREP_RETRY_H

#include <stdbool.h>

typedef struct worker worker;             /* tools/sigrep/worker.h */
typedef struct listed_input listed_input; /* tools/sigrep/options/inputs.h */

/* Can the input come back? If not, reports so. */
bool retry_can(worker *w, const listed_input *listed);

/* Has the open input ended in a way after which it may come back? */
bool retry_is_due(const worker *w);

/* Open it again, however long that takes, and let the feed go on after the gap. false: a signal or
 * --duration ends that; or it came back as another, which is reported. */
bool retry_open(worker *w);

#endif
