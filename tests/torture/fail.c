/*
 * fail.c - preloaded into a program, it lets calls of the C library fail, those of other libraries
 * included. Calls inside the C library are out of reach.
 *
 *     TORTURE_CALLS   names of `names` below, each with a comma after it: "read,pread,"
 *     TORTURE_AT      the number of the first of these calls that fails, from 1
 *     TORTURE_THEN    of the later ones fail: "none", "all", or every "second"
 *     TORTURE_ERRNO   with this error; 0: the call kills the program
 *     TORTURE_SIGNAL  nothing fails, the program gets this signal before the call
 *     TORTURE_BYTE    1: nothing fails, these calls move one byte at a time
 *     TORTURE_COUNT   a file for the number of calls of each name, written at the end
 *
 * Standard error always works: without it nothing could be reported.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own, beside the names that are replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define KIND(name) KIND_##name
#define NAME(name) [KIND(name)] = #name
enum kind {
    KIND(malloc),
    KIND(open),
    KIND(opendir),
    KIND(stat),
    KIND(lseek),
    KIND(poll),
    KIND(pipe),
    KIND(pthread_create),
    KIND(mkstemp),
    KIND(fchmod),
    KIND(fsync),
    KIND(close),
    KIND(rename),
    KIND(unlink),
    KIND(realpath),
    KIND(ftruncate),
    KIND(fcntl),
    KIND(ioctl),
    KIND(newlocale),
    KIND(sigaction),
    KIND(mkdir),
    KIND(posix_spawn),
    KIND(read),
    KIND(pread),
    KIND(write),
    KIND(pwrite),
    N_KINDS
};
static const char *const names[N_KINDS] = {
    NAME(malloc),    NAME(open),        NAME(opendir), NAME(stat),      NAME(lseek),
    NAME(poll),      NAME(pipe),        NAME(fchmod),  NAME(mkstemp),   NAME(pthread_create),
    NAME(fsync),     NAME(close),       NAME(rename),  NAME(unlink),    NAME(realpath),
    NAME(ftruncate), NAME(fcntl),       NAME(ioctl),   NAME(newlocale), NAME(sigaction),
    NAME(mkdir),     NAME(posix_spawn), NAME(read),    NAME(pread),     NAME(write),
    NAME(pwrite)};

static long counted[N_KINDS], calls, first;
static bool chosen[N_KINDS], ready, all_later, every_second, byte_wise;
static int error, signal_number;
static const char *count_file;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static bool contains(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ",") + 1)
        if (strncmp(at, name, length) == 0 && at[length] == ',') return true;
    return false;
}

__attribute__((constructor)) static void begin(void)
{
    const char *list = getenv("TORTURE_CALLS"), *then = getenv("TORTURE_THEN");
    for (int i = 0; i < N_KINDS; i++) chosen[i] = list && contains(list, names[i]);
    first = number("TORTURE_AT");
    error = (int)number("TORTURE_ERRNO");
    signal_number = (int)number("TORTURE_SIGNAL");
    byte_wise = number("TORTURE_BYTE") == 1;
    all_later = then && strcmp(then, "all") == 0;
    every_second = then && strcmp(then, "second") == 0;
    count_file = getenv("TORTURE_COUNT");
    unsetenv("LD_PRELOAD"); /* so commands that the program runs are left alone */
    ready = true;
}

__attribute__((destructor)) static void end(void)
{
    char line[64];
    if (!count_file) return;
    const long fd = syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (int i = 0; i < N_KINDS; i++) {
        const int length = snprintf(line, sizeof line, "%s %ld\n", names[i], counted[i]);
        (void)syscall(SYS_write, fd, line, length);
    }
}

/* Does this call fail? Then errno is set. */
static bool fails(enum kind kind)
{
    if (!ready) return false;
    __atomic_add_fetch(&counted[kind], 1, __ATOMIC_SEQ_CST);
    if (!chosen[kind] || byte_wise || first == 0) return false;
    const long k = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    const bool later = k > first && (all_later || (every_second && (k - first) % 2 == 0));
    if (k != first && !later) return false;
    if (signal_number) (void)syscall(SYS_kill, getpid(), signal_number);
    if (signal_number) return false;
    if (error == 0) (void)syscall(SYS_kill, getpid(), SIGKILL);
    errno = error;
    return true;
}

static size_t share(enum kind kind, size_t size)
{
    return size > 1 && byte_wise && chosen[kind] ? 1 : size;
}

void *malloc(size_t size)
{
    return fails(KIND(malloc)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(KIND(malloc)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails(KIND(malloc)) ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails(KIND(malloc)) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(KIND(malloc)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    void *block = fails(KIND(malloc)) ? NULL : __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *made = block;
    return 0;
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}

/* The call itself, by its name. A copy, since C has no cast from objects to functions. */
static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

/* CALL(type, result on failure, name, kind, parameters, arguments) */
#define CALL(type, bad, name, kind, parameters, arguments)                                         \
    type name parameters                                                                           \
    {                                                                                              \
        static __typeof__(name) *next;                                                             \
        if (!next) find(#name, &next);                                                             \
        if (fails(KIND(kind))) return bad;                                                         \
        return next arguments;                                                                     \
    }

CALL(int, -1, fstat, stat, (int fd, struct stat *s), (fd, s))
CALL(int, -1, fstat64, stat, (int fd, struct stat64 *s), (fd, s))
CALL(int, -1, stat, stat, (const char *path, struct stat *s), (path, s))
CALL(int, -1, lstat, stat, (const char *path, struct stat *s), (path, s))
CALL(int, -1, stat64, stat, (const char *path, struct stat64 *s), (path, s))
CALL(int, -1, fsync, fsync, (int fd), (fd))
CALL(int, -1, rename, rename, (const char *from, const char *to), (from, to))
CALL(int, -1, ftruncate, ftruncate, (int fd, off_t size), (fd, size))
CALL(int, -1, ftruncate64, ftruncate, (int fd, off64_t size), (fd, size))
CALL(off_t, -1, lseek, lseek, (int fd, off_t offset, int from), (fd, offset, from))
CALL(off64_t, -1, lseek64, lseek, (int fd, off64_t offset, int from), (fd, offset, from))
CALL(int, -1, mkstemp, mkstemp, (char *name), (name))
CALL(int, -1, mkstemp64, mkstemp, (char *name), (name))
CALL(int, -1, pipe, pipe, (int fd[2]), (fd))
CALL(int, -1, pipe2, pipe, (int fd[2], int flags), (fd, flags))
CALL(int, -1, fchmod, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, -1, fchown, fchmod, (int fd, uid_t user, gid_t group), (fd, user, group))
CALL(int, -1, unlink, unlink, (const char *path), (path))
CALL(int, -1, unlinkat, unlink, (int at, const char *path, int flags), (at, path, flags))
CALL(int, -1, mkdir, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, mkdirat, mkdir, (int at, const char *path, mode_t mode), (at, path, mode))
CALL(int, -1, fstatat, stat, (int at, const char *path, struct stat *s, int flags),
     (at, path, s, flags))
CALL(int, -1, fstatat64, stat, (int at, const char *path, struct stat64 *s, int flags),
     (at, path, s, flags))
CALL(int, error, posix_spawn, posix_spawn,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files,
      const posix_spawnattr_t *attributes, char *const words[], char *const environment[]),
     (pid, path, files, attributes, words, environment))
CALL(DIR *, NULL, opendir, opendir, (const char *path), (path))
CALL(DIR *, NULL, fdopendir, opendir, (int fd), (fd))
CALL(char *, NULL, realpath, realpath, (const char *path, char *real), (path, real))
CALL(int, -1, poll, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms))
CALL(int, error, pthread_create, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user),
     (thread, attributes, run, user))

CALL(struct dirent *, NULL, readdir, opendir, (DIR * folder), (folder))
CALL(struct dirent64 *, NULL, readdir64, opendir, (DIR * folder), (folder))
CALL(locale_t, (locale_t)0, newlocale, newlocale, (int mask, const char *name, locale_t base),
     (mask, name, base))
CALL(int, -1, sigaction, sigaction,
     (int number, const struct sigaction *action, struct sigaction *old), (number, action, old))

/* CONTROL(name, kind, system call, type of the command), with one argument. */
#define CONTROL(name, kind, call, request)                                                         \
    int name(int fd, request command, ...)                                                         \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, command);                                                                   \
        void *argument = va_arg(more, void *);                                                     \
        va_end(more);                                                                              \
        return fails(KIND(kind)) ? -1 : (int)syscall(call, fd, command, argument);                 \
    }

CONTROL(fcntl, fcntl, SYS_fcntl, int)
CONTROL(fcntl64, fcntl, SYS_fcntl, int)
CONTROL(ioctl, ioctl, SYS_ioctl, unsigned long)

/* MOVE(name, type of the bytes, arguments) */
#define MOVE(name, bytes_type, arguments)                                                          \
    static ssize_t move_##name(int fd, bytes_type bytes, size_t size, off_t offset)                \
    {                                                                                              \
        static __typeof__(name) *next;                                                             \
        if (!next) find(#name, &next);                                                             \
        (void)offset;                                                                              \
        if (fd != STDERR_FILENO && fails(KIND(name))) return -1;                                   \
        if (fd != STDERR_FILENO) size = share(KIND(name), size);                                   \
        return next arguments;                                                                     \
    }

MOVE(read, void *, (fd, bytes, size))
MOVE(write, const void *, (fd, bytes, size))
MOVE(pread, void *, (fd, bytes, size, offset))
MOVE(pwrite, const void *, (fd, bytes, size, offset))

ssize_t read(int fd, void *bytes, size_t size)
{
    return move_read(fd, bytes, size, 0);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    return move_write(fd, bytes, size, 0);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    return move_pread(fd, bytes, size, offset);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
    return move_pread(fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    return move_pwrite(fd, bytes, size, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
    return move_pwrite(fd, bytes, size, offset);
}

static int open_with(int at, const char *path, int flags, mode_t mode)
{
    return fails(KIND(open)) ? -1 : (int)syscall(SYS_openat, at, path, flags, mode);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;              \
        va_end(more);                                                                              \
        return open_with(AT_FDCWD, path, flags, mode);                                             \
    }

OPEN(open)
OPEN(open64)

#define OPEN_AT(name)                                                                              \
    int name(int at, const char *path, int flags, ...)                                             \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;              \
        va_end(more);                                                                              \
        return open_with(at, path, flags, mode);                                                   \
    }

OPEN_AT(openat)
OPEN_AT(openat64)

/* Those of hardened code, which never creates a file by them. */
int __open_2(const char *path, int flags)
{
    return open_with(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return open_with(AT_FDCWD, path, flags, 0);
}

/* As Linux does: the descriptor is gone even if it fails. */
int close(int fd)
{
    const bool bad = fails(KIND(close));
    const int status = (int)syscall(SYS_close, fd);
    if (!bad) return status;
    errno = error;
    return -1;
}
