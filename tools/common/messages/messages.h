/*
 * messages.h - what a program prints: on standard error lines `sigrep: ...`, and one line of
 * progress that comes and goes; on standard output whole texts.
 *
 *     name, words --> escaped --> fixed buffer on the stack --one write--> standard error
 *
 * Messages need no heap, so lack of memory can always be reported. All of a line is escaped as
 * io/escape.h says, since names, labels and words of libraries come from anywhere. A line has at
 * most 4096 bytes; the middle of longer names and words is left out. The program's name and the
 * lines of progress are globals, since there is one standard error. Any thread may report; a thread
 * may have its lines taken by a function, so that they wait for their turn.
 */
#ifndef TOOLS_COMMON_MESSAGES_MESSAGES_H
#define TOOLS_COMMON_MESSAGES_MESSAGES_H

#include <stdbool.h>

#include "io/text_buffer.h"

enum { EXIT_ERROR = 2 /* of every program */ };

/* The program's name in messages; "sigrep" if this is never called. `name` is borrowed. */
void report_as(const char *name);
const char *report_program(void);

/* `sigrep: ...` and a newline, printf style. */
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, `sigrep: NAME: ...`. NULL: without a name. */
void report_of(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `sigrep: NAME: out of memory`. Always false. */
bool report_no_memory(const char *name);

/* A wrong command line: `sigrep: ERROR`, or `Usage: USAGE` if there is no error (NULL). Then how to
 * get help. */
void report_usage(const char *usage, const char *error);

/* From now on `take` gets the lines of this thread, instead of standard error. NULL: no longer. */
typedef void report_taker(void *user, const char *line, size_t n);
void report_to(report_taker *take, void *user);

/* Write a line that was taken. */
void report_taken(const char *line, size_t n);

/* Write the text to standard output, and free it. false after a failure, which is reported. */
bool print_text(text_buffer *text);

/* Is standard error a terminal that can wipe lines off (TERM is not dumb)? */
bool report_can_wipe(void);

/* Show `line` in place of the last one; below it, if that cannot be wiped off. One thread at a
 * time. */
void report_progress(const char *line);
/* Show several lines so, as they are, up to 3900 bytes; no newline ends them. `fd` is the terminal,
 * opened so that it does not block: text that it has no room for is left out. */
void report_display(int fd, const char *lines);
/* Wipe all of that off the terminal. */
void report_progress_end(void);

/*
 * How a program ends if a library gets no memory (library_memory.c):
 *
 *     its malloc fails --> out_of_memory_exit --> last output, "out of memory", status 2
 */

/* Writes output that waits. Any thread may call it, at any time, once; then the process ends. It
 * may not allocate. */
typedef void last_output_fn(void *user);

/* Call `write` before the process ends so, but not in a child of it. NULL: nothing waits. Not while
 * other threads run. */
void out_of_memory_set_output(last_output_fn *write, void *user);

/* Write the last output, report, and end the process with status 2. */
_Noreturn void out_of_memory_exit(void);

#endif
