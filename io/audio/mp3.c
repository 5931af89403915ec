#include "io/audio/mp3.h"

#include <string.h>

#include "io/bytes.h"
#include "io/detect.h"

enum {
    ID3V2_HEADER = 10,
    ID3V1_TAG = 128,
    FRAME_HEAD = 4,
    XING_REACH = FRAME_HEAD + 32 + 16, /* bytes from the frame up to the end of the counts */
    XING_FRAMES = 1,                   /* flags of the Xing header */
    XING_BYTES = 2
};

static const uint64_t endless = (uint64_t)1 << 50; /* bytes: 900 years at 320 kbit/s */

/* Several tags may follow each other, and padding zeros. */
static bool skip_tags(input *in)
{
    while (input_need(in, ID3V2_HEADER) && memcmp(input_bytes(in), "ID3", 3) == 0) {
        const unsigned char *b = input_bytes(in);
        uint64_t size = (uint64_t)(b[6] & 127) << 21 | (uint64_t)(b[7] & 127) << 14 |
                        (uint64_t)(b[8] & 127) << 7 | (b[9] & 127);
        uint64_t footer = b[5] & 0x10 ? ID3V2_HEADER : 0;
        if (!input_skip(in, ID3V2_HEADER + size + footer)) return false;
    }
    while (input_need(in, 1) && input_bytes(in)[0] == 0) input_consume(in, 1);
    return input_need(in, FRAME_HEAD) && input_bytes(in)[0] == 0xff;
}

/* Read the counts in the Xing or Info header of the first frame. It follows the side information,
 * whose size depends on version and channels. */
static void find_counts(mp3_stream *m, const unsigned char *b)
{
    bool mpeg1 = (b[1] & 0x18) == 0x18, mono = (b[3] & 0xc0) == 0xc0;
    const unsigned char *x = b + FRAME_HEAD + (mpeg1 ? (mono ? 17 : 32) : (mono ? 9 : 17));
    if (memcmp(x, "Xing", 4) != 0 && memcmp(x, "Info", 4) != 0) return;
    uint32_t flags = (uint32_t)bytes_load(x + 4, 4, true);
    m->counted = flags & XING_FRAMES && bytes_load(x + 8, 4, true) > 0;
    const unsigned char *bytes = x + (flags & XING_FRAMES ? 12 : 8);
    const uint64_t length = bytes_load(bytes, 4, true);
    if (flags & XING_BYTES && length > 0) m->length = length;
}

bool mp3_begin(mp3_stream *m, input *in)
{
    *m = (mp3_stream){.in = in, .length = endless};
    if (!skip_tags(in)) return false;
    m->base = in->consumed;
    if (input_need(in, XING_REACH)) find_counts(m, input_bytes(in));
    return true;
}

/* The buffered bytes that cannot belong to an ID3v1 tag at the end, which libraries must not see.
 */
static size_t sure_bytes(const input *in)
{
    size_t have = input_have(in);
    bool open = !input_has_stopped(in);
    if (have < ID3V1_TAG) return open ? 0 : have;
    bool tag = memcmp(input_bytes(in) + have - ID3V1_TAG, "TAG", 3) == 0;
    return open || tag ? have - ID3V1_TAG : have;
}

/* Wait for a byte at `offset` of the input. Returns the number buffered from there; 0: the input
 * ended, or `offset` is no longer buffered. */
static size_t reach(mp3_stream *m, uint64_t offset)
{
    input *in = m->in;
    while (offset >= in->consumed + sure_bytes(in)) {
        /* Half of the buffer stays, for reads that go back. */
        if (input_have(in) == INPUT_CAPACITY) input_consume(in, INPUT_CAPACITY / 2);
        if (!input_more(in) && offset >= in->consumed + sure_bytes(in)) return 0;
    }
    return offset < in->consumed ? 0 : (size_t)(in->consumed + sure_bytes(in) - offset);
}

size_t mp3_read_at(mp3_stream *m, uint64_t offset, void *bytes, size_t n)
{
    size_t done = 0;
    if (offset == m->length - ID3V1_TAG && n == ID3V1_TAG) {
        memset(bytes, 0,
               n); /* the search for an ID3v1 tag: reading so far would lose the beginning */
        return n;
    }
    while (done < n) {
        uint64_t at = m->base + offset + done;
        size_t ready = reach(m, at);
        if (ready == 0) break;
        if (ready > n - done) ready = n - done;
        memcpy((char *)bytes + done, input_bytes(m->in) + (at - m->in->consumed), ready);
        done += ready;
    }
    return done;
}

bool mp3_has_more(mp3_stream *m)
{
    unsigned char bytes[2048]; /* more than the longest frame */
    if (m->length == endless) return false;
    return detect_is_surely_mp3(bytes, mp3_read_at(m, m->length, bytes, sizeof bytes));
}
