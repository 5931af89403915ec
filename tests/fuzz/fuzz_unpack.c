/*
 * fuzz_unpack.c - packed raw bytes from a pipe, however they are cut. The first byte chooses gzip
 * or zstd by its lowest bit, the second is the size of the pieces. The first bytes of a header are
 * put before the rest, unless the top bit of the first byte is set.
 */
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[1 << 12];
    static const char gzip[] = "\x1f\x8b\x08\0\0\0\0\0\0\3", zstd[] = "\x28\xb5\x2f\xfd";
    if (size < 2 || size > sizeof bytes - sizeof gzip) return 0;
    const source_options o = {.format = SOURCE_U8, .wake_fd = -1};
    const bool is_zstd = data[0] & 1;
    size_t before = is_zstd ? sizeof zstd - 1 : sizeof gzip - 1;
    if (data[0] & 0x80) before = 0;
    memcpy(bytes, is_zstd ? zstd : gzip, before);
    memcpy(bytes + before, data + 2, size - 2);
    fuzz_compare(bytes, before + size - 2, &o, data[1]);
    return 0;
}
