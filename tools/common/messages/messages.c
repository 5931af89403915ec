#include "tools/common/messages/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/escape.h"
#include "io/fdio.h"

enum {
    LINE_SIZE = 4096,  /* bytes: a write of so many to a pipe is never torn (PIPE_BUF) */
    NAME_SIZE = 1024,  /* bytes of a name, escaped */
    WORDS_SIZE = 8192, /* bytes of words that may hold a path, not yet escaped */
};

static const char LEFT_OUT[] = "...", WIPE[] = "\r\033[K", WIPE_ABOVE[] = "\033[A\033[K";

typedef struct {
    char bytes[LINE_SIZE];
    size_t length;
} message;

static atomic_int shown_lines; /* of progress, on the terminal */
static _Thread_local report_taker *taker;
static _Thread_local void *taker_user;
static const char *program = "sigrep";

void report_as(const char *name)
{
    program = name;
}

const char *report_program(void)
{
    return program;
}

/* Add text of the program's own; bytes that do not fit are left out. */
static void add(message *m, const char *text)
{
    const size_t n = strlen(text), left = sizeof m->bytes - m->length;
    memcpy(m->bytes + m->length, text, n < left ? n : left);
    m->length += n < left ? n : left;
}

/* Wipe off the lines that are shown. A signal handler may do so. */
static void add_wipe(message *m)
{
    const int lines = atomic_exchange(&shown_lines, 0);
    if (lines > 0) add(m, WIPE);
    for (int i = 1; i < lines; i++) add(m, WIPE_ABOVE);
}

/* Add text of anyone, escaped, in at most `most` bytes. The middle of longer text is left out,
 * since the end of a path or of a message says the most. */
static void add_escaped(message *m, const char *text, size_t most)
{
    char shown[ESCAPE_SIZE];
    const size_t half = (most - strlen(LEFT_OUT)) / 2;
    size_t total = 0, at = 0;
    bool is_cut = false;
    for (const char *c = text; *c; total += strlen(shown)) c += escape_next(c, shown);
    for (; *text; at += strlen(shown)) {
        text += escape_next(text, shown);
        if (total <= most || at + strlen(shown) <= half || at >= total - half) {
            add(m, shown);
        } else if (!is_cut) {
            add(m, LEFT_OUT);
            is_cut = true;
        }
    }
}

/* One write. Nothing is left to report to if it fails. */
static void put(const message *m)
{
    (void)fd_write_all(STDERR_FILENO, m->bytes, m->length);
}

/* Begin a message, in place of lines of progress unless it is taken. */
static void begin(message *m)
{
    m->length = 0;
    if (!taker) add_wipe(m);
}

void report_to(report_taker *take, void *user)
{
    taker = take;
    taker_user = user;
}

void report_taken(const char *line, size_t n)
{
    report_progress_end();
    (void)fd_write_all(STDERR_FILENO, line, n);
}

/* `sigrep: `, then `NAME: ` if there is a name, then the words. */
static void put_words(const char *name, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static void put_words(const char *name, const char *format, va_list args)
{
    char words[WORDS_SIZE];
    message m;
    begin(&m);
    add(&m, program);
    add(&m, ": ");
    if (name) {
        add_escaped(&m, name, NAME_SIZE);
        add(&m, ": ");
    }
    const bool good = vsnprintf(words, sizeof words, format, args) >= 0;
    add_escaped(&m, good ? words : format, sizeof m.bytes - m.length - 1);
    add(&m, "\n");
    if (taker)
        taker(taker_user, m.bytes, m.length);
    else
        put(&m);
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

void report_usage(const char *usage, const char *error)
{
    message m;
    begin(&m);
    add(&m, error ? program : "Usage");
    add(&m, ": ");
    if (error)
        add_escaped(&m, error, sizeof m.bytes / 2);
    else
        add(&m, usage);
    add(&m, "\nTry '");
    add(&m, program);
    add(&m, " --help'.\n");
    put(&m);
}

bool report_can_wipe(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && !(kind && strcmp(kind, "dumb") == 0);
}

void report_progress(const char *text)
{
    message m = {.length = 0};
    const bool wipes = report_can_wipe();
    if (wipes) add(&m, WIPE);
    add_escaped(&m, text, NAME_SIZE);
    if (!wipes) add(&m, "\n");
    put(&m);
    shown_lines = wipes;
}

void report_display(int fd, const char *lines)
{
    message m = {.length = 0};
    const int before = shown_lines;
    add_wipe(&m);
    const ssize_t first = (ssize_t)m.length;
    add(&m, lines);
    const ssize_t written = write(fd, m.bytes, m.length);
    int shown = written > 0 ? 1 : before;
    for (ssize_t i = first; i < written; i++) shown += m.bytes[i] == '\n';
    shown_lines = shown;
}

void report_progress_end(void)
{
    message m = {.length = 0};
    add_wipe(&m);
    if (m.length > 0) put(&m);
}

static last_output_fn *write_output;
static void *output;
static pid_t owner; /* the process that has the output: a child has none */

void out_of_memory_set_output(last_output_fn *write, void *user)
{
    write_output = write;
    output = user;
    owner = getpid();
}

/* Only the first thread reports. No function of atexit(3) runs: those of libraries may allocate, or
 * wait for locks that this thread holds. */
void out_of_memory_exit(void)
{
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&is_ending)) pause();
    report_to(NULL, NULL);
    if (write_output && getpid() == owner) write_output(output);
    report("out of memory");
    _exit(EXIT_ERROR);
}
