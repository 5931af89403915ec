#include "tools/sigrep/state/output_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

output_place output_place_now(void)
{
    struct stat st;
    if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode)) return (output_place){0};
    const bool appends = fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND;
    const off_t at = appends ? st.st_size : lseek(STDOUT_FILENO, 0, SEEK_CUR);
    return (output_place){.is_file = true,
                          .device = (uint64_t)st.st_dev,
                          .inode = (uint64_t)st.st_ino,
                          .at = at > 0 ? (uint64_t)at : 0};
}

static bool is_same(const output_place *a, const output_place *b)
{
    return a->is_file && b->is_file && a->device == b->device && a->inode == b->inode;
}

/* Bytes of standard output, a file. */
static uint64_t size_of_output(void)
{
    struct stat st;
    return fstat(STDOUT_FILENO, &st) == 0 ? (uint64_t)st.st_size : 0;
}

const char *output_place_refuses(const output_place *before)
{
    const output_place now = output_place_now();
    const uint64_t size = size_of_output();
    if (!before->is_file || !now.is_file) return NULL;
    if (!is_same(before, &now) && size > 0)
        return "standard output is not the file that the last run wrote: append to that one, or "
               "write to a new one";
    if (is_same(before, &now) && size < before->at)
        return "standard output is shorter than the last run left it: append to it by >>";
    return NULL;
}

bool output_place_return(const output_place *before, int *failure)
{
    const output_place now = output_place_now();
    const off_t at = (off_t)before->at;
    *failure = 0;
    if (!is_same(before, &now)) return false;
    /* Shorter than `end`: it was cut, and that run was killed before it wrote its state. */
    if (before->is_end_known && size_of_output() > before->end) return false;
    if (ftruncate(STDOUT_FILENO, at) != 0 || lseek(STDOUT_FILENO, at, SEEK_SET) < 0)
        *failure = errno;
    return true;
}

int output_place_store(const output_place *now)
{
    if (!now->is_file || fdatasync(STDOUT_FILENO) == 0 || errno == EINVAL) return 0;
    return errno;
}
