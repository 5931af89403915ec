/*
 * fuzz_npy.c - NPY from a pipe, however its bytes are cut, and from a file. The first byte is the
 * choice of channels, the second the size of the pieces. A good beginning is put before the rest,
 * unless the top bit of the first byte is set.
 */
#include <unistd.h>

#include "io/unpack.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Standard input becomes a file of these bytes. It must open if the pipe did, and give the same
 * number of frames. */
static void run_file(const uint8_t *bytes, size_t n, const source_options *options, size_t frames)
{
    static int fd = -1;
    if (fd < 0) {
        FILE *file = tmpfile();
        if (!file || (fd = dup2(fileno(file), STDIN_FILENO)) < 0) abort();
    }
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) abort();
    if (fd_write_all(fd, bytes, n) != 0 || lseek(fd, 0, SEEK_SET) != 0) abort();
    char error[256] = "";
    source *src = source_open("-", options, error, sizeof error);
    if (!src) abort();
    fuzz_result r = {.channels = source_get_info(src).channels};
    fuzz_drain(src, &r, 0);
    if (r.frames != source_get_info(src).frames || r.frames != frames) abort();
    source_close(src);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[1 << 17];
    static const char head[] = "\x93NUMPY\1\0\x44\0{'descr': '<f4', 'fortran_order': ";
    if (size < 2 || size > sizeof bytes - sizeof head) return 0;
    source_options o = {.format = SOURCE_NPY, .wake_fd = -1};
    o.choice = (channel_choice)(data[0] & 3);
    o.channel = data[0] >> 2 & 7;
    const size_t before = data[0] & 0x80 ? 0 : sizeof head - 1, n = before + size - 2;
    memcpy(bytes, head, before);
    memcpy(bytes + before, data + 2, size - 2);
    if (unpack_detect(bytes, n, true) != UNPACK_NONE) return 0;
    fuzz_result r = fuzz_compare(bytes, n, &o, data[1]);
    if (r.frames > n) abort();
    if (r.channels > 0) run_file(bytes, n, &o, r.frames);
    return 0;
}
