#include "io/frame_chain.h"

#include <string.h>

#include "io/audio/mpeg_header.h"

enum { HEAD = 8, LINKS = 3, TS_PACKET = 188, TS_LINKS = 8 };

/* The size of the frame that may begin here, with HEAD bytes at b; 0: none does. */
typedef size_t size_fn(const unsigned char *b);

static size_t mpeg_bytes(const unsigned char *b)
{
    mpeg_header h;
    return mpeg_header_parse(b, &h) ? h.bytes : 0;
}

static size_t adts_bytes(const unsigned char *b)
{
    const size_t bytes = (size_t)(b[3] & 3) << 11 | (size_t)b[4] << 3 | b[5] >> 5;
    const bool is_head = b[0] == 0xff && (b[1] & 0xf6) == 0xf0 && (b[2] >> 2 & 15) < 13;
    return is_head && bytes > HEAD ? bytes : 0;
}

static size_t loas_bytes(const unsigned char *b)
{
    return b[0] == 0x56 && (b[1] & 0xe0) == 0xe0 ? 3 + ((size_t)(b[1] & 31) << 8 | b[2]) : 0;
}

/* ATSC A/52: AC-3 by its table 5.18, E-AC-3 by its size. */
static size_t ac3_bytes(const unsigned char *b)
{
    static const unsigned short kbits[] = {32,  40,  48,  56,  64,  80,  96,  112, 128, 160,
                                           192, 224, 256, 320, 384, 448, 512, 576, 640};
    const unsigned rate = b[4] >> 6, code = b[4] & 63;
    if (b[0] != 0x0b || b[1] != 0x77) return 0;
    if (b[5] >> 3 > 10) return 2 * (((size_t)(b[2] & 7) << 8 | b[3]) + 1);
    if (rate == 3 || code / 2 >= sizeof kbits / sizeof *kbits) return 0;
    const size_t k = kbits[code / 2];
    return rate == 0 ? 4 * k : rate == 2 ? 6 * k : 2 * (k * 96000 / 44100 + code % 2);
}

static size_t ts_bytes(const unsigned char *b)
{
    return b[0] == 0x47 ? TS_PACKET : 0;
}

static const struct {
    size_fn *size;
    size_t links;
    frame_chain_kind kind;
    unsigned char same[4]; /* the bits that all headers of a chain share */
} chains[] = {
    {mpeg_bytes, LINKS, FRAME_CHAIN_MPEG, {0xff, 0xfe, 0x0c, 0}},
    {adts_bytes, LINKS, FRAME_CHAIN_AAC, {0xff, 0xff, 0xfc, 0xc0}},
    {loas_bytes, LINKS, FRAME_CHAIN_AAC, {0xff, 0xe0, 0, 0}},
    {ac3_bytes, LINKS, FRAME_CHAIN_AC3, {0xff, 0xff, 0, 0}},
    {ts_bytes, TS_LINKS, FRAME_CHAIN_TS, {0xff, 0, 0, 0}},
};

static bool fits(const unsigned char *a, const unsigned char *b, const unsigned char same[4])
{
    for (size_t i = 0; i < 4; i++)
        if ((a[i] ^ b[i]) & same[i]) return false;
    return true;
}

/* The one byte of a packet's head is the top byte of each float from 32768 to 131071, too. */
static bool are_floats(const unsigned char *bytes, size_t n)
{
    enum { MANY = 8 /* of so many numbers, one */ };
    size_t same = 0;
    for (size_t i = 0; i < n; i += sizeof(float)) same += bytes[i] == bytes[0];
    return same * MANY > n / sizeof(float);
}

/* Does chain c begin at `bytes`? */
static bool begins(size_t c, const unsigned char *bytes, size_t n)
{
    size_t at = 0;
    for (size_t link = 1;; link++) {
        const size_t size = chains[c].size(bytes + at);
        if (size == 0 || !fits(bytes, bytes + at, chains[c].same)) return false;
        if (link == chains[c].links)
            return chains[c].kind != FRAME_CHAIN_TS || !are_floats(bytes, at);
        at += size;
        if (at + HEAD > n) return false;
    }
}

/* A constant number is no header, though it fits at any distance. */
static bool repeats(const unsigned char *b)
{
    return memcmp(b, b + 4, 4) == 0;
}

frame_chain_kind frame_chain_find(const unsigned char *bytes, size_t n)
{
    if (n > FRAME_CHAIN_REACH) n = FRAME_CHAIN_REACH;
    for (size_t i = 0; i + HEAD <= n; i++)
        for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
            if (!repeats(bytes + i) && begins(c, bytes + i, n - i)) return chains[c].kind;
    return FRAME_CHAIN_NONE;
}
