/*
 * fuzz_audio.c - FLAC, plain or in Ogg, and MPEG audio, with tags and damage, however the bytes are
 * cut. The first byte is the choice of channels, the second the size of the pieces.
 *
 * How much libFLAC skips after damage depends on the bytes that it has. So FLAC is compared if none
 * of the ways has words.
 */
#define _GNU_SOURCE /* memmem */
#include "io/detect.h"
#include "io/unpack.h"
#include "tests/fuzz/source_fuzz.h"

enum { MOST_BYTES = 1 << 13, OGG_PAGE = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Is it read by flac.c or mpeg.c? libsndfile reads the rest. */
static bool is_ours(const uint8_t *bytes, size_t n)
{
    const detect_kind kind = detect(bytes, n, true);
    if (kind == DETECT_OGG)
        return memmem(bytes, n < OGG_PAGE ? n : OGG_PAGE,
                      "\x7f"
                      "FLAC",
                      5);
    return kind == DETECT_FLAC || kind == DETECT_MP3;
}

static void compare_flac(const uint8_t *bytes, size_t n, const source_options *o, size_t piece)
{
    static const char *const none = "\n"; /* of source_error */
    const fuzz_result whole = fuzz_run(bytes, n, o, n + 1), cut = fuzz_run(bytes, n, o, piece + 1);
    if (strcmp(whole.words, none) != 0 || strcmp(cut.words, none) != 0) return;
    if (cut.frames != whole.frames || cut.sum != whole.sum) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > MOST_BYTES) return 0;
    source_options o = {.format = SOURCE_AUTO, .wake_fd = -1};
    o.choice = (channel_choice)(data[0] & 3);
    o.channel = data[0] >> 2 & 7;
    if (unpack_detect(data + 2, size - 2, true) != UNPACK_NONE) return 0; /* for fuzz_unpack.c */
    if (!is_ours(data + 2, size - 2)) return 0;
    if (memmem(data + 2, size - 2, "fLaC", 4) || detect(data + 2, size - 2, true) == DETECT_OGG)
        compare_flac(data + 2, size - 2, &o, data[1]);
    else
        fuzz_compare(data + 2, size - 2, &o, data[1]);
    return 0;
}
