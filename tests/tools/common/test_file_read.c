#include "tools/common/file_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { SIZE = 200000 };

static char path[] = "/tmp/sigrep-read-XXXXXX";

static void all_bytes_come(void)
{
    text_buffer bytes = {0};
    CHECK(file_read(path, SIZE, &bytes) == 0 && bytes.length == SIZE);
    for (size_t i = 0; i < bytes.length; i++) CHECK(bytes.data[i] == (char)(i % 251));
    free(bytes.data);
}

static void what_fails_is_an_errno(void)
{
    text_buffer bytes = {0};
    CHECK(file_read(path, SIZE - 1, &bytes) == EFBIG);
    CHECK(file_read("/tmp", SIZE, &bytes) == EISDIR);
    CHECK(file_read("/tmp/sigrep/is not there", SIZE, &bytes) == ENOENT);
    free(bytes.data);
}

int main(void)
{
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    for (int i = 0; i < SIZE; i++) putc(i % 251, file);
    fclose(file);
    RUN(all_bytes_come);
    RUN(what_fails_is_an_errno);
    unlink(path);
    return check_done();
}
