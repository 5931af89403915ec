#include "tools/common/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"

/* 0 or an errno. */
static int write_file(int fd, const void *bytes, size_t size)
{
    int failure = fd_write_all(fd, bytes, size);
    if (!failure && fsync(fd) != 0 && errno != EINVAL) failure = errno;
    if (close(fd) != 0 && !failure) failure = errno;
    return failure;
}

/* The file that a name leads to: links stay links. The caller frees it; NULL: see errno. */
static char *final_path(const char *path)
{
    struct stat st;
    char *real = realpath(path, NULL);
    const bool is_broken_link = !real && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    if (is_broken_link) errno = ENOENT;
    return real || is_broken_link ? real : strdup(path);
}

/* Owner and mode of the file that this one replaces, as far as we may; or those of a new file. */
static void take_over(int fd, const char *path)
{
    struct stat old;
    const mode_t mask = umask(0);
    umask(mask);
    const bool is_old = stat(path, &old) == 0;
    /* Who may not give a file away may still set its group. */
    if (is_old && fchown(fd, old.st_uid, old.st_gid) != 0) (void)!fchown(fd, (uid_t)-1, old.st_gid);
    (void)fchmod(fd, is_old ? old.st_mode & 0777 : 0666 & ~mask);
}

/* `beside` is mkstemp's pattern. 0 or an errno, and then no new file is left. */
static int replace_file(const char *path, char *beside, const void *bytes, size_t size)
{
    const int fd = mkstemp(beside);
    if (fd < 0) return errno;
    take_over(fd, path);
    int failure = write_file(fd, bytes, size);
    if (!failure && rename(beside, path) != 0) failure = errno;
    if (failure) unlink(beside);
    return failure;
}

/* mkstemp's pattern for a file beside this one: its name, as far as there is room. The caller frees
 * it. */
static char *pattern_beside(const char *path)
{
    static const char random[] = ".XXXXXX";
    const size_t most = NAME_MAX + 1 - sizeof random, room = strlen(path) + sizeof random;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *pattern = malloc(room);
    if (pattern)
        snprintf(pattern, room, "%.*s%.*s%s", (int)(name - path), path, (int)most, name, random);
    return pattern;
}

/* Signals wait, so that none leaves a file behind. */
static int replace_undisturbed(const char *path, const void *bytes, size_t size)
{
    sigset_t all, before;
    char *beside = pattern_beside(path);
    if (!beside) return ENOMEM;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int failure = replace_file(path, beside, bytes, size);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(beside);
    return failure;
}

/* Cuts the name off a path. */
static const char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = '\0';
    return slash ? path : ".";
}

/* Until its folder is stored as well, a power cut may bring the old file back. Shortens the path.
 * Returns 0 or an errno. */
static int store_folder(char *path)
{
    const int fd = open(folder_of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return 0; /* a folder that may be written, but not read */
    const int failure = fsync(fd) != 0 && errno != EINVAL ? errno : 0;
    close(fd);
    return failure;
}

/* Must what is there be kept? Reports so. A file that replaces a pipe or a device would remove it.
 * To replace a file takes no right to write it, so its owner's wish is looked up. */
static bool is_kept(const char *path, const char *kind, bool may_be_read_only)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode)) return false;
    const bool is_read_only = !(st.st_mode & S_IWUSR);
    if (!S_ISREG(st.st_mode))
        report_of(path, "is a pipe or a device; a %s is a file", kind);
    else if (is_read_only && !may_be_read_only)
        report_of(path, "is read-only; make it writable to replace it");
    else
        return false;
    return true;
}

bool file_may_be_replaced(const char *path, const char *kind, bool may_be_read_only)
{
    if (is_kept(path, kind, may_be_read_only)) return false;
    char *final = final_path(path);
    const bool may = final && access(folder_of(final), W_OK) == 0;
    if (!may) report_of(path, "%s", strerror(errno));
    free(final);
    return may;
}

bool file_replace(const char *path, const char *kind, bool may_be_read_only, const void *bytes,
                  size_t size)
{
    if (!file_may_be_replaced(path, kind, may_be_read_only)) return false;
    char *final = final_path(path);
    const int failure = final ? replace_undisturbed(final, bytes, size) : errno;
    const int unsure = failure ? 0 : store_folder(final);
    if (failure) report_of(path, "%s", strerror(failure));
    if (unsure)
        report_of(path, "warning: replaced, but a power cut may undo it: %s", strerror(unsure));
    free(final);
    return !failure;
}

int file_replace_again(const char *path, const void *bytes, size_t size)
{
    char *final = final_path(path);
    int failure = final ? replace_undisturbed(final, bytes, size) : errno;
    if (!failure) failure = store_folder(final);
    free(final);
    return failure;
}
