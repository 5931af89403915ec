/*
 * messages.h - what a program prints: on standard error lines `sigrep: ...`, and one line of
 * progress that comes and goes; on standard output whole texts. The program's name and that line
 * are globals, since there is one standard error.
 */
#ifndef FILTER_CLI_COMMON_MESSAGES_H
#define FILTER_CLI_COMMON_MESSAGES_H

#include <stdbool.h>

#include "io/text_buffer.h"

/* The program's name in messages; "sigrep" if this is never called. `name` is borrowed. */
void report_as(const char *name);

/* `sigrep: ...` and a newline, printf style; cut off after 1023 bytes. */
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, `sigrep: NAME: ...`, control characters in the name escaped. NULL: without a name. */
void report_of(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `sigrep: NAME: out of memory`. Always false. */
bool report_no_memory(const char *name);

/* Write the text to standard output, and free it. false after a failure, which is reported. */
bool print_text(text_buffer *text);

/* Show `line` in place of the last one; on no terminal, below it. */
void report_progress(const char *line);
/* Wipe that line off the terminal. */
void report_progress_end(void);

#endif
