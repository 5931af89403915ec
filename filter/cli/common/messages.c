#include "filter/cli/common/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"

static bool progress_shown;
static const char *program = "sigrep";

void report_as(const char *name)
{
    program = name;
}

/* Nothing is left to report to if this fails. */
static void put(text_buffer *line)
{
    static const char instead[] = "out of memory\n";
    text_add_string(line, "\n");
    report_progress_end();
    if (line->failed)
        (void)fd_write_all(STDERR_FILENO, instead, sizeof instead - 1);
    else
        (void)fd_write_all(STDERR_FILENO, line->data, line->length);
    free(line->data);
}

/* `sigrep: `, then `NAME: ` if there is a name, then the words. */
static void put_words(const char *name, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static void put_words(const char *name, const char *format, va_list args)
{
    char words[1024];
    text_buffer line = {0};
    text_add_string(&line, program);
    text_add_string(&line, ": ");
    if (name) {
        text_add_escaped(&line, name);
        text_add_string(&line, ": ");
    }
    vsnprintf(words, sizeof words, format, args);
    text_add_string(&line, words);
    put(&line);
}

void report(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_words(NULL, format, args);
    va_end(args);
}

void report_of(const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_words(name, format, args);
    va_end(args);
}

bool report_no_memory(const char *name)
{
    report_of(name, "out of memory");
    return false;
}

bool print_text(text_buffer *text)
{
    const int failure =
        text->failed ? ENOMEM : fd_write_all(STDOUT_FILENO, text->data, text->length);
    free(text->data);
    *text = (text_buffer){0};
    if (failure) report("standard output: %s", strerror(failure));
    return !failure;
}

void report_progress(const char *text)
{
    bool terminal = isatty(STDERR_FILENO);
    text_buffer line = {0};
    if (terminal) text_add_string(&line, "\r\033[K");
    text_add_string(&line, text);
    if (!terminal) text_add_string(&line, "\n");
    if (!line.failed) (void)fd_write_all(STDERR_FILENO, line.data, line.length);
    free(line.data);
    progress_shown = terminal;
}

void report_progress_end(void)
{
    static const char wipe[] = "\r\033[K";
    if (progress_shown) (void)fd_write_all(STDERR_FILENO, wipe, sizeof wipe - 1);
    progress_shown = false;
}
