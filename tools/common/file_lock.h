/* file_lock.h - one process at a time uses a file that is replaced again and again. */
#ifndef TOOLS_COMMON_FILE_LOCK_H
#define TOOLS_COMMON_FILE_LOCK_H

/*
 * The lock is on a file PATH.lock beside it, since a lock on the file itself would go with the file
 * that is replaced. The system drops it when the process ends, however it ends; then PATH.lock may
 * stay, and does no harm.
 */
typedef struct {
    int fd;     /* -1: not locked */
    char *path; /* owned; of PATH.lock */
} file_lock;

/* Lock. Returns 0, EWOULDBLOCK if another process has the lock, or another errno. */
int file_lock_take(file_lock *lock, const char *path);

/* Drop the lock and remove PATH.lock. A lock that was not taken is allowed. */
void file_lock_drop(file_lock *lock);

#endif
