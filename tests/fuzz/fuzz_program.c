/*
 * fuzz_program.c - whole runs of sigrep. An input has three parts, with a line `--` between them:
 *
 *     words of the command line, one a line     the file `t`     the file `s`, and standard input
 *
 * Each runs twice: with one thread and whole reads, and with three threads and short reads that are
 * interrupted. Status, output, and scores or saved matches must be the same. Status 2 has words.
 * How many warnings are left out depends on the reads.
 */
#define _GNU_SOURCE /* memmem */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/run.h"

enum { OUT, SCORES, WORDS, TEXTS };
enum { MOST_WORDS = 32, MOST_BYTES = 1 << 13, OUTPUT = 1 << 20, PIECE = 37, DESCRIPTORS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *bytes;
    size_t n;
} part;

/* What a run gave. No more than OUTPUT bytes of each are compared. */
typedef struct {
    int status;
    size_t n[TEXTS]; /* bytes of standard output, scores, standard error */
    char bytes[TEXTS][OUTPUT];
} result;

static result *current;
static size_t piece;
static unsigned calls_made;

static bool is_interrupted(void)
{
    const bool now = piece > 0 && __atomic_add_fetch(&calls_made, 1, __ATOMIC_RELAXED) % 4 == 0;
    if (now) errno = EINTR;
    return now;
}

static ssize_t cut_read(int fd, void *bytes, size_t size)
{
    if (is_interrupted()) return -1;
    return read(fd, bytes, piece > 0 && piece < size ? piece : size);
}

static ssize_t cut_pread(int fd, void *bytes, size_t size, off_t offset)
{
    if (is_interrupted()) return -1;
    return pread(fd, bytes, piece > 0 && piece < size ? piece : size, offset);
}

static ssize_t store_write(int fd, const void *bytes, size_t size)
{
    const int kept = fd == STDOUT_FILENO ? OUT : fd == STDERR_FILENO ? WORDS : SCORES;
    if (is_interrupted()) return -1;
    if (piece > 0 && piece < size) size = piece;
    const size_t room = OUTPUT - current->n[kept], n = size < room ? size : room;
    memcpy(current->bytes[kept] + current->n[kept], bytes, n);
    current->n[kept] += n;
    return (ssize_t)size;
}

static void write_file(const char *path, part p)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || fd_write_all(fd, p.bytes, p.n) != 0 || close(fd) != 0) abort();
}

/* A pipe holds all the bytes. */
static void put_stdin(part p)
{
    int ends[2];
    if (pipe(ends) != 0 || fd_write_all(ends[1], p.bytes, p.n) != 0) abort();
    close(ends[1]);
    if (dup2(ends[0], STDIN_FILENO) < 0) abort();
    close(ends[0]);
}

/* The lowest descriptor that is free. */
static int free_descriptor(void)
{
    const int fd = dup(STDERR_FILENO);
    close(fd);
    return fd;
}

/* Only files of the folder, no microphones, no GPUs, no commands, no inputs that come back, and no
 * figures that the clock gives. */
static void confine(options *o, uint64_t threads)
{
    o->shared.device = "cpu";
    if (o->kernel && strstr(o->kernel, "cuda")) o->kernel = NULL;
    o->shared.threads = threads;
    for (size_t i = 0; i < o->shared.n_inputs; i++)
        if (strncmp(o->shared.inputs[i], "mic", 3) == 0) o->shared.inputs[i] = "s";
    if (o->save_folder) o->save_folder = "saved";
    if (o->scores_path) o->scores_path = o->save_folder ? NULL : "scores";
    o->exec_command = o->log_path = o->stats_path = NULL;
    o->stats_every_s = o->retry_s = 0;
    o->stats = o->progress = o->monitor = o->has_page = false;
}

/* Words are cut at newlines. A word with a slash might name a file elsewhere. */
static int cut_words(char *text, char **argv)
{
    int argc = 1;
    for (char *word = text; word && argc < MOST_WORDS;) {
        char *end = strchr(word, '\n');
        if (end) *end = '\0';
        if (!strchr(word, '/')) argv[argc++] = word;
        word = end ? end + 1 : NULL;
    }
    return argc;
}

/* false: nothing is to be searched. */
static bool run_once(part words, part input, uint64_t threads, size_t cut, result *r)
{
    static char program[] = "sigrep";
    static const fd_calls calls = {
        .read = cut_read, .write = store_write, .poll = poll, .pread = cut_pread};
    char error[ARGUMENTS_ERROR_SIZE], *argv[MOST_WORDS + 1] = {program};
    char *text = malloc(words.n + 1);
    options o;
    if (!text) abort();
    memcpy(text, words.bytes, words.n);
    text[words.n] = '\0';
    const int argc = cut_words(text, argv);
    const bool good = options_parse(&o, argc, argv, error) == ARGUMENTS_OK && !o.list_devices;
    if (good) {
        confine(&o, threads);
        put_stdin(input);
        const int free_before = free_descriptor();
        memset(r->n, 0, sizeof r->n);
        current = r;
        piece = cut;
        fd_set_calls(&calls);
        r->status = run(&o);
        fd_set_calls(NULL);
        /* signals.c keeps its pipe until the program ends. */
        for (int fd = free_before; fd < free_before + DESCRIPTORS; fd++) close(fd);
    }
    options_free(&o);
    free(text);
    return good;
}

static void compare(const result *a, const result *b)
{
    if (a->status != b->status) abort();
    for (int i = OUT; i <= SCORES; i++) {
        if (a->n[i] == b->n[i] && memcmp(a->bytes[i], b->bytes[i], a->n[i]) == 0) continue;
        fprintf(stderr, "whole: %.*s\ncut: %.*s\n", (int)a->n[i], a->bytes[i], (int)b->n[i],
                b->bytes[i]);
        abort();
    }
}

/* The part before a line `--`; *rest is what follows. */
static part cut_part(part *rest)
{
    static const char mark[] = "\n--\n";
    const size_t n_mark = sizeof mark - 1;
    const uint8_t *end = rest->n > 0 ? memmem(rest->bytes, rest->n, mark, n_mark) : NULL;
    const part first = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->n};
    const size_t used = end ? first.n + n_mark : rest->n;
    *rest = (part){rest->bytes + used, rest->n - used};
    return first;
}

static char folder[] = "/tmp/fuzz_program.XXXXXX";

static void remove_saved(void)
{
    DIR *saved = opendir("saved");
    for (const struct dirent *entry; saved && (entry = readdir(saved));)
        unlinkat(dirfd(saved), entry->d_name, 0);
    if (saved) closedir(saved);
    rmdir("saved");
}

static void remove_folder(void)
{
    static const char *const names[] = {"t", "s", "scores"};
    if (chdir(folder) != 0) return;
    remove_saved();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(names[i]);
    rmdir(folder);
}

/* The fuzzer's own names are relative to the folder that it began in, so back to that. */
static void try_in_folder(part words, part template, part input)
{
    static result whole, cut;
    write_file("t", template);
    write_file("s", input);
    if (!run_once(words, input, 1, 0, &whole)) return;
    if (whole.status < 0 || whole.status > EXIT_ERROR) abort();
    if (!run_once(words, input, 3, PIECE, &cut)) abort();
    if (whole.status == EXIT_ERROR && (whole.n[WORDS] == 0 || cut.n[WORDS] == 0)) abort();
    compare(&whole, &cut);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int home = -1;
    if (size == 0 || size > MOST_BYTES) return 0;
    if (home < 0) {
        home = open(".", O_RDONLY | O_DIRECTORY);
        if (home < 0 || !mkdtemp(folder) || atexit(remove_folder) != 0) abort();
    }
    part rest = {data, size};
    const part words = cut_part(&rest), template = cut_part(&rest);
    if (chdir(folder) != 0) abort();
    try_in_folder(words, template, rest);
    remove_saved();
    if (fchdir(home) != 0) abort();
    return 0;
}
