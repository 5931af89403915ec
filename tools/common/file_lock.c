#include "tools/common/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Has nobody removed the file since it was opened? */
static bool is_there(int fd, const char *path)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/* Links to one file share its lock. The caller frees the path; NULL: out of memory. */
static char *path_beside(const char *path)
{
    static const char suffix[] = ".lock";
    char *real = realpath(path, NULL);
    const char *name = real ? real : path;
    const size_t room = strlen(name) + sizeof suffix;
    char *beside = malloc(room);
    if (beside) snprintf(beside, room, "%s%s", name, suffix);
    free(real);
    return beside;
}

int file_lock_take(file_lock *lock, const char *path)
{
    *lock = (file_lock){.fd = -1, .path = path_beside(path)};
    if (!lock->path) return ENOMEM;
    for (;;) {
        const int fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) return errno;
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const int failure = errno;
            close(fd);
            return failure;
        }
        lock->fd = fd;
        if (is_there(fd, lock->path)) return 0;
        close(fd); /* its owner removed it just now */
        lock->fd = -1;
    }
}

void file_lock_drop(file_lock *lock)
{
    if (lock->fd >= 0) {
        unlink(lock->path); /* before another can take it */
        close(lock->fd);
    }
    free(lock->path);
    *lock = (file_lock){.fd = -1};
}
