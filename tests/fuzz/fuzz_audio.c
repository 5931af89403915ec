/*
 * fuzz_audio.c - FLAC (plain or in Ogg) and MPEG audio from a pipe, however its bytes are cut. The
 * first byte is the size of the pieces. How much libFLAC finds after damage depends on them.
 */
#include "io/detect.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const source_options o = {.format = SOURCE_AUTO, .choice = CHANNEL_EACH, .wake_fd = -1};
    if (size < 1) return 0;
    const detect_kind kind = detect(data + 1, size - 1, true);
    const bool is_mpeg = kind == DETECT_MP3 && memcmp(data + 1, "ID3", 3) != 0;
    const bool is_ogg_flac =
        kind == DETECT_OGG && size > 33 && memcmp(data + 1 + 28, "\177FLAC", 5) == 0;
    if (kind != DETECT_FLAC && kind != DETECT_MP3 && !is_ogg_flac) return 0;
    const fuzz_result whole = fuzz_run(data + 1, size - 1, &o, size);
    const bool is_good = !whole.failed && strcmp(whole.words, "\n") == 0;
    if (is_mpeg || is_good)
        fuzz_compare(data + 1, size - 1, &o, data[0]);
    else
        fuzz_run(data + 1, size - 1, &o, data[0] > 0 ? data[0] : 1);
    return 0;
}
