#include "io/mp3.h"

#include <string.h>

enum {
    ID3V2_HEADER = 10,
    ID3V1_TAG = 128,
    FRAME_HEAD = 4,
    XING_REACH = FRAME_HEAD + 32 + 16, /* up to the end of its byte count */
    XING_FRAMES = 1,                   /* its flags */
    XING_BYTES = 2
};

static const uint64_t endless = (uint64_t)1 << 50; /* at 320 kbit/s, 900 years */

static uint32_t load_u32(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Tags may follow each other, and zeros them. */
static bool skip_tags(input *in)
{
    while (input_need(in, ID3V2_HEADER) && memcmp(input_bytes(in), "ID3", 3) == 0) {
        const unsigned char *b = input_bytes(in);
        uint64_t size = (uint64_t)(b[6] & 127) << 21 | (uint64_t)(b[7] & 127) << 14 |
                        (uint64_t)(b[8] & 127) << 7 | (b[9] & 127);
        uint64_t footer = b[5] & 0x10 ? ID3V2_HEADER : 0;
        if (!input_skip(in, ID3V2_HEADER + size + footer)) return false;
    }
    while (input_need(in, 1) && input_bytes(in)[0] == 0) input_take(in, 1);
    return input_need(in, FRAME_HEAD) && input_bytes(in)[0] == 0xff;
}

/* The Xing or Info header stands in the first frame, behind the room of its side
 * information, which depends on version and channels. */
static void find_counts(mp3_stream *m, const unsigned char *b)
{
    bool mpeg1 = (b[1] & 0x18) == 0x18, mono = (b[3] & 0xc0) == 0xc0;
    const unsigned char *x = b + FRAME_HEAD + (mpeg1 ? (mono ? 17 : 32) : (mono ? 9 : 17));
    if (memcmp(x, "Xing", 4) != 0 && memcmp(x, "Info", 4) != 0) return;
    uint32_t flags = load_u32(x + 4);
    m->counted = flags & XING_FRAMES && load_u32(x + 8) > 0;
    const unsigned char *bytes = x + (flags & XING_FRAMES ? 12 : 8);
    if (flags & XING_BYTES && load_u32(bytes) > 0) m->length = load_u32(bytes);
}

bool mp3_begin(mp3_stream *m, input *in)
{
    *m = (mp3_stream){.in = in, .length = endless};
    if (!skip_tags(in)) return false;
    m->base = in->taken;
    if (input_need(in, XING_REACH)) find_counts(m, input_bytes(in));
    return true;
}

/* Bytes of the buffer that are known to be no part of a tag at the end. */
static size_t sure_bytes(const input *in)
{
    size_t have = input_have(in);
    bool open = !in->ended && !in->woken && !in->failure;
    if (have < ID3V1_TAG) return open ? 0 : have;
    bool tag = memcmp(input_bytes(in) + have - ID3V1_TAG, "TAG", 3) == 0;
    return open || tag ? have - ID3V1_TAG : have;
}

/* The bytes ready at `offset`, waiting for one; 0: the end, or out of reach. */
static size_t reach(mp3_stream *m, uint64_t offset)
{
    input *in = m->in;
    while (offset >= in->taken + sure_bytes(in)) {
        /* Keep half a buffer for those who go back. */
        if (input_have(in) == INPUT_CAPACITY) input_take(in, INPUT_CAPACITY / 2);
        if (!input_more(in) && offset >= in->taken + sure_bytes(in)) return 0;
    }
    return offset < in->taken ? 0 : (size_t)(in->taken + sure_bytes(in) - offset);
}

size_t mp3_read_at(mp3_stream *m, uint64_t offset, void *bytes, size_t n)
{
    size_t done = 0;
    if (offset == m->length - ID3V1_TAG && n == ID3V1_TAG) {
        memset(bytes, 0, n); /* the search for a tag: going there would lose the beginning */
        return n;
    }
    while (done < n) {
        uint64_t at = m->base + offset + done;
        size_t ready = reach(m, at);
        if (ready == 0) break;
        if (ready > n - done) ready = n - done;
        memcpy((char *)bytes + done, input_bytes(m->in) + (at - m->in->taken), ready);
        done += ready;
    }
    return done;
}
