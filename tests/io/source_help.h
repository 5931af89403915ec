/*
 * source_help.h - read a source to its end, from a file or a pipe. The result is one line of words,
 * so that a test is one comparison:
 *
 *     "1 2 | 3 4 | ! line 3: ..."     frames by |, values by spaces, ! an error while reading
 *     "!! is empty: no samples"       the source could not be opened
 *     "@0.5 1 | ~ line 2: ..."        @ a time before its frame, ~ a warning after all
 */
#ifndef TESTS_IO_SOURCE_HELP_H
#define TESTS_IO_SOURCE_HELP_H

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "io/fdio.h"
#include "io/source.h"
#include "io/time/exact_time.h"
#include "tests/check.h"

/* The end of an error in a line after a good one. */
#define HELP_ADVICE "; --skip-bad makes it a gap"

typedef struct {
    const void *bytes;
    size_t n;
    size_t piece; /* bytes a write or a read; 0: all at once */
    bool by_pipe;
} help_input;

typedef struct {
    bool opened, failed;
    source_info info;
    size_t n; /* frames */
    float *values;
    exact_time *times;
    char error[256];
    char warnings[4096];
} help_result;

enum { HELP_VALUES = 1 << 18, HELP_WORDS = 1 << 16 };

/* A file of these bytes; remove it with unlink. */
static inline const char *help_file(const void *bytes, size_t n)
{
    static char path[4096];
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/sigrep-test-XXXXXX", dir ? dir : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0 || fd_write_all(fd, bytes, n) != 0) abort();
    close(fd);
    return path;
}

static size_t help_piece_;

static inline ssize_t help_short_read(int fd, void *bytes, size_t size)
{
    return read(fd, bytes, size < help_piece_ ? size : help_piece_);
}

typedef struct {
    const help_input *in;
    int fd;
} help_writer;

static inline void *help_write(void *argument)
{
    const help_writer *w = argument;
    size_t piece = w->in->piece ? w->in->piece : w->in->n;
    for (size_t at = 0; at < w->in->n; at += piece) {
        size_t step = w->in->n - at < piece ? w->in->n - at : piece;
        if (fd_write_all(w->fd, (const char *)w->in->bytes + at, step) != 0) break;
    }
    close(w->fd);
    return NULL;
}

/* Read the first half of the frames that are left, by source_read_at, back to front. Returns their
 * number; 0: not possible. */
static inline size_t help_read_parts(source *src, float *values)
{
    const size_t n = (size_t)((source_frames_left(src) + 1) / 2),
                 channels = source_get_info(src).channels;
    const size_t first = n / 2;
    if (source_read_at(src, first, values + first * channels, n - first) != n - first) abort();
    if (source_read_at(src, 0, values, first) != first) abort();
    source_skip(src, n);
    return n;
}

/* Read `path`, which may be "-", until it ends or fails. Uses source_read, source_read_at and
 * source_gather in turns. */
static inline help_result help_read(const char *path, const source_options *options)
{
    help_result r = {0};
    source *src = source_open(path, options, r.error, sizeof r.error);
    if (!src) return r;
    r.opened = true;
    r.info = source_get_info(src);
    r.values = calloc(HELP_VALUES, sizeof *r.values);
    r.times = calloc(HELP_VALUES, sizeof *r.times);
    ssize_t n = 1;
    for (unsigned turn = 0; n > 0; turn++) {
        float *values = r.values + r.n * r.info.channels;
        if (turn % 2 && source_frames_left(src)) r.n += help_read_parts(src, values);
        values = r.values + r.n * r.info.channels;
        const size_t room = HELP_VALUES / r.info.channels - r.n;
        n = (turn % 2 ? source_gather : source_read)(src, values, r.times + r.n, room);
        if (n > 0) r.n += (size_t)n;
        for (const char *w; (w = source_warning(src));)
            snprintf(r.warnings + strlen(r.warnings), sizeof r.warnings - strlen(r.warnings),
                     " ~ %s", w);
    }
    r.failed = n < 0;
    if (r.failed) snprintf(r.error, sizeof r.error, "%s", source_error(src));
    source_close(src);
    return r;
}

/* Standard input is a pipe that a thread fills. */
static inline help_result help_run_pipe(const help_input *in, const source_options *options)
{
    int ends[2], saved = dup(STDIN_FILENO);
    pthread_t thread;
    if (pipe(ends) != 0) abort();
    signal(SIGPIPE, SIG_IGN);
    help_writer writer = {in, ends[1]};
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    if (pthread_create(&thread, NULL, help_write, &writer) != 0) abort();
    help_result r = help_read("-", options);
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    } else {
        close(STDIN_FILENO);
    }
    pthread_join(thread, NULL);
    return r;
}

static inline help_result help_run(const help_input *in, const source_options *options)
{
    if (in->by_pipe) return help_run_pipe(in, options);
    const fd_calls calls = {.read = help_short_read, .write = write, .poll = poll};
    help_piece_ = in->piece;
    const char *path = help_file(in->bytes, in->n);
    if (in->piece) fd_set_calls(&calls);
    help_result r = help_read(path, options);
    fd_set_calls(NULL);
    unlink(path);
    return r;
}

static inline void help_free(help_result *r)
{
    free(r->values);
    free(r->times);
}

static char help_words_[HELP_WORDS];

static inline void help_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void help_add(const char *format, ...)
{
    va_list args;
    size_t n = strlen(help_words_);
    va_start(args, format);
    vsnprintf(help_words_ + n, sizeof help_words_ - n, format, args);
    va_end(args);
}

/* The result in words, see above. */
static inline const char *help_words(const help_result *r, bool times)
{
    help_words_[0] = '\0';
    if (!r->opened) help_add("!! %s", r->error);
    for (size_t i = 0; i < r->n; i++) {
        if (i > 0) help_add(" | ");
        if (times) help_add("@%.15g ", exact_time_as_double(r->times[i]));
        for (size_t k = 0; k < r->info.channels; k++)
            help_add("%s%.9g", k ? " " : "", (double)r->values[i * r->info.channels + k]);
    }
    if (r->failed) help_add("%s! %s", r->n ? " | " : "", r->error);
    help_add("%s", r->warnings);
    return help_words_;
}

/* Do these bytes give these words: from a file and from a pipe, whole and in pieces? */
static inline bool help_gives_bytes(const source_options *options, const void *bytes, size_t n,
                                    const char *words)
{
    static const help_input ways[] = {
        {NULL, 0, 0, false}, {NULL, 0, 1, false}, {NULL, 0, 0, true}, {NULL, 0, 1, true}};
    bool good = true;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        help_input in = ways[i];
        in.bytes = bytes;
        in.n = n;
        help_result r = help_run(&in, options);
        const char *got = help_words(&r, options->time_column > 0);
        if (strcmp(got, words) != 0) {
            fprintf(stderr, "way %zu: got %s, expected %s\n", i, got, words);
            good = false;
        }
        help_free(&r);
    }
    return good;
}

static inline bool help_gives(const source_options *options, const char *text, const char *words)
{
    return help_gives_bytes(options, text, strlen(text), words);
}

/* Options with nothing chosen. */
static inline source_options help_options(source_format format)
{
    return (source_options){.format = format, .wake_fd = -1};
}

#endif
