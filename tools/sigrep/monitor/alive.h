/*
 * alive.h - short notes for a person at a terminal: what is listened to, and what is waited for.
 * They go to standard error; there are none if it is no terminal, nor with -q.
 */
#ifndef TOOLS_SIGREP_MONITOR_ALIVE_H
#define TOOLS_SIGREP_MONITOR_ALIVE_H

#include "io/source.h"

typedef struct runner runner; /* tools/sigrep/runner.h */

/* Before the input is opened. Standard input: is it the terminal? Does a pipe stay silent? Waits a
 * while for its first bytes to know that; a signal ends the wait. */
void alive_wait(const runner *r, const char *path);

/* A microphone runs: its rate, and the thresholds. */
void alive_listens(const runner *r, const source_info *info);

#endif
