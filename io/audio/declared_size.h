/*
 * declared_size.h - the length that a file's header declares, to find files that were cut short or
 * hold more than it says.
 *
 * libsndfile hides both: it reduces the frame count to what the file holds, fills truncated
 * compressed blocks with zeros, and drops what follows. So we read the headers ourselves:
 *
 *     |--------|==========================...........|- - - - -
 *     header   data_begin                ^           ^ end of the declared size:
 *                                        |             chunks may follow
 *                                        the file ends here: it was cut short
 *
 * WAV, RF64, W64, AIFF, AU and CAF declare the size of their data. Ogg marks its last page.
 * Other formats are never reported. Nor is a placeholder size that exceeds what is there.
 */
#ifndef IO_AUDIO_DECLARED_SIZE_H
#define IO_AUDIO_DECLARED_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/audio/riff.h"
#include "io/detect.h"
#include "io/input.h"

enum { DECLARED_SIZE_HEADER = 27 + 255 }; /* bytes of the longest header read: an Ogg page's */

/* A parser that walks from header to header. All positions and sizes are in bytes. */
typedef struct {
    detect_kind kind;
    bool done;           /* nothing more to learn */
    riff_layout layout;  /* of kinds with chunks, once the first header was read */
    bool last_page;      /* Ogg: the latest page is marked as the last */
    bool has_ended;      /* Ogg: such a page was seen */
    bool is_chained;     /* Ogg: another stream follows */
    bool is_found;       /* the header of the samples was read */
    bool is_placeholder; /* their size is one */
    bool has_tail;       /* a chunk follows the samples */
    bool is_stray;       /* no chunk follows where one should */
    uint64_t position;   /* bytes read or skipped so far */
    uint64_t skip;       /* bytes to skip before the next header */
    size_t want, have;   /* size of the next header; bytes of it in `header` */
    unsigned char header[DECLARED_SIZE_HEADER];
    uint64_t long_size;  /* RF64: data size from the ds64 chunk */
    uint64_t data_begin; /* position of the first sample */
    uint64_t data_size;  /* bytes of samples */
    uint64_t padding;    /* the last bytes of `skip`, which a file may lack */
    size_t frame_bytes;  /* set by the caller, for messages; 0: not known */
} declared_size;

void declared_size_init(declared_size *d, detect_kind kind);

/* Parse the next n bytes of a stream, from its first byte on. */
void declared_size_feed(declared_size *d, const unsigned char *bytes, size_t n);

/* Parse all headers of a regular file. Moves the descriptor: call input_resume afterwards. */
void declared_size_scan(declared_size *d, input *in);

/* Does an input of `total` bytes hold what its header declares, and no more that should have been
 * read? If not, reason[size] receives what is wrong. */
bool declared_size_met(const declared_size *d, uint64_t total, char *reason, size_t size);

#endif
