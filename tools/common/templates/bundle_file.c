#include "tools/common/templates/bundle_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"

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

bool bundle_may_be_saved(const char *path, bool may_be_read_only)
{
    return file_may_be_replaced(path, "bundle", may_be_read_only);
}

bool bundle_save(sigrep_bundle *bundle, const char *path, bool may_be_read_only)
{
    const void *bytes;
    size_t size;
    sigrep_error error;
    if (!sigrep_bundle_write(bundle, &bytes, &size, &error))
        return file_replace(path, "bundle", may_be_read_only, bytes, size);
    report_of(path, "%s", error.text);
    return false;
}
