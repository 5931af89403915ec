#include "tools/common/file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "io/fdio.h"

enum { READ_BYTES = 1 << 16 };

static int read_whole(int fd, size_t most, text_buffer *bytes)
{
    for (;;) {
        if (!text_reserve(bytes, READ_BYTES)) return ENOMEM;
        const ssize_t n = fd_read(fd, -1, bytes->data + bytes->length, READ_BYTES);
        if (n == FD_END) return 0;
        if (n < 0) return errno;
        bytes->length += (size_t)n;
        if (bytes->length > most) return EFBIG;
    }
}

int file_read(const char *path, size_t most, text_buffer *bytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    const int failure = read_whole(fd, most, bytes);
    close(fd);
    return failure;
}
