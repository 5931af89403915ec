#include "filter/cli/common/bundle_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"
#include "io/fdio.h"

/* A bundle is no larger (docs/FORMAT.md). */
static const size_t MAX_SIZE = (size_t)1 << 30;

bool bundle_is_named(const char *path)
{
    const size_t length = strlen(path);
    return length > 7 && strcmp(path + length - 7, ".sigrep") == 0;
}

/* All of a file, which the caller frees; NULL: the reason is in *reason. */
static unsigned char *read_whole(int fd, size_t *size, const char **reason)
{
    size_t capacity = 1 << 16;
    unsigned char *bytes = malloc(capacity);
    for (ssize_t n = 1; bytes && n > 0; *size += (size_t)n) {
        if (*size == capacity) {
            unsigned char *grown = realloc(bytes, capacity *= 2);
            if (!grown) break;
            bytes = grown;
        }
        n = fd_read(fd, -1, bytes + *size, capacity - *size);
        if (n == FD_END) return bytes;
        *reason = n < 0 ? strerror(errno) : NULL;
        if (*size + (size_t)n > MAX_SIZE) *reason = "larger than any bundle";
        if (*reason) break;
    }
    if (!*reason) *reason = "out of memory";
    free(bytes);
    return NULL;
}

sigrep_bundle *bundle_load(const char *path)
{
    const char *reason = NULL;
    size_t size = 0;
    sigrep_error error = {.text = ""};
    sigrep_bundle *b = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char *bytes = NULL;
    if (fd < 0)
        reason = strerror(errno);
    else
        bytes = read_whole(fd, &size, &reason);
    if (bytes && sigrep_bundle_read(&b, bytes, size, &error)) reason = error.text;
    if (reason) report_of(path, "%s", reason);
    free(bytes);
    if (fd >= 0) close(fd);
    return b;
}

/* 0 or an errno. */
static int write_file(int fd, const void *bytes, size_t size)
{
    int failure = fd_write_all(fd, bytes, size);
    if (!failure && fsync(fd) != 0 && errno != EINVAL) failure = errno;
    if (close(fd) != 0 && !failure) failure = errno;
    return failure;
}

/* The file that a name leads to: links stay links. The caller frees it. */
static char *final_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

static int replace_file(const char *path, const void *bytes, size_t size)
{
    struct stat old;
    char *final = final_path(path);
    const size_t room = final ? strlen(final) + 8 : 0;
    char *new = final ? malloc(room) : NULL;
    int failure = new ? 0 : ENOMEM;
    if (new) {
        snprintf(new, room, "%s.XXXXXX", final);
        const int fd = mkstemp(new);
        failure = fd < 0 ? errno : 0;
        const mode_t mask = umask(0);
        umask(mask);
        const bool is_old = stat(final, &old) == 0;
        if (fd >= 0) (void)fchmod(fd, is_old ? old.st_mode & 0777 : 0666 & ~mask);
        if (fd >= 0) failure = write_file(fd, bytes, size);
        if (!failure && rename(new, final) != 0) failure = errno;
        if (failure && fd >= 0) unlink(new);
    }
    free(new);
    free(final);
    return failure;
}

bool bundle_save(sigrep_bundle *bundle, const char *path)
{
    const void *bytes;
    size_t size;
    sigrep_error error;
    if (sigrep_bundle_write(bundle, &bytes, &size, &error)) {
        report_of(path, "%s", error.text);
        return false;
    }
    const int failure = replace_file(path, bytes, size);
    if (failure) report_of(path, "%s", strerror(failure));
    return !failure;
}
