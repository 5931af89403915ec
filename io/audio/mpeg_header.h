/*
 * mpeg_header.h - the four bytes with which a frame of MPEG audio (MP1, MP2, MP3) begins.
 *
 *     11111111 111VVLLp bbbbrrg- mmxx--ee      ISO 11172-3 and 13818-3, 2.4.1.3
 *
 *     V version   L layer   b bit rate   r sampling rate   g one byte (layer I: four) more
 *     m mode: stereo, joint stereo, two channels, mono     x how it is joint     e emphasis
 */
#ifndef IO_AUDIO_MPEG_HEADER_H
#define IO_AUDIO_MPEG_HEADER_H

#include <stdbool.h>
#include <stddef.h>

enum { MPEG_HEADER = 4, MPEG_LONGEST = 2881 }; /* bytes of a header, of the longest frame */

typedef struct {
    unsigned version; /* V: 0 is 2.5, 2 is 2, 3 is 1 */
    unsigned layer;   /* 1 to 3 */
    size_t rate_hz;
    size_t channels;
    size_t kbits;   /* a second */
    size_t bytes;   /* of the frame, header included */
    size_t samples; /* of the frame, each channel */
} mpeg_header;

/* Parse a header. Reserved values are refused: of V, L, b, r, e; also a bit rate of 0, which means
 * any. So is x != 0 outside joint stereo, since encoders leave it 0. That rule excludes every float
 * between -2 and 2: its top byte has x = 3 or is small. */
bool mpeg_header_parse(const unsigned char bytes[MPEG_HEADER], mpeg_header *h);

/* May two frames belong to one stream? */
static inline bool mpeg_header_fits(const mpeg_header *a, const mpeg_header *b)
{
    return a->version == b->version && a->layer == b->layer && a->rate_hz == b->rate_hz;
}

#endif
