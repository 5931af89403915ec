/* fuzz_audio.c - FLAC (plain or in Ogg) and MPEG audio from a pipe, however its bytes are cut. The
 * first byte is the size of the pieces. */
#include "io/detect.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const source_options o = {.format = SOURCE_AUTO, .choice = CHANNEL_EACH, .wake_fd = -1};
    if (size < 1) return 0;
    const detect_kind kind = detect(data + 1, size - 1, true);
    const bool is_ogg_flac =
        kind == DETECT_OGG && size > 33 && memcmp(data + 1 + 28, "\177FLAC", 5) == 0;
    if (kind == DETECT_FLAC || kind == DETECT_MP3 || is_ogg_flac)
        fuzz_compare(data + 1, size - 1, &o, data[0]);
    return 0;
}
