/*
 * fuzz_npy.c - NPY from a pipe, however its bytes are cut, and from a file. The first byte is the
 * choice of channels, the second the size of the pieces. A good beginning is put before the rest,
 * unless the top bit of the first byte is set.
 */
#include "io/unpack.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    /* It must open as a file if it did as a pipe, with as many frames. */
    if (r.channels > 0 && fuzz_run_file(bytes, n, &o).frames != r.frames) abort();
    return 0;
}
