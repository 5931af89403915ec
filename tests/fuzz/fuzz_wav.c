/*
 * fuzz_wav.c - WAV from a file, and from a pipe, however its bytes are cut. The first byte is the
 * choice of channels, the second the size of the pieces. A good beginning is put before the rest,
 * unless the top bit of the first byte is set.
 */
#include "io/detect.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[1 << 17];
    static const char head[] = "RIFF\0\0\0\0WAVE";
    if (size < 2 || size > sizeof bytes) return 0;
    source_options o = {.format = SOURCE_AUTO, .wake_fd = -1};
    o.choice = (channel_choice)(data[0] & 3);
    o.channel = data[0] >> 2 & 7;
    size_t before = data[0] & 0x80 ? 0 : 12, n = before + size - 2;
    memcpy(bytes, head, before);
    memcpy(bytes + before, data + 2, size - 2);
    if (detect(bytes, n, true) != DETECT_WAV) return 0;
    fuzz_result r = fuzz_compare(bytes, n, &o, data[1]);
    if (r.frames > n) abort();
    /* It must open as a file if it did as a pipe, with no more samples than bytes. */
    if (r.channels > 0 && fuzz_run_file(bytes, n, &o).frames > n) abort();
    return 0;
}
