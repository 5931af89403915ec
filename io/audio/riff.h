/*
 * riff.h - the chunks of which WAV, RF64, W64, AIFF and CAF files consist.
 *
 *     | name | size | content ... | padding |  next chunk
 *
 *     WAV, RF64, AIFF   name of 4 bytes,  size of 32 bits          padded to 2 bytes
 *     CAF               name of 4 bytes,  size of 64 bits          not padded
 *     W64               GUID of 16 bytes, size of 64 bits with both,  padded to 8 bytes
 *
 * One chunk holds the samples. A writer that cannot go back leaves its size wrong, and a 32-bit
 * size wraps at 4 GiB. So whoever reads the samples looks at what follows them: other chunks, or
 * more samples?
 */
#ifndef IO_AUDIO_RIFF_H
#define IO_AUDIO_RIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/detect.h"

enum { RIFF_HEADER = 24 }; /* bytes of the longest header */

typedef struct {
    size_t name_bytes, size_bytes;
    bool big_endian;
    size_t header_counted; /* bytes of the header that a size includes */
    size_t align;          /* bytes; a chunk is padded to a multiple of it */
} riff_layout;

/* The layout of a file that begins with these 4 bytes. `kind` has chunks. */
riff_layout riff_layout_of(detect_kind kind, const unsigned char *start);

/* Bytes of a header: name and size. */
size_t riff_header_bytes(const riff_layout *l);

/* Bytes of content, without padding. */
uint64_t riff_size(const riff_layout *l, const unsigned char *header);

/* Bytes of padding after a content of `size` bytes. */
uint64_t riff_padding(const riff_layout *l, uint64_t size);

/* Does the name begin with these 4 letters? */
bool riff_is(const unsigned char *header, const char *name);

/* Does a size of samples, stored in `size_bytes`, mean "unknown"? So do 0 and sizes near the
 * largest. Programs that write to pipes use them: ffmpeg, sox, arecord, mplayer. */
bool riff_is_placeholder(size_t size_bytes, uint64_t size);

/* Can a chunk that begins like this follow the samples: has it a name, a size below 256 MiB, and no
 * samples of its own? Samples look like that only by a rare chance. */
bool riff_may_follow(const riff_layout *l, const unsigned char *header);

#endif
