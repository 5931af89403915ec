/*
 * exec.h - a shell command for each match, beside the stream (--exec).
 *
 *     exec_add --> queue, EXEC_WAITING at most --> thread: sh -c COMMAND, one at a time, in order
 *     exec_report <------------------------------- what failed
 *
 * No call but exec_finish waits for a command. A command reads nothing and inherits no descriptor
 * but standard error, to which its output goes as well: standard output is for matches. Signals
 * have their default effects, but SIGHUP, SIGINT and SIGQUIT stay ignored if they are. SIGCHLD is
 * no longer ignored in this process, else the commands' statuses would be lost.
 *
 * Any thread may call exec_add and exec_report.
 */
#ifndef TOOLS_SIGREP_OUTPUT_EXEC_H
#define TOOLS_SIGREP_OUTPUT_EXEC_H

#include "io/text_buffer.h"

enum { EXEC_WAITING = 1000, EXEC_PATIENCE_S = 2 };

typedef struct exec exec;

/* Labels have numbers below n_labels. `command` is borrowed. NULL: out of memory or threads. */
exec *exec_create(const char *command, size_t n_labels);

/* Run the command with these variables in its environment: NAME=VALUE and a NUL, again and again.
 * Their memory is taken over. Other variables SIGREP_... are removed. `label` is borrowed, for
 * messages. If EXEC_WAITING commands wait, this one is dropped; a warning counts those. */
void exec_add(exec *e, size_t label_number, const char *label, text_buffer *variables);

/* Report the first command of each label that has failed since. */
void exec_report(exec *e);

/* Wait for all commands, report what failed, and free e; NULL is allowed. After a signal
 * (signals.h) no more commands are started, and the running one may take EXEC_PATIENCE_S more;
 * *was_cut becomes true if any was left out. false: some command could not be started, for other
 * reasons. */
bool exec_finish(exec *e, bool *was_cut);

#endif
