/*
 * fuzz_raw.c - raw samples, and the detection of formats, however the bytes are cut. The first byte
 * is the format, or auto, and its byte order. The second is the number of channels and their
 * choice, the third the size of the pieces.
 */
#include "io/detect.h"
#include "io/unpack.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Does `auto` detect audio? Such bytes are for wav.c or for other libraries. */
static bool is_audio(const uint8_t *bytes, size_t n)
{
    detect_kind kind = detect(bytes, n, true);
    return kind != DETECT_TEXT && kind != DETECT_F32;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const source_format formats[] = {SOURCE_F32, SOURCE_F64, SOURCE_S16, SOURCE_S24,
                                            SOURCE_S32, SOURCE_U8,  SOURCE_AUTO};
    if (size < 3) return 0;
    source_options o = {.format = formats[(data[0] & 0x7f) % 7], .wake_fd = -1};
    o.big_endian = data[0] & 0x80;
    o.channels = data[1] & 7;
    o.choice = (channel_choice)(data[1] >> 3 & 3);
    o.channel = data[1] >> 5;
    const uint8_t *bytes = data + 3;
    size_t n = size - 3;
    if (unpack_detect(bytes, n, true) != UNPACK_NONE) return 0; /* for fuzz_unpack.c */
    if (o.format == SOURCE_AUTO && n > 0 && is_audio(bytes, n)) return 0;
    fuzz_result r = fuzz_compare(bytes, n, &o, data[2]);
    size_t channels = o.channels ? o.channels : 1;
    if (o.format == SOURCE_U8 && !r.failed && r.frames != n / channels) abort();
    if (r.frames > n) abort();
    return 0;
}
